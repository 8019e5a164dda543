// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls of cuSOLVER that Onepass takes.
#include "interop/cusolver/served.hpp"

#include <cstring>
#include <type_traits>

ReferenceLapack reference_lapack;  // NOLINT: the state of the tests

namespace {

onepassStatus_t create_on_reference(onepassLapackHandle_t* handle, const char*) {
  const onepassStatus_t status = onepassLapackCreateOn(handle, "reference");
  reference_lapack.made = *handle;
  return status;
}
onepassStatus_t workspace(onepassLapackHandle_t handle, const onepassLapackProblem_t* problem, std::size_t* bytes) {
  if (reference_lapack.refusals > 0) {
    --reference_lapack.refusals;
    return ONEPASS_STATUS_EXECUTION_FAILED;
  }
  const onepassStatus_t status = onepassLapackWorkspace(handle, problem, bytes);
  *bytes += more_workspace;
  return status;
}
onepassStatus_t run(onepassLapackHandle_t handle, const onepassLapackProblem_t* problem,
                    const onepassLapackOperands_t* operands, void* work, std::size_t bytes) {
  if (reference_lapack.run != ONEPASS_STATUS_SUCCESS) return reference_lapack.run;
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(work) % 256, 0U);
  EXPECT_GE(bytes, more_workspace);
  return onepassLapackRun(handle, problem, operands, work, bytes);
}

}  // namespace

const onepass::cusolver::Lapack* onepass::cusolver::lapack() {
  static const Lapack table{create_on_reference, onepassLapackSetStream, workspace, run};
  return &table;
}

