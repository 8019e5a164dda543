// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Every typed call, in its three forms, computes the product; so does the call that takes a problem.
#include <gtest/gtest.h>

#include "api/user.hpp"

namespace onepass_user {
namespace {

template <class A, class Y, class S>
struct Calls {
  using a_type = A;
  using y_type = Y;
  using scalar = S;
  onepassType_t type_a, type_y;
  onepassStatus_t (*one)(onepassHandle_t, onepassOperation_t, int64_t, int64_t, const S*, const A*, int64_t, const A*,
                         int64_t, const S*, Y*, int64_t);
  onepassStatus_t (*strided)(onepassHandle_t, onepassOperation_t, int64_t, int64_t, const S*, const A*, int64_t,
                             int64_t, const A*, int64_t, int64_t, const S*, Y*, int64_t, int64_t, int64_t);
  onepassStatus_t (*pointers)(onepassHandle_t, onepassOperation_t, int64_t, int64_t, const S*, const A* const[],
                              int64_t, const A* const[], int64_t, const S*, Y* const[], int64_t, int64_t);
};

using C = onepassComplex_t;
using Z = onepassDoubleComplex_t;
using H = onepassHalf_t;
using B = onepassBfloat16_t;
using W = onepassDoubleDouble_t;

void each_typed_call(const auto& visit) {
  visit("s", Calls<float, float, float>{ONEPASS_TYPE_S, ONEPASS_TYPE_S, onepassSgemv, onepassSgemvStridedBatched,
                                        onepassSgemvBatched});
  visit("d", Calls<double, double, double>{ONEPASS_TYPE_D, ONEPASS_TYPE_D, onepassDgemv, onepassDgemvStridedBatched,
                                           onepassDgemvBatched});
  visit("c",
        Calls<C, C, C>{ONEPASS_TYPE_C, ONEPASS_TYPE_C, onepassCgemv, onepassCgemvStridedBatched, onepassCgemvBatched});
  visit("z",
        Calls<Z, Z, Z>{ONEPASS_TYPE_Z, ONEPASS_TYPE_Z, onepassZgemv, onepassZgemvStridedBatched, onepassZgemvBatched});
  visit("hsh", Calls<H, H, float>{ONEPASS_TYPE_H, ONEPASS_TYPE_H, onepassHSHgemv, onepassHSHgemvStridedBatched,
                                  onepassHSHgemvBatched});
  visit("hss", Calls<H, float, float>{ONEPASS_TYPE_H, ONEPASS_TYPE_S, onepassHSSgemv, onepassHSSgemvStridedBatched,
                                      onepassHSSgemvBatched});
  visit("tst", Calls<B, B, float>{ONEPASS_TYPE_B, ONEPASS_TYPE_B, onepassTSTgemv, onepassTSTgemvStridedBatched,
                                  onepassTSTgemvBatched});
  visit("tss", Calls<B, float, float>{ONEPASS_TYPE_B, ONEPASS_TYPE_S, onepassTSSgemv, onepassTSSgemvStridedBatched,
                                      onepassTSSgemvBatched});
  visit("w",
        Calls<W, W, W>{ONEPASS_TYPE_W, ONEPASS_TYPE_W, onepassWgemv, onepassWgemvStridedBatched, onepassWgemvBatched});
}

template <class S>
S scalar(int v) {
  if constexpr (requires(S s) { s.x; }) {
    return {static_cast<decltype(S::x)>(v), 0};
  } else if constexpr (requires(S s) { s.head; }) {
    return {static_cast<double>(v), 0};
  } else {
    return static_cast<S>(v);
  }
}

//     | 1 4 |                       | 9 |
// A = | 2 5 |,  x = (1, 2),  A x =  | 12 |,  A^T (1, 2, 3) = (14, 32);  complex: entries v - v i,
//     | 3 6 |                       | 15 |   products v w (1 - i)^2 = -2 v w i, conjugated 2 v w
const std::vector<int> matrix = {1, 2, 3, 4, 5, 6};

// What the product of whole numbers becomes: the number itself, or its complex counterpart.
template <class Y>
Y product(int v, bool conjugated) {
  if constexpr (requires(Y y) { y.x; }) {
    Y y{};
    (conjugated ? y.x : y.y) = static_cast<decltype(Y::x)>(conjugated ? 2 * v : -2 * v);
    return y;
  } else {
    return element<Y>(v);
  }
}

template <class Y>
void expect_products(const std::vector<Y>& y, const std::vector<int>& expected, bool conjugated = false) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_TRUE(same(y[i], product<Y>(expected[i], conjugated))) << "y[" << i << "]";
}

class TypedCalls : public OnHost {};
INSTANTIATE_TEST_SUITE_P(Backend, TypedCalls, host_backends(), host_name);

TEST_P(TypedCalls, OneProduct) {
  each_typed_call([&](const char* name, const auto& calls) {
    SCOPED_TRACE(name);
    using Call = std::remove_cvref_t<decltype(calls)>;
    using A = typename Call::a_type;
    using Y = typename Call::y_type;
    using S = typename Call::scalar;
    const std::vector<A> a = elements<A>(matrix), x = elements<A>({1, 2, 3});
    const S one = scalar<S>(1), zero = scalar<S>(0);
    std::vector<Y> y(3);
    ASSERT_EQ(calls.one(handle, ONEPASS_OP_N, 3, 2, &one, a.data(), 3, x.data(), 1, &zero, y.data(), 1), 0)
        << onepassLastErrorMessage();
    expect_products(y, {9, 12, 15});
    ASSERT_EQ(calls.one(handle, ONEPASS_OP_T, 3, 2, &one, a.data(), 3, x.data(), 1, &zero, y.data(), 1), 0);
    expect_products(y, {14, 32});
    ASSERT_EQ(calls.one(handle, ONEPASS_OP_C, 3, 2, &one, a.data(), 3, x.data(), -1, &zero, y.data(), -1), 0);
    expect_products(y, {28, 10}, true);  // A^H (3, 2, 1), stored backwards
  });
}

TEST_P(TypedCalls, AlphaAndBeta) {
  each_typed_call([&](const char* name, const auto& calls) {
    SCOPED_TRACE(name);
    using Call = std::remove_cvref_t<decltype(calls)>;
    using A = typename Call::a_type;
    using Y = typename Call::y_type;
    using S = typename Call::scalar;
    const std::vector<A> a = elements<A>(matrix), x = elements<A>({1, 2});
    const S two = scalar<S>(2), minus = scalar<S>(-1);
    std::vector<Y> y = {product<Y>(1, false), product<Y>(2, false), product<Y>(3, false)};
    ASSERT_EQ(calls.one(handle, ONEPASS_OP_N, 3, 2, &two, a.data(), 3, x.data(), 1, &minus, y.data(), 1), 0);
    expect_products(y, {17, 22, 27});
  });
}

TEST_P(TypedCalls, StridedBatch) {
  each_typed_call([&](const char* name, const auto& calls) {
    SCOPED_TRACE(name);
    using Call = std::remove_cvref_t<decltype(calls)>;
    using A = typename Call::a_type;
    using Y = typename Call::y_type;
    using S = typename Call::scalar;
    const std::vector<A> a = elements<A>(matrix), x = elements<A>({1, 2, 2, 1});
    const S one = scalar<S>(1), zero = scalar<S>(0);
    std::vector<Y> y(6);
    // Two 1 x 2 products from the first and the second row, of lda 3.
    ASSERT_EQ(calls.strided(handle, ONEPASS_OP_N, 1, 2, &one, a.data(), 3, 1, x.data(), 1, 2, &zero, y.data(), 1, 1, 2),
              0)
        << onepassLastErrorMessage();
    expect_products(y, {9, 9});
  });
}

TEST_P(TypedCalls, PointerBatch) {
  each_typed_call([&](const char* name, const auto& calls) {
    SCOPED_TRACE(name);
    using Call = std::remove_cvref_t<decltype(calls)>;
    using A = typename Call::a_type;
    using Y = typename Call::y_type;
    using S = typename Call::scalar;
    const std::vector<A> a = elements<A>(matrix), x = elements<A>({1, 2, 2, 1});
    const S one = scalar<S>(1), zero = scalar<S>(0);
    std::vector<Y> y(2);
    const A* as[] = {a.data() + 1, a.data()};
    const A* xs[] = {x.data() + 2, x.data()};
    Y* ys[] = {y.data() + 1, y.data()};
    ASSERT_EQ(calls.pointers(handle, ONEPASS_OP_N, 1, 2, &one, as, 3, xs, 1, &zero, ys, 1, 2), 0)
        << onepassLastErrorMessage();
    expect_products(y, {9, 9});
  });
}

TEST_P(TypedCalls, TheGeneralCallTakesRowMajorToo) {
  each_typed_call([&](const char* name, const auto& calls) {
    SCOPED_TRACE(name);
    using Call = std::remove_cvref_t<decltype(calls)>;
    using A = typename Call::a_type;
    using Y = typename Call::y_type;
    using S = typename Call::scalar;
    const std::vector<A> a = elements<A>({1, 4, 2, 5, 3, 6}), x = elements<A>({1, 2});
    const S one = scalar<S>(1), zero = scalar<S>(0);
    std::vector<Y> y(3);
    onepassGemvProblem_t problem = onepassGemvProblemDefault(calls.type_a, 3, 2);
    problem.type_y = calls.type_y;
    problem.layout = ONEPASS_ROW_MAJOR;
    problem.lda = 2;
    ASSERT_EQ(onepassGemv(handle, &problem, &one, a.data(), x.data(), &zero, y.data()), 0) << onepassLastErrorMessage();
    expect_products(y, {9, 12, 15});
  });
}

TEST_P(TypedCalls, DevicePointerModeReadsScalarsWhereMatricesLive) {
  ASSERT_EQ(onepassSetPointerMode(handle, ONEPASS_POINTER_MODE_DEVICE), ONEPASS_STATUS_SUCCESS);
  const float a[] = {1, 2, 3, 4}, x[] = {1, 1}, alpha = 2, beta = 10;
  float y[] = {1, 2};
  ASSERT_EQ(onepassSgemv(handle, ONEPASS_OP_N, 2, 2, &alpha, a, 2, x, 1, &beta, y, 1), 0) << onepassLastErrorMessage();
  EXPECT_EQ(y[0], 18);
  EXPECT_EQ(y[1], 32);
}

TEST_P(TypedCalls, ALargeSplitProblemUsesTheHandlesOwnWorkspace) {
  const std::int64_t m = 3, n = 20'000;
  std::vector<float> a(static_cast<std::size_t>(m * n), 1.0f), x(static_cast<std::size_t>(n), 1.0f), y(3);
  const float one = 1, zero = 0;
  for (int again = 0; again < 3; ++again) {
    ASSERT_EQ(onepassSgemv(handle, ONEPASS_OP_N, m, n, &one, a.data(), m, x.data(), 1, &zero, y.data(), 1), 0);
    for (const float v : y) EXPECT_EQ(v, 20'000);
  }
}

}  // namespace
}  // namespace onepass_user
