// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Rank-1 updates in the C interface: every typed call in its three forms, the call that takes a problem, plans, errors.
#include <gtest/gtest.h>

#include "api/user.hpp"

namespace onepass_user {
namespace {

template <class T>
struct Calls {
  using type = T;
  onepassType_t name;
  bool conjugate;
  onepassStatus_t (*one)(onepassHandle_t, int64_t, int64_t, const T*, const T*, int64_t, const T*, int64_t, T*,
                         int64_t);
  onepassStatus_t (*strided)(onepassHandle_t, int64_t, int64_t, const T*, const T*, int64_t, int64_t, const T*, int64_t,
                             int64_t, T*, int64_t, int64_t, int64_t);
  onepassStatus_t (*pointers)(onepassHandle_t, int64_t, int64_t, const T*, const T* const[], int64_t, const T* const[],
                              int64_t, T* const[], int64_t, int64_t);
};

void each_typed_call(const auto& visit) {
  using C = onepassComplex_t;
  using Z = onepassDoubleComplex_t;
  visit("s", Calls<float>{ONEPASS_TYPE_S, false, onepassSger, onepassSgerStridedBatched, onepassSgerBatched});
  visit("d", Calls<double>{ONEPASS_TYPE_D, false, onepassDger, onepassDgerStridedBatched, onepassDgerBatched});
  visit("cu", Calls<C>{ONEPASS_TYPE_C, false, onepassCgeru, onepassCgeruStridedBatched, onepassCgeruBatched});
  visit("cc", Calls<C>{ONEPASS_TYPE_C, true, onepassCgerc, onepassCgercStridedBatched, onepassCgercBatched});
  visit("zu", Calls<Z>{ONEPASS_TYPE_Z, false, onepassZgeru, onepassZgeruStridedBatched, onepassZgeruBatched});
  visit("zc", Calls<Z>{ONEPASS_TYPE_Z, true, onepassZgerc, onepassZgercStridedBatched, onepassZgercBatched});
}

// A number without an imaginary part.
template <class T>
T real(int v) {
  T e = element<T>(v);
  if constexpr (requires { e.y; }) e.y = 0;
  return e;
}

template <class T>
std::vector<T> zeros(std::size_t count) {
  return std::vector<T>(count, real<T>(0));
}

// x = (1, 2, 3) and y = (10, 100) without imaginary parts but for y(1), which is 100 - 100 i in complex types: the
// conjugate of it shows in the second column.
template <class T>
std::vector<T> x_of() {
  return {real<T>(1), real<T>(2), real<T>(3)};
}
template <class T>
std::vector<T> y_of() {
  return {real<T>(10), element<T>(100)};
}

// `times` x y^T at the three rows and two columns of `a`.
template <class T>
void expect_update(const T* a, std::int64_t row_step, std::int64_t column_step, bool conjugate, int times = 1) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 2; ++j) {
      T expected = j == 0 ? real<T>(times * (i + 1) * 10) : element<T>(times * (i + 1) * 100);
      if constexpr (requires { expected.y; })
        if (conjugate && j == 1) expected.y = -expected.y;
      EXPECT_EQ(0, std::memcmp(&a[i * row_step + j * column_step], &expected, sizeof(T)))
          << "A(" << i << ", " << j << ")";
    }
}

class GerCalls : public OnHost {
 protected:
  // visit(calls, x, y, alpha = 1) for every typed call.
  void each(const auto& visit) {
    each_typed_call([&](const char* name, const auto& calls) {
      using T = typename std::remove_cvref_t<decltype(calls)>::type;
      SCOPED_TRACE(name);
      visit(calls, x_of<T>(), y_of<T>(), real<T>(1));
    });
  }
};
INSTANTIATE_TEST_SUITE_P(Backend, GerCalls, host_backends(), host_name);

TEST_P(GerCalls, OneUpdateAfterAnother) {
  each([&](const auto& calls, const auto& x, const auto& y, auto one) {
    auto a = zeros<decltype(one)>(8);
    a[3] = real<decltype(one)>(77);  // between the columns
    for (int times = 1; times <= 2; ++times) {
      ASSERT_EQ(calls.one(handle, 3, 2, &one, x.data(), 1, y.data(), 1, a.data(), 4), 0) << onepassLastErrorMessage();
      expect_update(a.data(), 1, 4, calls.conjugate, times);
    }
    EXPECT_TRUE(same(a[3], real<decltype(one)>(77)));
  });
}