namespace {

template <class T>
bool same(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
}

TEST_F(Served, GoesToTheStreamOfTheHandle) {
  std::array<double, 4> a{2, 1, 1, 2};
  std::array<double, 2> w{};
  expect_taken(cusolverDnDsyevd(cusolver, vectors, lower, 2, a.data(), 2, w.data(), work.data(), lwork, &info));
  EXPECT_NEAR(w[0], 1, 1e-15);
  EXPECT_NEAR(w[1], 3, 1e-15);
  EXPECT_NEAR(a[2] / a[3], 1, 1e-15) << "A is overwritten by eigenvectors";
  onepassStream_t found = nullptr;
  EXPECT_EQ(onepassLapackGetStream(reference_lapack.made, &found), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(found, static_cast<onepassStream_t>(stream));
}

// The calls of a type, cuSOLVER's or Onepass's.
template <class Sytrd, class Gebrd, class Orgtr, class Orgbr, class Ormtr, class Syevd>
struct Calls {
  Sytrd sytrd;
  Gebrd gebrd;
  Orgtr orgtr;
  Orgbr orgbr;
  Ormtr ormtr;
  Syevd syevd;
};

// Every routine of a type gives what Onepass's own call gives. A and R: elements, and real ones; B: Onepass's elements.
template <class A, class R, class B>
class ServedAs : public Served {
 protected:
  void SetUp() override {
    Served::SetUp();
    ASSERT_EQ(onepassLapackCreateOn(&direct_, "reference"), ONEPASS_STATUS_SUCCESS);
  }
  void TearDown() override { onepassLapackDestroy(direct_); }

  template <class Syevdx>
  void expect_same(const auto& theirs, const Syevdx& syevdx, const auto& ours) {
    constexpr int n = 6;
    constexpr auto right = CUBLAS_SIDE_RIGHT;
    constexpr auto op = std::is_same_v<A, R> ? CUBLAS_OP_T : CUBLAS_OP_C;
    constexpr auto our_op = static_cast<onepassOperation_t>(op);
    auto* const buffer = reinterpret_cast<A*>(work.data());
    std::vector<A> a = matrix<A>(n), c = a, tau(n), taup(n), a2 = a, c2 = a, tau2(n), taup2(n);
    std::vector<R> d(n), e(n), w(n), d2(n), e2(n), w2(n);
    const auto of = [](std::vector<A>& v) { return reinterpret_cast<B*>(v.data()); };
    int meig = 0, info2 = 0;

    expect_taken(theirs.sytrd(cusolver, upper, n, a.data(), n, d.data(), e.data(), tau.data(), buffer, lwork, &info));
    ours.sytrd(direct_, ONEPASS_FILL_MODE_UPPER, n, of(a2), n, d2.data(), e2.data(), of(tau2), nullptr, 0);
    EXPECT_TRUE(same(a, a2) && same(d, d2) && same(e, e2) && same(tau, tau2)) << "sytrd";

    expect_taken(
        theirs.ormtr(cusolver, right, upper, op, n, n, a.data(), n, tau.data(), c.data(), n, buffer, lwork, &info));
    ours.ormtr(direct_, ONEPASS_SIDE_RIGHT, ONEPASS_FILL_MODE_UPPER, our_op, n, n, of(a2), n, of(tau2), of(c2), n,
               nullptr, 0);
    EXPECT_TRUE(same(c, c2)) << "ormtr";

    expect_taken(theirs.orgtr(cusolver, upper, n, a.data(), n, tau.data(), buffer, lwork, &info));
    ours.orgtr(direct_, ONEPASS_FILL_MODE_UPPER, n, of(a2), n, of(tau2), nullptr, 0);
    EXPECT_TRUE(same(a, a2)) << "orgtr";

    expect_taken(theirs.gebrd(cusolver, n, n - 2, a.data(), n, d.data(), e.data(), tau.data(), taup.data(), buffer,
                              lwork, &info));
    ours.gebrd(direct_, n, n - 2, of(a2), n, d2.data(), e2.data(), of(tau2), of(taup2), nullptr, 0);
    EXPECT_TRUE(same(a, a2) && same(d, d2) && same(e, e2) && same(tau, tau2) && same(taup, taup2)) << "gebrd";

    expect_taken(theirs.orgbr(cusolver, right, n - 2, n - 2, n, a.data(), n, taup.data(), buffer, lwork, &info));
    ours.orgbr(direct_, ONEPASS_VECT_P, n - 2, n - 2, n, of(a2), n, of(taup2), nullptr, 0);
    EXPECT_TRUE(same(a, a2)) << "orgbr";

    a = a2 = c = matrix<A>(n);
    expect_taken(theirs.syevd(cusolver, vectors, upper, n, a.data(), n, w.data(), buffer, lwork, &info));
    ours.syevd(direct_, ONEPASS_JOB_VECTORS, ONEPASS_FILL_MODE_UPPER, n, of(a2), n, w2.data(), nullptr, 0, &info2);
    EXPECT_TRUE(same(a, a2) && same(w, w2)) << "syevd";
    expect_taken(
        syevdx(cusolver, vectors, all, upper, n, c.data(), n, 0, 0, 0, 0, &meig, w.data(), buffer, lwork, &info));
    EXPECT_TRUE(same(c, a2) && same(w, w2)) << "syevdx";
    EXPECT_EQ(meig, n);
  }

 private:
  onepassLapackHandle_t direct_ = nullptr;
};

using ServedS = ServedAs<float, float, float>;
TEST_F(ServedS, IsWhatOnepassDoes) {
  expect_same(
      Calls{cusolverDnSsytrd, cusolverDnSgebrd, cusolverDnSorgtr, cusolverDnSorgbr, cusolverDnSormtr, cusolverDnSsyevd},
      cusolverDnSsyevdx,
      Calls{onepassSsytrd, onepassSgebrd, onepassSorgtr, onepassSorgbr, onepassSormtr, onepassSsyevd});
}
using ServedD = ServedAs<double, double, double>;
TEST_F(ServedD, IsWhatOnepassDoes) {
  expect_same(
      Calls{cusolverDnDsytrd, cusolverDnDgebrd, cusolverDnDorgtr, cusolverDnDorgbr, cusolverDnDormtr, cusolverDnDsyevd},
      cusolverDnDsyevdx,
      Calls{onepassDsytrd, onepassDgebrd, onepassDorgtr, onepassDorgbr, onepassDormtr, onepassDsyevd});
}
using ServedC = ServedAs<cuComplex, float, onepassComplex_t>;
TEST_F(ServedC, IsWhatOnepassDoes) {
  expect_same(
      Calls{cusolverDnChetrd, cusolverDnCgebrd, cusolverDnCungtr, cusolverDnCungbr, cusolverDnCunmtr, cusolverDnCheevd},
      cusolverDnCheevdx,
      Calls{onepassChetrd, onepassCgebrd, onepassCungtr, onepassCungbr, onepassCunmtr, onepassCheevd});
}
using ServedZ = ServedAs<cuDoubleComplex, double, onepassDoubleComplex_t>;
TEST_F(ServedZ, IsWhatOnepassDoes) {
  expect_same(
      Calls{cusolverDnZhetrd, cusolverDnZgebrd, cusolverDnZungtr, cusolverDnZungbr, cusolverDnZunmtr, cusolverDnZheevd},
      cusolverDnZheevdx,
      Calls{onepassZhetrd, onepassZgebrd, onepassZungtr, onepassZungbr, onepassZunmtr, onepassZheevd});
}

TEST_F(Served, TakesEigenvaluesByIndex) {
  std::vector<double> full = matrix<double>(5), some = full, w(5), of_some(5);
  int meig = 0;
  std::int64_t meig64 = 0;
  expect_taken(cusolverDnDsyevd(cusolver, values, lower, 5, full.data(), 5, w.data(), work.data(), lwork, &info));
  expect_taken(cusolverDnDsyevdx(cusolver, vectors, CUSOLVER_EIG_RANGE_I, lower, 5, some.data(), 5, 0, 0, 2, 4, &meig,
                                 of_some.data(), work.data(), lwork, &info));
  EXPECT_EQ(meig, 3);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(of_some[i], w[i + 1], 1e-13);
  some = matrix<double>(5);
  expect_taken(cusolverDnXsyevdx(cusolver, params, values, CUSOLVER_EIG_RANGE_I, lower, 5, CUDA_R_64F, some.data(), 5,
                                 nullptr, nullptr, 5, 5, &meig64, CUDA_R_64F, of_some.data(), CUDA_R_64F, work.data(),
                                 1 << 16, nullptr, 0, &info));
  EXPECT_EQ(meig64, 1);
  EXPECT_NEAR(of_some[0], w[4], 1e-13);
}

TEST_F(Served, TakesTypesAsArguments) {
  for (const bool range : {false, true}) {
    auto a = matrix<cuComplex>(4);
    std::array<float, 4> w{};
    std::int64_t meig = 0;
    expect_taken(range ? cusolverDnXsyevdx(cusolver, params, values, all, lower, 4, CUDA_C_32F, a.data(), 4, nullptr,
                                           nullptr, 0, 0, &meig, CUDA_R_32F, w.data(), CUDA_C_32F, work.data(), 1 << 16,
                                           nullptr, 0, &info)
                       : cusolverDnXsyevd(cusolver, params, values, lower, 4, CUDA_C_32F, a.data(), 4, CUDA_R_32F,
                                          w.data(), CUDA_C_32F, work.data(), 1 << 16, nullptr, 0, &info));
    EXPECT_EQ(meig, range ? 4 : 0);
    EXPECT_GT(w[3], w[0]);
  }
}

}  // namespace
