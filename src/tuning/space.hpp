// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a launch may choose, as tuning/space.json has it: the one list for tables, model, tuner and tests.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.hpp"

namespace onepass {

// Numbers by name: parameters of a launch, and what a problem fixes.
struct NamedValue {
  std::string_view name;
  std::int64_t value = 0;
};
using NamedValues = std::vector<NamedValue>;

struct Parameter {
  std::string name;
  std::vector<int> values;
};

struct Comparison {
  enum class Relation { at_most, at_least, divides };
  std::string left, right;  // names or numbers
  Relation relation = Relation::at_most;
};

// Holds if one of its comparisons does; one whose names are not known says nothing, and holds.
struct Constraint {
  std::string text;
  std::vector<Comparison> either;
};

struct KernelSpace {
  std::string name;
  std::vector<Parameter> parameters;
  std::vector<Constraint> constraints;

  // The values of a parameter, none if the kernel has no such one.
  const std::vector<int>& values(std::string_view parameter) const;

  // Empty, or the first value or constraint that keeps a choice out of the space.
  std::string why_outside(const NamedValues& choice) const;
};

// Of gemv_n, gemv_t, gemv_flat and symv.
const KernelSpace& space_of(Variant variant);

// What the constraints may ask of a problem.
NamedValues values_of(const Problem& p);

}  // namespace onepass
