// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors as head and tail, in C and C++: every typed call, the calls that take a problem, and what they refuse.
#include <gtest/gtest.h>

#include <complex>
#include <limits>
#include <vector>

#include "api/user.hpp"
#include "onepass/onepass.hpp"

namespace onepass_user {
namespace {

template <class T>
T of_real(double v) {
  if constexpr (requires(T e) { e.y; })
    return {static_cast<decltype(T::x)>(v), 0};
  else
    return static_cast<T>(v);
}
template <class T>
std::vector<T> of_reals(std::initializer_list<double> values) {
  std::vector<T> list;
  for (const double v : values) list.push_back(of_real<T>(v));
  return list;
}
template <class T>
double real_part(T v) {
  if constexpr (requires { v.y; })
    return static_cast<double>(v.x);
  else
    return static_cast<double>(v);
}

// |  1 -1 | | 1 + e |   |   e   |
// | -1  3 | |   1   | = | 2 - e |     with an e far below the last digit of 1
template <class T>
struct Numbers {
  static constexpr double e =
      (sizeof(T) == (requires(T v) { v.y; } ? 8 : 4) ? static_cast<double>(std::numeric_limits<float>::epsilon())
                                                     : std::numeric_limits<double>::epsilon()) /
      8;
  std::vector<T> a = of_reals<T>({1, -1, -1, 3}), x = of_reals<T>({1, 1}), x_tail = of_reals<T>({e, 0}),
                 y = of_reals<T>({5, 5}), y_tail = of_reals<T>({5, 5});
  T one = of_real<T>(1), zero = of_real<T>(0);

