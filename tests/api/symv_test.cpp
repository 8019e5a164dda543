// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// SYMV and HEMV in the C interface: every typed call in its three forms, the call that takes a problem, plans, errors.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "api/user.hpp"

namespace onepass_user {
namespace {

template <class A, class Y, class S>
struct Calls {
  using a_type = A;
  using y_type = Y;
  using scalar = S;
  onepassType_t type_a, type_y;
  bool hermitian;
  onepassStatus_t (*one)(onepassHandle_t, onepassFillMode_t, int64_t, const S*, const A*, int64_t, const A*, int64_t,
                         const S*, Y*, int64_t);
  onepassStatus_t (*strided)(onepassHandle_t, onepassFillMode_t, int64_t, const S*, const A*, int64_t, int64_t,
                             const A*, int64_t, int64_t, const S*, Y*, int64_t, int64_t, int64_t);
  onepassStatus_t (*pointers)(onepassHandle_t, onepassFillMode_t, int64_t, const S*, const A* const[], int64_t,
                              const A* const[], int64_t, const S*, Y* const[], int64_t, int64_t);
};

using C = onepassComplex_t;
using Z = onepassDoubleComplex_t;
using H = onepassHalf_t;
using B = onepassBfloat16_t;
using W = onepassDoubleDouble_t;

void each_typed_call(const auto& visit) {
  visit("s", Calls<float, float, float>{ONEPASS_TYPE_S, ONEPASS_TYPE_S, false, onepassSsymv, onepassSsymvStridedBatched,
                                        onepassSsymvBatched});
  visit("d", Calls<double, double, double>{ONEPASS_TYPE_D, ONEPASS_TYPE_D, false, onepassDsymv,
                                           onepassDsymvStridedBatched, onepassDsymvBatched});
  visit("c", Calls<C, C, C>{ONEPASS_TYPE_C, ONEPASS_TYPE_C, false, onepassCsymv, onepassCsymvStridedBatched,
                            onepassCsymvBatched});
  visit("z", Calls<Z, Z, Z>{ONEPASS_TYPE_Z, ONEPASS_TYPE_Z, false, onepassZsymv, onepassZsymvStridedBatched,
                            onepassZsymvBatched});
  visit("hsh", Calls<H, H, float>{ONEPASS_TYPE_H, ONEPASS_TYPE_H, false, onepassHSHsymv, onepassHSHsymvStridedBatched,
                                  onepassHSHsymvBatched});
  visit("hss", Calls<H, float, float>{ONEPASS_TYPE_H, ONEPASS_TYPE_S, false, onepassHSSsymv,
                                      onepassHSSsymvStridedBatched, onepassHSSsymvBatched});
  visit("tst", Calls<B, B, float>{ONEPASS_TYPE_B, ONEPASS_TYPE_B, false, onepassTSTsymv, onepassTSTsymvStridedBatched,
                                  onepassTSTsymvBatched});
  visit("tss", Calls<B, float, float>{ONEPASS_TYPE_B, ONEPASS_TYPE_S, false, onepassTSSsymv,
                                      onepassTSSsymvStridedBatched, onepassTSSsymvBatched});
  visit("w", Calls<W, W, W>{ONEPASS_TYPE_W, ONEPASS_TYPE_W, false, onepassWsymv, onepassWsymvStridedBatched,
                            onepassWsymvBatched});
  visit("chemv", Calls<C, C, C>{ONEPASS_TYPE_C, ONEPASS_TYPE_C, true, onepassChemv, onepassChemvStridedBatched,
                                onepassChemvBatched});
  visit("zhemv", Calls<Z, Z, Z>{ONEPASS_TYPE_Z, ONEPASS_TYPE_Z, true, onepassZhemv, onepassZhemvStridedBatched,
                                onepassZhemvBatched});
}

// A number as an element without an imaginary part.
template <class T>
T real(int v) {
  T e = element<T>(v);
  if constexpr (requires { e.y; }) e.y = 0;
  return e;
}

template <class T>
std::vector<T> reals(const std::vector<int>& values) {
  std::vector<T> list;
  for (const int v : values) list.push_back(real<T>(v));
  return list;
}

template <class S>
S scalar(int v) {
  if constexpr (std::is_arithmetic_v<S>)
    return static_cast<S>(v);
  else
    return real<S>(v);
}

//     | 1 2 |
// A = | 2 4 |,  A (1, 10) = (21, 42). With 2 as v - v i below the diagonal, A (1, 10) has imaginary parts -20 and -2
// if A is symmetric, and 20 and -2 if it is Hermitian.
template <class A>
std::vector<A> matrix(bool lower) {
  std::vector<A> a = reals<A>({1, 99, 99, 4});
  a[lower ? 1 : 2] = element<A>(2);
  return a;
}

template <class Y>
void expect_product(const Y* y, bool lower, bool hermitian, int times = 1) {
  Y expected[] = {real<Y>(times * 21), real<Y>(times * 42)};
  if constexpr (requires { y->y; }) {
    expected[0].y = static_cast<decltype(y->y)>(times * (hermitian && lower ? 20 : -20));
    expected[1].y = static_cast<decltype(y->y)>(times * (hermitian && !lower ? 2 : -2));
  }
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(same(y[i], expected[i])) << "y[" << i << "]";
}

class SymvCalls : public OnHost {
 protected:
  // Every typed call with both triangles; visit(calls, uplo, A, x, one, zero).
  void each(const auto& visit) {
    each_typed_call([&](const char* name, const auto& calls) {
      using Call = std::remove_cvref_t<decltype(calls)>;
      using A = typename Call::a_type;
      using S = typename Call::scalar;
      for (const bool lower : {true, false}) {
        SCOPED_TRACE(std::string(name) + (lower ? " lower" : " upper"));
        visit(calls, lower, matrix<A>(lower), reals<A>({1, 10}), scalar<S>(1), scalar<S>(0));
      }
    });
  }
  static onepassFillMode_t fill(bool lower) { return lower ? ONEPASS_FILL_MODE_LOWER : ONEPASS_FILL_MODE_UPPER; }
};
INSTANTIATE_TEST_SUITE_P(Backend, SymvCalls, host_backends(), host_name);

TEST_P(SymvCalls, OneProduct) {
  each([&](const auto& calls, bool lower, const auto& a, const auto& x, const auto& one, const auto& zero) {
    alignas(16) typename std::remove_cvref_t<decltype(calls)>::y_type y[2] = {};
    ASSERT_EQ(calls.one(handle, fill(lower), 2, &one, a.data(), 2, x.data(), 1, &zero, y, 1), 0)
        << onepassLastErrorMessage();
    expect_product(y, lower, calls.hermitian);
    ASSERT_EQ(calls.one(handle, fill(lower), 2, &one, a.data(), 2, x.data(), 1, &one, y, 1), 0);
    expect_product(y, lower, calls.hermitian, 2);
  });
}

TEST_P(SymvCalls, StridedBatch) {
  each([&](const auto& calls, bool lower, const auto& a, const auto& x, const auto& one, const auto& zero) {
    alignas(16) typename std::remove_cvref_t<decltype(calls)>::y_type y[5] = {};
    ASSERT_EQ(calls.strided(handle, fill(lower), 2, &one, a.data(), 2, 0, x.data(), 1, 0, &zero, y, 1, 3, 2), 0)
        << onepassLastErrorMessage();
    expect_product(y, lower, calls.hermitian);
    expect_product(y + 3, lower, calls.hermitian);
  });
}

TEST_P(SymvCalls, PointerBatch) {
  each([&](const auto& calls, bool lower, const auto& a, const auto& x, const auto& one, const auto& zero) {
    using Call = std::remove_cvref_t<decltype(calls)>;
    alignas(16) typename Call::y_type y[4] = {};
    const typename Call::a_type *as[] = {a.data(), a.data()}, *xs[] = {x.data(), x.data()};
    typename Call::y_type* ys[] = {y + 2, y};
    ASSERT_EQ(calls.pointers(handle, fill(lower), 2, &one, as, 2, xs, 1, &zero, ys, 1, 2), 0)
        << onepassLastErrorMessage();
    expect_product(y, lower, calls.hermitian);
    expect_product(y + 2, lower, calls.hermitian);
  });
}

TEST_P(SymvCalls, TheGeneralCallTakesRowMajorToo) {
  each([&](const auto& calls, bool lower, const auto& a, const auto& x, const auto& one, const auto& zero) {
    alignas(16) typename std::remove_cvref_t<decltype(calls)>::y_type y[2] = {};
    // The lower triangle by columns is the upper one by rows, and its elements are those above the diagonal.
    onepassSymvProblem_t problem = onepassSymvProblemDefault(calls.type_a, fill(!lower), 2);
    problem.type_y = calls.type_y;
    problem.hermitian = calls.hermitian ? 1 : 0;
    problem.layout = ONEPASS_ROW_MAJOR;
    ASSERT_EQ(onepassSymv(handle, &problem, &one, a.data(), x.data(), &zero, y), 0) << onepassLastErrorMessage();
    expect_product(y, !lower, calls.hermitian);
  });
}

// A handle remembers plans: problems that differ in the triangle or the routine alone must not share one.
TEST_P(SymvCalls, PlansOfOneHandleDoNotMix) {
  const C one{1, 0}, zero{0, 0}, a[] = {{1, 9}, {2, 1}, {3, 2}, {4, 9}}, x[] = {{1, 0}, {0, 0}};
  C y[2];
  const auto second = [&](auto call, auto form) {
    EXPECT_EQ(call(handle, form, 2, &one, a, 2, x, 1, &zero, y, 1), 0);
    return std::pair{y[1].x, y[1].y};
  };
  for (int again = 0; again < 2; ++again) {
    EXPECT_EQ(second(onepassCsymv, ONEPASS_FILL_MODE_LOWER), std::pair(2.0f, 1.0f));
    EXPECT_EQ(second(onepassCsymv, ONEPASS_FILL_MODE_UPPER), std::pair(3.0f, 2.0f));
    EXPECT_EQ(second(onepassChemv, ONEPASS_FILL_MODE_LOWER), std::pair(2.0f, 1.0f));
    EXPECT_EQ(second(onepassChemv, ONEPASS_FILL_MODE_UPPER), std::pair(3.0f, -2.0f));
    ASSERT_EQ(onepassCgemv(handle, ONEPASS_OP_N, 2, 2, &one, a, 2, x, 1, &zero, y, 1), 0);
    EXPECT_EQ(y[0].y, 9.0f);
  }
}

TEST_P(SymvCalls, PlansRunSaveAndLoad) {
  constexpr std::int64_t n = 700;
  std::vector<double> a(n * n, std::nan("")), x(n, 2.0), y(n);
  for (std::int64_t c = 0; c < n; ++c)
    for (std::int64_t r = 0; r <= c; ++r) a[static_cast<std::size_t>(r + c * n)] = 1.0;
  onepassSymvProblem_t problem = onepassSymvProblemDefault(ONEPASS_TYPE_D, ONEPASS_FILL_MODE_UPPER, n);
  ASSERT_EQ(onepassSetThreads(handle, 3), ONEPASS_STATUS_SUCCESS);
  onepassPlan_t plan = nullptr, loaded = nullptr;
  ASSERT_EQ(onepassPlanSymv(handle, &problem, &plan), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  const std::string json = text([&](char* b, size_t c, size_t* l) { return onepassPlanSave(plan, b, c, l); });
  ASSERT_EQ(onepassPlanLoad(handle, json.c_str(), &loaded), ONEPASS_STATUS_SUCCESS) << onepassLastErrorMessage();
  EXPECT_EQ(text([&](char* b, size_t c, size_t* l) { return onepassPlanSave(loaded, b, c, l); }), json);
  const std::string words = text([&](char* b, size_t c, size_t* l) { return onepassPlanExplain(loaded, b, c, l); });
  EXPECT_NE(words.find("symv d U column 700x700"), std::string::npos) << words;

  std::size_t bytes = 0;
  ASSERT_EQ(onepassPlanWorkspaceSize(loaded, &bytes), ONEPASS_STATUS_SUCCESS);
  std::vector<unsigned char> memory(bytes + 256, 0xff);
  void* workspace = memory.data() + (256 - reinterpret_cast<std::uintptr_t>(memory.data()) % 256);
  ASSERT_EQ(onepassPlanPrepareWorkspace(loaded, workspace, bytes, nullptr), ONEPASS_STATUS_SUCCESS);
  const double one = 1, zero = 0;
  for (int again = 0; again < 2; ++again) {
    ASSERT_EQ(onepassPlanRun(loaded, nullptr, workspace, bytes, &one, a.data(), x.data(), &zero, y.data()),
              ONEPASS_STATUS_SUCCESS)
        << onepassLastErrorMessage();
    EXPECT_EQ(y, std::vector<double>(n, 2.0 * n));
  }
  onepassPlanDestroy(plan);
  onepassPlanDestroy(loaded);
}

TEST_P(SymvCalls, ErrorsHaveAStatusATextAndLeaveYAlone) {
  const float one = 1, a[4] = {1, 2, 3, 4}, x[2] = {1, 1};
  float y[2] = {7, 7};
  const auto call = [&](std::int64_t n, std::int64_t lda, std::int64_t incx, const float* matrix) {
    return onepassSsymv(handle, ONEPASS_FILL_MODE_LOWER, n, &one, matrix, lda, x, incx, &one, y, 1);
  };
  EXPECT_ERROR(call(-2, 2, 1, a), ONEPASS_STATUS_INVALID_SIZE, "n = -2");
  EXPECT_ERROR(call(2, 1, 1, a), ONEPASS_STATUS_INVALID_LD, "lda = 1");
  EXPECT_ERROR(call(2, 2, 0, a), ONEPASS_STATUS_INVALID_INCREMENT, "incx = 0");
  EXPECT_ERROR(call(2, 2, 1, nullptr), ONEPASS_STATUS_INVALID_POINTER, "A is null");
  EXPECT_ERROR(onepass_uplo_from_c(handle, 2, &one, y), ONEPASS_STATUS_INVALID_ENUM, "uplo = 2");
  onepassSymvProblem_t problem = onepassSymvProblemDefault(ONEPASS_TYPE_S, ONEPASS_FILL_MODE_LOWER, 2);
  problem.hermitian = 1;
  EXPECT_ERROR(onepassSymv(handle, &problem, &one, a, x, &one, y), ONEPASS_STATUS_INVALID_TYPES, "hemv");
  EXPECT_ERROR(onepassSymv(handle, nullptr, &one, a, x, &one, y), ONEPASS_STATUS_INVALID_ARGUMENT, "problem");
  EXPECT_ERROR(onepassSymv(nullptr, &problem, &one, a, x, &one, y), ONEPASS_STATUS_NOT_INITIALIZED, "handle");
  onepassPlan_t plan = nullptr;
  EXPECT_ERROR(onepassPlanSymv(handle, &problem, &plan), ONEPASS_STATUS_INVALID_TYPES, "hemv");
  EXPECT_EQ(call(0, 1, 1, nullptr), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(y[0], 7);
  EXPECT_EQ(y[1], 7);
}

}  // namespace
}  // namespace onepass_user
