// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Q of each reduction on the cpu backend.
#include "q_cases.hpp"

namespace onepass::test {
namespace {

constexpr std::int64_t orders[] = {0, 1, 2, 3, 7, 31, 32, 33, 34, 65, 100};
constexpr std::int64_t others[] = {0, 1, 37};

template <class T>
class Q : public testing::Test {};
TYPED_TEST_SUITE(Q, Types);

TYPED_TEST(Q, OfSytrdIsGenerated) { expect_like_reference<TypeParam>(lapack_cpu(), orgtr_cases(orders)); }

TYPED_TEST(Q, OfSytrdIsApplied) { expect_like_reference<TypeParam>(lapack_cpu(), ormtr_cases(orders, others)); }

TYPED_TEST(Q, OfGebrdIsGenerated) { expect_like_reference<TypeParam>(lapack_cpu(), orgbr_cases(orders)); }

TYPED_TEST(Q, OfGebrdIsApplied) {
  constexpr std::int64_t some[] = {0, 1, 5, 40, 70};
  expect_like_reference<TypeParam>(lapack_cpu(), ormbr_cases(some, others));
}

TYPED_TEST(Q, OfGehrdIsGeneratedAndApplied) {
  expect_like_reference<TypeParam>(lapack_cpu(), hessenberg_cases(orders, others));
}

TYPED_TEST(Q, OfGeqrfIsGeneratedAndApplied) {
  expect_like_reference<TypeParam>(lapack_cpu(), qr_cases(orders, others));
}

}  // namespace
}  // namespace onepass::test
