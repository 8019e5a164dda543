// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Cases of SYMV and HEMV for the simulator: operands with NaN wherever nothing may be used, and their product by
// plain loops.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/compare.hpp"
#include "support/thorough.hpp"

namespace onepass::test {

// "symv d" and "hemv c", as the tests name their parameters.
struct Kind {
  Routine routine;
  const char* types;
};
inline constexpr Kind all_kinds[] = {{Routine::symv, "s"},   {Routine::symv, "d"},   {Routine::symv, "c"},
                                     {Routine::symv, "z"},   {Routine::symv, "h"},   {Routine::symv, "b"},
                                     {Routine::symv, "hhs"}, {Routine::symv, "bbs"}, {Routine::symv, "w"},
                                     {Routine::hemv, "c"},   {Routine::hemv, "z"}};
inline constexpr Uplo both[] = {Uplo::lower, Uplo::upper};
std::string kind_name(const Kind& kind);
inline std::string kind_of(const testing::TestParamInfo<Kind>& info) { return kind_name(info.param); }

struct Twist {
  std::int64_t padding = 0;  // of lda
  int offset_a = 0;
  std::int64_t incx = 1, incy = 1;
};

Case triangle_case(const Kind& kind, Uplo uplo, std::int64_t n, const Twist& twist = {});

// The plan that symv_squares would have where symv_rows is chosen.
Plan squares_plan(const Problem& p);

// Squares of one tile, a small one where a kernel was compiled for that, so many for a block.
Plan small_squares_plan(const Problem& p, std::int64_t squares = 1);

// As lay_out, with NaN in the other triangle and in the imaginary parts of a Hermitian diagonal.
HostOperands lay_out_triangle(const Case& c);

// Whether y of every product is what plain loops in double precision give.
testing::AssertionResult is_product(const Case& c, const HostOperands& o, const Outcome& outcome);

// Lays out, runs on the simulator, by a plan other than the backend's if there is one, and compares.
testing::AssertionResult computes(const Case& c, const RunOptions& options = {});

}  // namespace onepass::test