TEST_P(GerCalls, StridedBatch) {
  each([&](const auto& calls, const auto& x, const auto& y, auto one) {
    auto a = zeros<decltype(one)>(13);
    ASSERT_EQ(calls.strided(handle, 3, 2, &one, x.data(), 1, 0, y.data(), 1, 0, a.data(), 3, 7, 2), 0)
        << onepassLastErrorMessage();
    expect_update(a.data(), 1, 3, calls.conjugate);
    expect_update(a.data() + 7, 1, 3, calls.conjugate);
    EXPECT_ERROR(calls.strided(handle, 3, 2, &one, x.data(), 1, 0, y.data(), 1, 0, a.data(), 3, 0, 2),
                 ONEPASS_STATUS_INVALID_ARGUMENT, "stride_a = 0");
  });
}

TEST_P(GerCalls, PointerBatch) {
  each([&](const auto& calls, const auto& x, const auto& y, auto one) {
    using T = decltype(one);
    auto a = zeros<T>(12);
    const T *xs[] = {x.data(), x.data()}, *ys[] = {y.data(), y.data()};
    T* as[] = {a.data() + 6, a.data()};
    ASSERT_EQ(calls.pointers(handle, 3, 2, &one, xs, 1, ys, 1, as, 3, 2), 0) << onepassLastErrorMessage();
    expect_update(a.data(), 1, 3, calls.conjugate);
    expect_update(a.data() + 6, 1, 3, calls.conjugate);
  });
}

TEST_P(GerCalls, TheGeneralCallTakesRowMajorToo) {
  each([&](const auto& calls, const auto& x, const auto& y, auto one) {
    auto a = zeros<decltype(one)>(9);
    onepassGerProblem_t problem = onepassGerProblemDefault(calls.name, 3, 2);
    problem.conjugate = calls.conjugate ? 1 : 0;
    problem.layout = ONEPASS_ROW_MAJOR;
    problem.lda = 3;
    ASSERT_EQ(onepassGer(handle, &problem, &one, x.data(), y.data(), a.data()), 0) << onepassLastErrorMessage();
    expect_update(a.data(), 3, 1, calls.conjugate);
  });
}

// ger and gerc of one shape must not share a plan.
TEST_P(GerCalls, PlansOfOneHandleDoNotMix) {
  using C = onepassComplex_t;
  const std::vector<C> x = x_of<C>(), y = y_of<C>();
  const C one = real<C>(1);
  for (int again = 0; again < 2; ++again)
    each_typed_call([&](const char*, const auto& calls) {
      if constexpr (std::is_same_v<typename std::remove_cvref_t<decltype(calls)>::type, C>) {
        auto a = zeros<C>(6);
        ASSERT_EQ(calls.one(handle, 3, 2, &one, x.data(), 1, y.data(), 1, a.data(), 3), 0);
        expect_update(a.data(), 1, 3, calls.conjugate);
      }
    });
}

