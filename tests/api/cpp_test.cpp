// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C++ interface: views, typed overloads, errors as exceptions, plans.
#include <gtest/gtest.h>

#include <complex>
#include <optional>
#include <utility>

#include "api/user.hpp"
#include "onepass/onepass.hpp"

namespace onepass_user {
namespace {

using onepass::Layout;
using onepass::MatrixView;
using onepass::Op;
using onepass::Uplo;
using onepass::VectorView;

class Cpp : public OnHost {
 protected:
  void SetUp() override {
    OnHost::SetUp();
    if (!IsSkipped()) owner.emplace(GetParam());
  }
  onepass::Handle& mine() { return *owner; }

 private:
  std::optional<onepass::Handle> owner;
};
INSTANTIATE_TEST_SUITE_P(Backend, Cpp, host_backends(), host_name);

TEST_P(Cpp, HandlesKnowTheirBackendAndMove) {
  onepass::Handle moved = std::move(mine());
  EXPECT_EQ(moved.backend(), GetParam());
  moved.set_threads(1);
  moved.set_stream(nullptr);
}

template <class T>
void expect_product(onepass::Handle& handle) {
  // A device wants complex numbers on multiples of their own size.
  alignas(16) const T a[] = {T(1), T(2), T(3), T(4), T(5), T(6)};
  alignas(16) const T x[] = {T(1), T(2), T(3)};
  alignas(16) T y[] = {T(1), T(1), T(1)};
  onepass::gemv(handle, T(1), MatrixView{a, 3, 2, 3}, VectorView{x, 2}, T(2), VectorView{y, 3});
  EXPECT_EQ(y[0], T(11));
  EXPECT_EQ(y[2], T(17));
  onepass::gemv(handle, T(1), MatrixView{a, 3, 2, 3}, VectorView{x, 3}, T(0), VectorView{y, 2}, Op::T);
  EXPECT_EQ(y[0], T(14));
  EXPECT_EQ(y[1], T(32));
  onepass::gemv(handle, T(1), MatrixView{a, 2, 3, 3, Layout::row}, VectorView{x, 3}, T(0), VectorView{y, 2, -1});
  EXPECT_EQ(y[1], T(14));
  EXPECT_EQ(y[0], T(32));
}

TEST_P(Cpp, MultipliesInEveryType) {
  expect_product<float>(mine());
  expect_product<double>(mine());
  expect_product<std::complex<float>>(mine());
  expect_product<std::complex<double>>(mine());
  expect_product<onepass::DoubleDouble>(mine());
}

TEST_P(Cpp, ConjugatesForOpC) {
  using C = std::complex<double>;
  alignas(16) const C a[] = {{1, 2}, {3, 4}};
  alignas(16) const C x[] = {{1, 0}, {0, 1}};
  alignas(16) C y[1];
  onepass::gemv(mine(), C(1), MatrixView{a, 2, 1, 2}, VectorView{x, 2}, C(0), VectorView{y, 1}, Op::C);
  EXPECT_EQ(y[0], C(5, 1));
}

TEST_P(Cpp, TakesHalfTypesWithEitherResult) {
  const auto a = elements<onepassHalf_t>({1, 2, 3, 4}), x = elements<onepassHalf_t>({1, 1});
  float wide[2];
  onepassHalf_t same_type[2];
  onepass::gemv(mine(), 1.0f, MatrixView{a.data(), 2, 2, 2}, VectorView{x.data(), 2}, 0.0f, VectorView{wide, 2});
  onepass::gemv(mine(), 1.0f, MatrixView{a.data(), 2, 2, 2}, VectorView{x.data(), 2}, 0.0f, VectorView{same_type, 2});
  EXPECT_EQ(wide[0], 4);
  EXPECT_EQ(wide[1], 6);
  EXPECT_TRUE(same(same_type[1], element<onepassHalf_t>(6)));

  const auto b = elements<onepassBfloat16_t>({1, 2, 3, 4});
  onepass::gemv(mine(), 1.0f, MatrixView{b.data(), 2, 2, 2}, VectorView{b.data(), 2}, 0.0f, VectorView{wide, 2});
  EXPECT_EQ(wide[0], 7);
  EXPECT_EQ(wide[1], 10);
}

TEST_P(Cpp, TakesStridedBatches) {
  const float a[] = {2, 3}, x[] = {10, 100};
  float y[2] = {};
  onepass::gemv(mine(), 1.0f, MatrixView{a, 1, 1, 1}, VectorView{x, 1}, 0.0f, VectorView{y, 1}, Op::N,
                {.count = 2, .stride_a = 1, .stride_x = 1, .stride_y = 1});
  EXPECT_EQ(y[0], 20);
  EXPECT_EQ(y[1], 300);
}

class CppSymv : public Cpp {};
INSTANTIATE_TEST_SUITE_P(Backend, CppSymv, host_backends(), host_name);

TEST_P(CppSymv, MultipliesWithOneTriangle) {
  const double a[] = {1, 2, 99, 4}, x[] = {1, 10};
  double y[] = {1, 1};
  onepass::symv(mine(), Uplo::lower, 1.0, MatrixView{a, 2, 2, 2}, VectorView{x, 2}, 2.0, VectorView{y, 2});
  EXPECT_EQ(y[0], 23);
  EXPECT_EQ(y[1], 44);
  onepass::symv(mine(), Uplo::upper, 1.0, MatrixView{a, 2, 2, 2, Layout::row}, VectorView{x, 2}, 0.0,
                VectorView{y, 2, -1});
  EXPECT_EQ(y[1], 21);
  EXPECT_EQ(y[0], 42);
}

TEST_P(CppSymv, TellsHermitianFromSymmetric) {
  using C = std::complex<float>;
  alignas(8) const C a[] = {{1, 5}, {0, 2}, {99, 99}, {4, 5}};
  alignas(8) const C x[] = {1, 1};
  alignas(8) C y[2];
  onepass::hemv(mine(), Uplo::lower, C(1), MatrixView{a, 2, 2, 2}, VectorView{x, 2}, C(0), VectorView{y, 2});
  EXPECT_EQ(y[0], C(1, -2));
  EXPECT_EQ(y[1], C(4, 2));
  onepass::symv(mine(), Uplo::lower, C(1), MatrixView{a, 2, 2, 2}, VectorView{x, 2}, C(0), VectorView{y, 2});
  EXPECT_EQ(y[0], C(1, 7));
  EXPECT_EQ(y[1], C(4, 7));
}

TEST_P(CppSymv, TakesHalfTypesBatchesAndPlans) {
  const auto a = elements<onepassHalf_t>({1, 2, 0, 4}), x = elements<onepassHalf_t>({1, 1});
  float y[4] = {};
  const MatrixView matrix{a.data(), 2, 2, 2};
  onepass::symv(mine(), Uplo::lower, 1.0f, matrix, VectorView{x.data(), 2}, 0.0f, VectorView{y, 2},
                {.count = 2, .stride_y = 2});
  EXPECT_EQ(y[0], 3);
  EXPECT_EQ(y[3], 6);
  const onepass::Plan plan(mine(),
                           onepass::symv_problem(Uplo::lower, matrix, VectorView{x.data(), 2}, VectorView{y, 2}));
  const float two = 2, zero = 0;
  plan.run(&two, a.data(), x.data(), &zero, y);
  EXPECT_EQ(y[1], 12);
}

TEST_P(CppSymv, RefusesWhatIsNotSquare) {
  const float a[6] = {}, x[3] = {};
  float y[3] = {7, 7, 7};
  EXPECT_THROW(
      onepass::symv(mine(), Uplo::lower, 1.0f, MatrixView{a, 3, 2, 3}, VectorView{x, 2}, 0.0f, VectorView{y, 3}),
      onepass::Error);
  EXPECT_THROW(
      onepass::symv(mine(), Uplo::lower, 1.0f, MatrixView{a, 2, 2, 2}, VectorView{x, 3}, 0.0f, VectorView{y, 2}),
      onepass::Error);
  EXPECT_EQ(y[0], 7);
}

class CppGer : public Cpp {};
INSTANTIATE_TEST_SUITE_P(Backend, CppGer, host_backends(), host_name);

TEST_P(CppGer, UpdatesInPlace) {
  const double x[] = {1, 2}, y[] = {10, 100, 1000};
  double columns[] = {1, 1, 1, 1, 1, 1}, rows[] = {1, 1, 1, 1, 1, 1};
  onepass::ger(mine(), 2.0, VectorView{x, 2}, VectorView{y, 3}, MatrixView{columns, 2, 3, 2});
  onepass::ger(mine(), 2.0, VectorView{x, 2, -1}, VectorView{y, 3}, MatrixView{rows, 2, 3, 3, Layout::row});
  EXPECT_EQ(columns[5], 4001);
  EXPECT_EQ(columns[1], 41);
  EXPECT_EQ(rows[2], 4001);
  EXPECT_EQ(rows[3], 21);
}

TEST_P(CppGer, TellsConjugatesAndTakesBatchesAndPlans) {
  using C = std::complex<double>;
  alignas(16) const C x[] = {{0, 1}};
  alignas(16) const C y[] = {{2, 3}};
  alignas(16) C a[2] = {};
  const MatrixView matrix{a, 1, 1, 1};
  onepass::ger(mine(), C(1), VectorView{x, 1}, VectorView{y, 1}, matrix, {.count = 2, .stride_a = 1});
  EXPECT_EQ(a[0], C(-3, 2));
  EXPECT_EQ(a[1], C(-3, 2));
  onepass::gerc(mine(), C(1), VectorView{x, 1}, VectorView{y, 1}, matrix);
  EXPECT_EQ(a[0], C(0, 4));
  const onepass::Plan plan(mine(), onepass::gerc_problem(VectorView{x, 1}, VectorView{y, 1}, matrix));
  const C minus = -1;
  plan.update(&minus, x, y, a);
  EXPECT_EQ(a[0], C(-3, 2));
}

TEST_P(CppGer, RefusesVectorsOfOtherLengths) {
  const float x[3] = {}, y[3] = {};
  float a[6] = {};
  EXPECT_THROW(onepass::ger(mine(), 1.0f, VectorView{x, 3}, VectorView{y, 3}, MatrixView{a, 2, 3, 2}), onepass::Error);
  EXPECT_THROW(onepass::ger(mine(), 1.0f, VectorView{x, 2}, VectorView{y, 2}, MatrixView{a, 2, 3, 2}), onepass::Error);
}

TEST_P(Cpp, ThrowsWithStatusAndText) {
  const float a[6] = {}, x[2] = {};
  float y[3] = {7, 7, 7};
  try {
    onepass::gemv(mine(), 1.0f, MatrixView{a, 3, 2, 1}, VectorView{x, 2}, 0.0f, VectorView{y, 3});
    FAIL() << "lda = 1 was accepted";
  } catch (const onepass::Error& e) {
    EXPECT_EQ(e.status(), ONEPASS_STATUS_INVALID_LD);
    EXPECT_NE(std::string(e.what()).find("lda = 1"), std::string::npos) << e.what();
  }
  EXPECT_THROW(onepass::gemv(mine(), 1.0f, MatrixView{a, 3, 2, 3}, VectorView{x, 1}, 0.0f, VectorView{y, 3}),
               onepass::Error);
  EXPECT_THROW(onepass::gemv(mine(), 1.0f, MatrixView{a, 3, 2, 3}, VectorView{x, 2}, 0.0f, VectorView{y, 2}),
               onepass::Error);
  EXPECT_EQ(y[0], 7);
}

TEST(CppHandle, OfAnUnknownBackendThrows) {
  try {
    onepass::Handle handle("abacus");
    FAIL() << "there is no such backend";
  } catch (const onepass::Error& e) {
    EXPECT_EQ(e.status(), ONEPASS_STATUS_BACKEND_UNAVAILABLE);
    EXPECT_NE(std::string(e.what()).find("abacus"), std::string::npos);
  }
}

TEST_P(Cpp, PlansRunPrintExplainSaveAndLoad) {
  const std::vector<float> a(3 * 20'000, 1.0f), x(20'000, 1.0f);
  float y[3] = {};
  const float one = 1, zero = 0;
  const onepassGemvProblem_t problem =
      onepass::gemv_problem(MatrixView{a.data(), 3, 20'000, 3}, VectorView{x.data(), 20'000}, VectorView{y, 3});
  const onepass::Plan plan(mine(), problem);
  const onepass::Plan copy = onepass::Plan::load(mine(), plan.save());
  EXPECT_EQ(copy.print(), plan.print());
  EXPECT_EQ(copy.workspace_size(), plan.workspace_size());
  EXPECT_NE(plan.explain().find("3x20000"), std::string::npos);

  std::vector<unsigned char> memory(copy.workspace_size() + 256);
  void* workspace = memory.data() + (256 - reinterpret_cast<std::uintptr_t>(memory.data()) % 256);
  copy.prepare_workspace(workspace, copy.workspace_size());
  copy.run(&one, a.data(), x.data(), &zero, y, workspace, copy.workspace_size());
  for (const float v : y) EXPECT_EQ(v, 20'000);
  EXPECT_THROW(onepass::Plan::load(mine(), "{}"), onepass::Error);
}

}  // namespace
}  // namespace onepass_user