  void expect_result(const char* what) {
    EXPECT_EQ(real_part(y[0]), e) << what;
    EXPECT_EQ(real_part(y_tail[0]), 0) << what;
    EXPECT_EQ(real_part(y[1]), 2) << what;
    EXPECT_EQ(real_part(y_tail[1]), -e) << what;
  }
};

class WithTails : public OnHost {
 protected:
  template <class T>
  void expect_gemv(const char* what,
                   onepassStatus_t (*call)(onepassHandle_t, onepassOperation_t, int64_t, int64_t, const T*, const T*,
                                           int64_t, const T*, const T*, int64_t, const T*, T*, T*, int64_t)) {
    for (const onepassOperation_t op : {ONEPASS_OP_N, ONEPASS_OP_T, ONEPASS_OP_C}) {
      Numbers<T> k;
      EXPECT_EQ(call(handle, op, 2, 2, &k.one, k.a.data(), 2, k.x.data(), k.x_tail.data(), 1, &k.zero, k.y.data(),
                     k.y_tail.data(), 1),
                ONEPASS_STATUS_SUCCESS)
          << onepassLastErrorMessage();
      k.expect_result(what);
      // y + y_tail is part of the sum, and alone it is rounded once.
      const T minus = of_real<T>(-1);
      EXPECT_EQ(call(handle, op, 2, 2, &minus, k.a.data(), 2, k.x.data(), k.x_tail.data(), 1, &k.one, k.y.data(),
                     k.y_tail.data(), 1),
                ONEPASS_STATUS_SUCCESS);
      EXPECT_EQ(real_part(k.y[1]), 0) << what;
      EXPECT_EQ(real_part(k.y_tail[1]), 0) << what;
      EXPECT_EQ(call(handle, op, 2, 2, &k.one, k.a.data(), 2, k.x.data(), k.x_tail.data(), 1, &k.zero, k.y.data(),
                     nullptr, 1),
                ONEPASS_STATUS_SUCCESS);
      EXPECT_EQ(real_part(k.y[0]), Numbers<T>::e) << what;
      EXPECT_EQ(real_part(k.y[1]), 2) << what;
    }
  }
  template <class T>
  void expect_symv(const char* what,
                   onepassStatus_t (*call)(onepassHandle_t, onepassFillMode_t, int64_t, const T*, const T*, int64_t,
                                           const T*, const T*, int64_t, const T*, T*, T*, int64_t)) {
    for (const onepassFillMode_t uplo : {ONEPASS_FILL_MODE_LOWER, ONEPASS_FILL_MODE_UPPER}) {
      Numbers<T> k;
      EXPECT_EQ(call(handle, uplo, 2, &k.one, k.a.data(), 2, k.x.data(), k.x_tail.data(), 1, &k.zero, k.y.data(),
                     k.y_tail.data(), 1),
                ONEPASS_STATUS_SUCCESS)
          << onepassLastErrorMessage();
      k.expect_result(what);
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Backend, WithTails, host_backends(), host_name);

TEST_P(WithTails, EveryTypedCallCountsThem) {
  expect_gemv("s", onepassSgemv2);
  expect_gemv("d", onepassDgemv2);
  expect_gemv("c", onepassCgemv2);
  expect_gemv("z", onepassZgemv2);
  expect_symv("s", onepassSsymv2);
  expect_symv("d", onepassDsymv2);
  expect_symv("c", onepassCsymv2);
  expect_symv("z", onepassZsymv2);
  expect_symv("chemv", onepassChemv2);
  expect_symv("zhemv", onepassZhemv2);
}

TEST_P(WithTails, CppCallsCountThem) {
  onepass::Handle mine(GetParam());
  Numbers<double> k;
  const onepass::MatrixView<const double> a{k.a.data(), 2, 2, 2};
  const onepass::VectorView x{k.x.data(), 2}, y{k.y.data(), 2};
  onepass::gemv2(mine, 1.0, a, x, 0.0, y, {k.x_tail.data(), k.y_tail.data()});
  k.expect_result("gemv2");
  k.y = k.y_tail = {5, 5};
  onepass::symv2(mine, onepass::Uplo::upper, 1.0, a, x, 0.0, y, {k.x_tail.data(), k.y_tail.data()});
  k.expect_result("symv2");
}

TEST_P(WithTails, WhatIsWrongHasAText) {
  Numbers<double> k;
  const auto call = [&](onepassGemvProblem_t p, const void* x_tail, void* y, void* y_tail) {
    return onepassGemv2(handle, &p, &k.one, k.a.data(), k.x.data(), x_tail, &k.one, y, y_tail);
  };
  const onepassGemvProblem_t good = onepassGemvProblemDefault(ONEPASS_TYPE_D, 2, 2);
  const auto spoiled = [&](auto spoil) {
    onepassGemvProblem_t p = good;
    spoil(p);
    return call(p, k.x_tail.data(), k.y.data(), k.y_tail.data());
  };
  EXPECT_ERROR(call(good, nullptr, k.y.data(), nullptr), ONEPASS_STATUS_INVALID_POINTER, "the tail of x is null");
  EXPECT_ERROR(call(good, k.x_tail.data(), k.x_tail.data(), nullptr), ONEPASS_STATUS_INVALID_POINTER,
               "y shares elements with the tail of x");
  EXPECT_ERROR(call(good, k.x_tail.data(), k.y.data(), k.y.data() + 1), ONEPASS_STATUS_INVALID_POINTER,
               "the tail of y shares elements with y");
  EXPECT_ERROR(call(good, k.x_tail.data(), k.y.data(), k.x.data()), ONEPASS_STATUS_INVALID_POINTER,
               "the tail of y shares elements with x");
  EXPECT_ERROR(spoiled([](auto& p) { p.batch = 2; }), ONEPASS_STATUS_INVALID_BATCH, "batch = 2");
  EXPECT_ERROR(spoiled([](auto& p) { p.pointer_array = 1; }), ONEPASS_STATUS_INVALID_BATCH, "single products");
  EXPECT_ERROR(spoiled([](auto& p) { p.type_a = p.type_x = p.type_y = ONEPASS_TYPE_H; }), ONEPASS_STATUS_INVALID_TYPES,
               "x as head and tail is for s, d, c and z");
  EXPECT_EQ(real_part(k.y[0]), 5);
  EXPECT_EQ(real_part(k.y_tail[0]), 5);
}

}  // namespace
}  // namespace onepass_user