TEST_P(GerCalls, PlansRunSaveAndLoad) {
  constexpr std::int64_t m = 301, n = 203;
  for (const std::int64_t lda : {m, m + 1}) {
    onepassGerProblem_t problem = onepassGerProblemDefault(ONEPASS_TYPE_D, m, n);
    problem.lda = lda;
    ASSERT_EQ(onepassSetThreads(handle, 3), ONEPASS_STATUS_SUCCESS);
    onepassPlan_t plan = nullptr, loaded = nullptr;
    ASSERT_EQ(onepassPlanGer(handle, &problem, &plan), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
    const std::string json = text([&](char* b, size_t c, size_t* l) { return onepassPlanSave(plan, b, c, l); });
    ASSERT_EQ(onepassPlanLoad(handle, json.c_str(), &loaded), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
    EXPECT_EQ(text([&](char* b, size_t c, size_t* l) { return onepassPlanSave(loaded, b, c, l); }), json);
    const std::string words = text([&](char* b, size_t c, size_t* l) { return onepassPlanExplain(loaded, b, c, l); });
    EXPECT_NE(words.find("ger d column 301x203"), std::string::npos) << words;
    std::size_t bytes = 1;
    ASSERT_EQ(onepassPlanWorkspaceSize(loaded, &bytes), ONEPASS_STATUS_SUCCESS);
    EXPECT_EQ(bytes, 0u);

    std::vector<double> a(static_cast<std::size_t>(lda * n), 1.0), x(m, 2.0), y(n, 3.0), expected = a;
    for (std::int64_t c = 0; c < n; ++c)
      for (std::int64_t r = 0; r < m; ++r) expected[static_cast<std::size_t>(r + c * lda)] = 1 + 5 * 2 * 3;
    const double alpha = 5;
    ASSERT_EQ(onepassPlanRun(loaded, nullptr, nullptr, 0, &alpha, a.data(), x.data(), nullptr, y.data()),
              ONEPASS_STATUS_SUCCESS)
        << onepassLastErrorMessage();
    EXPECT_EQ(a, expected);
    onepassPlanDestroy(plan);
    onepassPlanDestroy(loaded);
  }
}

TEST_P(GerCalls, ErrorsNameTheirArgumentAndLeaveAAlone) {
  const float one = 1, zero = 0, x[2] = {1, 1}, y[2] = {1, 1};
  float a[4] = {7, 7, 7, 7};
  const auto call = [&](std::int64_t m, std::int64_t n, std::int64_t incx, std::int64_t incy, std::int64_t lda) {
    return onepassSger(handle, m, n, &one, x, incx, y, incy, a, lda);
  };
  EXPECT_ERROR(call(-2, 2, 1, 1, 2), ONEPASS_STATUS_INVALID_SIZE, "m = -2");
  EXPECT_ERROR(call(2, -2, 1, 1, 2), ONEPASS_STATUS_INVALID_SIZE, "n = -2");
  EXPECT_ERROR(call(2, 2, 0, 1, 2), ONEPASS_STATUS_INVALID_INCREMENT, "incx = 0");
  EXPECT_ERROR(call(2, 2, 1, 0, 2), ONEPASS_STATUS_INVALID_INCREMENT, "incy = 0");
  EXPECT_ERROR(call(2, 2, 1, 1, 1), ONEPASS_STATUS_INVALID_LD, "lda = 1");
  EXPECT_ERROR(onepassSger(handle, 2, 2, nullptr, x, 1, y, 1, a, 2), ONEPASS_STATUS_INVALID_POINTER, "alpha is null");
  EXPECT_ERROR(onepassSger(handle, 2, 2, &one, nullptr, 1, y, 1, a, 2), ONEPASS_STATUS_INVALID_POINTER, "x is null");
  EXPECT_ERROR(onepassSger(handle, 2, 2, &one, x, 1, nullptr, 1, a, 2), ONEPASS_STATUS_INVALID_POINTER, "y is null");
  EXPECT_ERROR(onepassSger(handle, 2, 2, &one, x, 1, y, 1, nullptr, 2), ONEPASS_STATUS_INVALID_POINTER, "A is null");
  EXPECT_ERROR(onepassSger(handle, 2, 2, &one, a + 2, 1, y, 1, a, 2), ONEPASS_STATUS_INVALID_POINTER,
               "x must not overlap A");
  EXPECT_ERROR(onepassSger(handle, 2, 2, &one, x, 1, a, 1, a, 2), ONEPASS_STATUS_INVALID_POINTER,
               "y must not overlap A");
  onepassGerProblem_t problem = onepassGerProblemDefault(ONEPASS_TYPE_S, 2, 2);
  problem.conjugate = 1;
  EXPECT_ERROR(onepassGer(handle, &problem, &one, x, y, a), ONEPASS_STATUS_INVALID_TYPES, "gerc");
  problem = onepassGerProblemDefault(ONEPASS_TYPE_H, 2, 2);
  EXPECT_ERROR(onepassGer(handle, &problem, &one, x, y, a), ONEPASS_STATUS_INVALID_TYPES, "types h");
  EXPECT_ERROR(onepassGer(handle, nullptr, &one, x, y, a), ONEPASS_STATUS_INVALID_ARGUMENT, "problem");
  EXPECT_ERROR(onepassGer(nullptr, &problem, &one, x, y, a), ONEPASS_STATUS_NOT_INITIALIZED, "handle");
  onepassPlan_t plan = nullptr;
  EXPECT_ERROR(onepassPlanGer(handle, &problem, &plan), ONEPASS_STATUS_INVALID_TYPES, "types h");
  // What has nothing to do asks for no operands.
  EXPECT_EQ(onepassSger(handle, 0, 2, nullptr, nullptr, 1, nullptr, 1, nullptr, 1), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(onepassSger(handle, 2, 2, &zero, nullptr, 1, nullptr, 1, nullptr, 2), ONEPASS_STATUS_SUCCESS);
  for (const float v : a) EXPECT_EQ(v, 7);
}

}  // namespace
}  // namespace onepass_user
