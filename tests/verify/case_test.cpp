// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A case is the line that it prints, in every routine.
#include "verify/case.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "problem/names.hpp"

namespace onepass::verify {
namespace {

TEST(Case, IsReadBackFromItsLine) {
  for (const RoutineRow& routine : routines) {
    Case c{
        .alpha = {0.5, -1}, .beta = 0.0, .offset_a = 1, .offset_x = 2, .offset_y = 3, .fill = Fill::reals, .seed = 7};
    Problem& p = c.problem;
    p.routine = routine.routine;
    set_types(p, "z");
    p.m = p.n = 5;
    if (routine.selector == Selector::op) p.op = Op::c;
    if (routine.selector == Selector::uplo) p.uplo = Uplo::upper;
    p.layout = Layout::row;
    p.lda = 9, p.incx = -2, p.incy = 3, p.batch = 2;
    p.stride_a = 45, p.stride_x = 0, p.stride_y = 15;
    p.scalars = Scalars::device;
    if (routine.has_beta) c.beta = {1.25, 0};
    EXPECT_EQ(parse_case(print(c)), c) << print(c);
    EXPECT_EQ(print(c).find("beta") != std::string::npos, routine.has_beta) << print(c);
    c.problem.pointer_array = true;
    c.problem.stride_a = c.problem.stride_y = 0;
    EXPECT_EQ(parse_case(print(c)), c) << print(c);
  }
}

TEST(Case, OfAShortLineHasDefaults) {
  const Case c = parse_case("s T row 5x7");
  EXPECT_EQ(c.problem.routine, Routine::gemv);
  EXPECT_EQ(c.problem.lda, 7);
  EXPECT_EQ(c.alpha, 1.0);
  EXPECT_EQ(c.beta, 0.0);
  EXPECT_EQ(parse_case("ger d column 4").problem.n, 4);
}

TEST(Case, SaysWhatIsWrongWithItsLine) {
  const std::pair<const char*, const char*> wrong[] = {
      {"", "ends too early"},
      {"gemv q N column 5", "must be of a routine"},
      {"gemv s X column 5", "op \"X\" must be N, T or C"},
      {"symv s N column 5", "uplo \"N\" must be L or U"},
      {"ger s N 5x5", "layout \"N\" must be column or row"},
      {"gemv s N column 5y5", "shape \"5y5\" must be rows x columns"},
      {"gemv s N column 5x5 lda five", "lda \"five\" must be a whole number"},
      {"gemv s N column 5x5 alpha 1,i", "alpha \"1,i\" must be a number, or two"},
      {"gemv s N column 5x5 scalars here", "scalars \"here\" must be host or device"},
      {"gemv s N column 5x5 offsets 0 -1 0", "offsets must not be negative"},
      {"gemv s N column 5x5 beta 1 nan", "nan is for beta 0"},
      {"gemv s N column 5x5 batch 2 strides 0 5 4", "the stride of y must be at least 5"},
      {"ger s column 5x5 batch 2 strides 20 5 5", "the stride of A must be at least 25"},
      {"gemv s N column 5x5 offsets 0 9223372036854775807 0", "offsets must not be negative, and at most 1048576"},
      {"gemv s N column 5x5 batch 2 lda 9223372036854775807 strides 9 9 9",
       "the last element of A lies past 2^63 bytes"},
      {"gemv s N column 5x5 lda 99999999999999999999999999999999999999999999999999999999999999999999",
       "lda \"999999999999999999999999999999999999999999999999999999999999...\" must be a whole number"},
  };
  for (const auto& [line, text] : wrong) try {
      parse_case(line);
      ADD_FAILURE() << line << " was read";
    } catch (const std::invalid_argument& e) {
      EXPECT_NE(std::string(e.what()).find(text), std::string::npos) << line << ": " << e.what();
    }
}

}  // namespace
}  // namespace onepass::verify
