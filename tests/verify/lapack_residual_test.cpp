// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The measures of the reductions on matrices of order 2, worked out by hand: each of them must see what is off.
#include "verify/lapack_residual.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

namespace onepass::verify {
namespace {

constexpr double eps = 0x1p-20, off = 0x1p-12;

template <class W>
class Residual : public ::testing::Test {};
using Wide = ::testing::Types<double, std::complex<double>>;
TYPED_TEST_SUITE(Residual, Wide);

template <class W>
Dense<W> diagonal(double first, double second) {
  Dense<W> a(2, 2);
  a(0, 0) = first;
  a(1, 1) = second;
  return a;
}

// |A - B| / (|A| n eps) = off / (2 * 2 eps)
TYPED_TEST(Residual, OfAReductionIsItsErrorOverThatOfRounding) {
  const auto one = diagonal<TypeParam>(1, 1), a = diagonal<TypeParam>(2, 1);
  EXPECT_EQ(reduction_residual(a, one, a, one, eps), 0);
  EXPECT_DOUBLE_EQ(reduction_residual(a, one, diagonal<TypeParam>(2, 1 + off), one, eps), off / (4 * eps));
  EXPECT_DOUBLE_EQ(reduction_residual(a, diagonal<TypeParam>(1, 1 + off), a, one, eps), off / (4 * eps));
  EXPECT_DOUBLE_EQ(reduction_residual(a, one, a, diagonal<TypeParam>(1, 1 + off), eps), off / (4 * eps));
}

// |I - Q^H Q| / (n eps), with 1 - (1 + off)^2
TYPED_TEST(Residual, OfAQIsItsErrorOverThatOfRounding) {
  EXPECT_EQ(orthogonality_residual(diagonal<TypeParam>(1, -1), eps), 0);
  EXPECT_DOUBLE_EQ(orthogonality_residual(diagonal<TypeParam>(1, 1 + off), eps), (2 * off + off * off) / (2 * eps));
}

TYPED_TEST(Residual, OfTwoMatricesIsTheLargestDifference) {
  EXPECT_EQ(difference(diagonal<TypeParam>(1, 4), diagonal<TypeParam>(1, 4), eps), 0);
  EXPECT_DOUBLE_EQ(difference(diagonal<TypeParam>(1, 4 + off), diagonal<TypeParam>(1, 4), eps), off / (4 * 2 * eps));
}

TYPED_TEST(Residual, OfWhatIsNotANumberIsAboveEveryLimit) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const auto one = diagonal<TypeParam>(1, 1), broken = diagonal<TypeParam>(1, nan);
  EXPECT_FALSE(reduction_residual(one, one, broken, one, eps) <= residual_limit);
  EXPECT_FALSE(orthogonality_residual(broken, eps) <= residual_limit);
  EXPECT_FALSE(difference(broken, one, eps) <= residual_limit);
}

}  // namespace
}  // namespace onepass::verify
