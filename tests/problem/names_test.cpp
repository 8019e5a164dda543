// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Each name reads back as what it names.
#include "problem/names.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <set>
#include <string>

namespace onepass {
namespace {

TEST(Names, ReadBack) {
  for (const RoutineRow& r : routines) EXPECT_EQ(parse_routine(r.name), r.routine);
  for (const Uplo u : {Uplo::lower, Uplo::upper}) EXPECT_EQ(parse_uplo(name(u)), u);
  for (const Type t : all_types) EXPECT_EQ(parse_type(name(t)), t);
  for (const Op op : {Op::n, Op::t, Op::c}) EXPECT_EQ(parse_op(name(op)), op);
  for (const Layout l : {Layout::column, Layout::row}) EXPECT_EQ(parse_layout(name(l)), l);
  for (const Scalars s : {Scalars::host, Scalars::device}) EXPECT_EQ(parse_scalars(name(s)), s);
}

TEST(Names, OfNothingAreRefused) {
  EXPECT_FALSE(parse_type("q"));
  EXPECT_FALSE(parse_type(""));
  EXPECT_FALSE(parse_op("H"));
  EXPECT_FALSE(parse_routine("gemm"));
  EXPECT_FALSE(parse_uplo("N"));
  EXPECT_FALSE(parse_layout("Row"));
  EXPECT_FALSE(parse_scalars("both"));
}

TEST(TypeNames, ReadBack) {
  for (const char* types : all_type_names) {
    Problem p;
    ASSERT_TRUE(set_types(p, types));
    EXPECT_EQ(type_name(p), types);
  }
}

// What is missing there no case would try.
TEST(TypeNames, HaveEveryTypeAndItsWideY) {
  const std::set<std::string> names(std::begin(all_type_names), std::end(all_type_names));
  for (const Type type : all_types)
    for (const Type type_y : {type, scalar_type(type)}) {
      const Problem p{.type_a = type, .type_x = type, .type_y = type_y};
      EXPECT_TRUE(names.contains(type_name(p))) << type_name(p);
    }
}

TEST(TypeNames, OfNothingAreRefusedAndChangeNothing) {
  Problem p{.type_a = Type::z, .type_x = Type::z, .type_y = Type::z};
  for (const char* types : {"", "q", "hs", "hqs", "hhhh"}) EXPECT_FALSE(set_types(p, types)) << types;
  EXPECT_EQ(type_name(p), "z");
}

TEST(Describe, IsOneLineWithEveryField) {
  Problem p{.op = Op::t, .layout = Layout::row, .m = 40, .n = 51, .lda = 60, .incx = -1, .incy = 2};
  EXPECT_EQ(describe(p), "gemv s T row 40x51 lda 60 incx -1 incy 2");
  p.batch = 7;
  p.stride_a = 1000, p.stride_x = 100, p.stride_y = 10;
  EXPECT_EQ(describe(p), "gemv s T row 40x51 lda 60 incx -1 incy 2 batch 7 strides 1000 100 10");
  p.pointer_array = true;
  EXPECT_EQ(describe(p), "gemv s T row 40x51 lda 60 incx -1 incy 2 batch 7 pointers");
}

TEST(Describe, NamesTheTriangleInPlaceOfTheOp) {
  Problem p{.routine = Routine::symv, .uplo = Uplo::upper, .m = 40, .n = 40, .lda = 60};
  EXPECT_EQ(describe(p), "symv s U column 40x40 lda 60 incx 1 incy 1");
  p.routine = Routine::hemv;
  p.uplo = Uplo::lower;
  EXPECT_STREQ(selected(p), "L");
  p.routine = Routine::gemv;
  EXPECT_STREQ(selected(p), "N");
}

}  // namespace
}  // namespace onepass
