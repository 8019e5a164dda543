// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cases of a family of routines as data. Each family defines the functions below in its cases.cpp; the tests beside
// this file are compiled into each of them.
#pragma once

#include <ostream>
#include <vector>

#include "backends/backend.hpp"
#include "support/compare.hpp"

namespace onepass::test {

struct GroupedCase {
  Variant variant;  // of the devices
  Case c;
};

inline void PrintTo(const GroupedCase& g, std::ostream* out) { *out << g.c.name; }

// The backends that this family is tested on, of those that work here.
std::vector<const Backend*> family_backends();

// Every shape of every group in all types and forms, and some of them with every twist.
const std::vector<GroupedCase>& all_cases();

// Those that this build runs: a part under AddressSanitizer, which makes the simulator five times slower.
std::vector<GroupedCase> cases_to_run();
// Whether this build has no time for long runs on the simulator.
bool slow_build();

// A small problem of each type and each group, to vary the values in.
std::vector<GroupedCase> small_cases();

// Problems just large enough for plans to share their sums among blocks or threads.
std::vector<Case> split_cases();

// Problems without types and sizes, one for each form that the family has: routine, op, triangle, layout.
std::vector<Problem> forms();

// A form with types and sizes; a triangle has `n` rows and columns.
Problem sized(Problem form, const char* types, std::int64_t m, std::int64_t n);

// Whether the routine takes the types of the problem.
bool takes_types(const Problem& p);

// "c", which shows what is conjugated, or "s" where the routine does not take it.
const char* usual_type(const Problem& form);

}  // namespace onepass::test
