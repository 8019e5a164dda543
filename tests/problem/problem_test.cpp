// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The stored shape of a matrix, the lengths of its vectors and where they start, by hand.
#include "problem/problem.hpp"

#include <gtest/gtest.h>

namespace onepass {
namespace {

Problem shaped(Type type, Op op, Layout layout) {
  return {.type_a = type, .type_x = type, .type_y = type, .op = op, .layout = layout, .m = 5, .n = 3, .lda = 5};
}

TEST(Stored, ColumnMajorIsTheMatrixItself) {
  EXPECT_EQ(stored(shaped(Type::s, Op::n, Layout::column)), (Stored{.rows = 5, .cols = 3}));
  EXPECT_EQ(stored(shaped(Type::s, Op::t, Layout::column)), (Stored{.rows = 5, .cols = 3, .transposed = true}));
}

TEST(Stored, RowMajorIsTheTransposeAsColumns) {
  EXPECT_EQ(stored(shaped(Type::s, Op::n, Layout::row)), (Stored{.rows = 3, .cols = 5, .transposed = true}));
  EXPECT_EQ(stored(shaped(Type::s, Op::t, Layout::row)), (Stored{.rows = 3, .cols = 5, .transposed = false}));
}

TEST(Stored, ConjugatesComplexMatricesOnly) {
  for (const Type t : all_types) {
    EXPECT_EQ(stored(shaped(t, Op::c, Layout::column)).conjugate, t == Type::c || t == Type::z);
    EXPECT_FALSE(stored(shaped(t, Op::t, Layout::column)).conjugate);
    EXPECT_FALSE(stored(shaped(t, Op::n, Layout::row)).conjugate);
  }
  EXPECT_EQ(stored(shaped(Type::z, Op::c, Layout::row)),
            (Stored{.rows = 3, .cols = 5, .transposed = false, .conjugate = true}));
}

TEST(Stored, ARowMajorTriangleIsTheOtherTriangle) {
  Problem p{.routine = Routine::symv, .type_a = Type::z, .uplo = Uplo::lower, .m = 4, .n = 4, .lda = 4};
  EXPECT_EQ(stored(p), (Stored{.rows = 4, .cols = 4, .uplo = Uplo::lower}));
  p.layout = Layout::row;
  EXPECT_EQ(stored(p), (Stored{.rows = 4, .cols = 4, .uplo = Uplo::upper}));
  p.uplo = Uplo::upper;
  EXPECT_EQ(stored(p), (Stored{.rows = 4, .cols = 4, .uplo = Uplo::lower}));
  p.layout = Layout::column;
  EXPECT_EQ(stored(p), (Stored{.rows = 4, .cols = 4, .uplo = Uplo::upper}));
}

TEST(Stored, ARowMajorHermitianMatrixIsTheConjugate) {
  Problem p{.routine = Routine::hemv, .type_a = Type::c, .uplo = Uplo::upper, .m = 4, .n = 4, .lda = 4};
  EXPECT_FALSE(stored(p).conjugate);
  p.layout = Layout::row;
  EXPECT_EQ(stored(p), (Stored{.rows = 4, .cols = 4, .conjugate = true, .uplo = Uplo::lower}));
}

TEST(Stored, OneSideOfTheDiagonalAndTheDiagonalBelongToATriangle) {
  Problem p{.routine = Routine::symv, .uplo = Uplo::upper, .layout = Layout::row, .m = 3, .n = 3, .lda = 3};
  EXPECT_TRUE(is_stored(p, 2, 1));
  EXPECT_TRUE(is_stored(p, 1, 1));
  EXPECT_FALSE(is_stored(p, 0, 1));
  EXPECT_TRUE(is_mirrored(p, 0, 1));
  EXPECT_FALSE(is_mirrored(p, 2, 1));
  p.routine = Routine::gemv;
  EXPECT_TRUE(is_stored(p, 0, 1));
  EXPECT_TRUE(is_mirrored(p, 2, 1));  // a row-major matrix is its transpose
}

TEST(Lengths, FollowTheOpAndNotTheLayout) {
  for (const Layout layout : {Layout::column, Layout::row}) {
    EXPECT_EQ(length_x(shaped(Type::s, Op::n, layout)), 3);
    EXPECT_EQ(length_y(shaped(Type::s, Op::n, layout)), 5);
    EXPECT_EQ(length_x(shaped(Type::s, Op::c, layout)), 5);
    EXPECT_EQ(length_y(shaped(Type::s, Op::c, layout)), 3);
  }
}

TEST(FirstElement, OfANegativeIncrementIsTheFarEnd) {
  EXPECT_EQ(first_element(5, 1), 0);
  EXPECT_EQ(first_element(5, 7), 0);
  EXPECT_EQ(first_element(5, -1), 4);
  EXPECT_EQ(first_element(5, -3), 12);
  EXPECT_EQ(first_element(1, -3), 0);
  EXPECT_EQ(first_element(std::int64_t{1} << 32, -2), ((std::int64_t{1} << 32) - 1) * 2);
}

TEST(Types, SizesAndSums) {
  EXPECT_EQ(size_of(Type::s), 4);
  EXPECT_EQ(size_of(Type::d), 8);
  EXPECT_EQ(size_of(Type::c), 8);
  EXPECT_EQ(size_of(Type::z), 16);
  EXPECT_EQ(size_of(Type::h), 2);
  EXPECT_EQ(size_of(Type::b), 2);
  EXPECT_EQ(scalar_type(Type::h), Type::s);
  EXPECT_EQ(scalar_type(Type::b), Type::s);
  for (const Type t : {Type::s, Type::d, Type::c, Type::z}) EXPECT_EQ(scalar_type(t), t);
}

TEST(AlignmentOf, IsThatOfEveryMatrixUpToASector) {
  const auto at = [](std::uintptr_t address) { return reinterpret_cast<const void*>(address); };
  Problem p{.m = 4, .n = 4, .lda = 4, .stride_a = 5};
  EXPECT_EQ(alignment_of(p, at(4096)), 32);
  EXPECT_EQ(alignment_of(p, at(4096 + 16)), 16);
  EXPECT_EQ(alignment_of(p, at(4096 + 20)), 4);
  p.batch = 2;  // the second lies 20 bytes further
  EXPECT_EQ(alignment_of(p, at(4096)), 4);
  p.stride_a = -8;
  EXPECT_EQ(alignment_of(p, at(4096)), 32);
  p.pointer_array = true;  // nobody has looked at the pointers
  EXPECT_EQ(alignment_of(p, at(4096)), 0);
}

TEST(Problem, ComparesByValue) {
  const Problem p = shaped(Type::s, Op::n, Layout::column);
  Problem q = p;
  EXPECT_EQ(p, q);
  q.stride_y = 1;
  EXPECT_NE(p, q);
}

}  // namespace
}  // namespace onepass
