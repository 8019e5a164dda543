// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Random problems: seed and index -> one case, the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "verify/case.hpp"

namespace onepass::tools {

struct CaseLimits {
  std::vector<Routine> routines;
  std::vector<std::string> types;
  std::vector<Order> orders = {Order::standard};                 // likewise
  std::vector<Accumulate> accumulates = {Accumulate::standard};  // of those, what a routine and type have
  std::int64_t max_size = 0;                                     // of a square matrix; longer ones are as much thinner
};

// Empty, or the routine that takes none of the types.
std::string why_impossible(const CaseLimits& limits);
// Where any routine will do: those that take none of the types are left out.
void drop_routines_without_types(CaseLimits& limits);

verify::Case random_case(std::uint64_t seed, std::uint64_t index, const CaseLimits& limits);

}  // namespace onepass::tools
