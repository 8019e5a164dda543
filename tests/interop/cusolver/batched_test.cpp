// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many eigenproblems and singular value decompositions of cuSOLVER in one call: which are taken, with which workspace,
// and which are passed on.
#include "interop/cusolver/served.hpp"

namespace {

auto* const jacobi_params = reinterpret_cast<syevjInfo_t>(0x40);
auto* const svd_params = reinterpret_cast<gesvdjInfo_t>(0x48);

class ServedBatch : public Served {
 protected:
  static constexpr int count = 3, order = 2;
  std::array<int, count> infos{77, 77, 77};
  void expect_all_taken(cusolverStatus_t status) {
    info = infos[0];
    expect_taken(status);
    EXPECT_EQ(infos, (std::array<int, count>{}));
  }
};

// (2 1; 1 2), then twice and three times it: eigenvalues 1 and 3 times that.
template <class T>
std::vector<T> matrices() {
  std::vector<T> a;
  for (const double factor : {1., 2., 3.})
    for (const double x : {2., 1., 1., 2.}) a.push_back(element<T>(factor * x));
  return a;
}

TEST_F(ServedBatch, HasEachType) {
  const auto solve_in = [&]<class T, class R>(T*, R*, const auto& solve) {
    std::vector<T> a = matrices<T>();
    std::vector<R> w(count * order);
    infos = {77, 77, 77};
    expect_all_taken(solve(cusolver, vectors, lower, order, a.data(), order, w.data(),
                           reinterpret_cast<T*>(work.data()), lwork, infos.data(), jacobi_params, count));
    for (int i = 0; i < count; ++i) {
      EXPECT_NEAR(static_cast<double>(w[static_cast<std::size_t>(order * i)]), i + 1, 1e-5);
      EXPECT_NEAR(static_cast<double>(w[static_cast<std::size_t>(order * i + 1)]), 3 * (i + 1), 1e-5);
    }
  };
  solve_in(static_cast<float*>(nullptr), static_cast<float*>(nullptr), cusolverDnSsyevjBatched);
  solve_in(static_cast<double*>(nullptr), static_cast<double*>(nullptr), cusolverDnDsyevjBatched);
  solve_in(static_cast<cuComplex*>(nullptr), static_cast<float*>(nullptr), cusolverDnCheevjBatched);
  solve_in(static_cast<cuDoubleComplex*>(nullptr), static_cast<double*>(nullptr), cusolverDnZheevjBatched);
}

TEST_F(ServedBatch, HasTypesAsArguments) {
  std::vector<double> a = matrices<double>(), w(count * order);
  const auto solve = [&](cudaDataType type_w, std::int64_t matrices) {
    return cusolverDnXsyevBatched(cusolver, params, vectors, lower, order, CUDA_R_64F, a.data(), order, type_w,
                                  w.data(), CUDA_R_64F, work.data(), 1 << 16, nullptr, 0, infos.data(), matrices);
  };
  expect_all_taken(solve(CUDA_R_64F, count));
  EXPECT_NEAR(w[5], 9, 1e-14);
  expect_passed_on(solve(CUDA_R_32F, count));
  expect_passed_on(solve(CUDA_R_64F, 0));
  expect_passed_on(solve(CUDA_R_64F, -1));
}

TEST_F(ServedBatch, HasSizes) {
  int elements = 0;
  EXPECT_EQ(cusolverDnDsyevjBatched_bufferSize(cusolver, vectors, lower, order, nullptr, order, nullptr, &elements,
                                               jacobi_params, count),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_GT(elements, static_cast<int>(more_workspace) / 8);
  std::size_t device = 0, host = 0;
  fake_cusolver.host_bytes = 1234;
  EXPECT_EQ(cusolverDnXsyevBatched_bufferSize(cusolver, params, vectors, lower, order, CUDA_R_64F, nullptr, order,
                                              CUDA_R_64F, nullptr, CUDA_R_64F, &device, &host, count),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_GT(device, more_workspace);
  EXPECT_EQ(host, 1234U);
}

// (0 -3; 1 0) times 1, 2 and 3, of which V is (0 1; 1 0) but for signs: not its adjoint.
TEST_F(ServedBatch, HasSingularValuesOfEachType) {
  const auto solve_in = [&]<class T, class R>(T*, R*, const auto& solve) {
    std::vector<T> a, u(count * order * order), v(count * order * order);
    for (const double factor : {1., 2., 3.})
      for (const double x : {0., 1., -3., 0.}) a.push_back(element<T>(factor * x));
    std::vector<R> s(count * order);
    infos = {77, 77, 77};
    expect_all_taken(solve(cusolver, vectors, order, order, a.data(), order, s.data(), u.data(), order, v.data(), order,
                           reinterpret_cast<T*>(work.data()), lwork, infos.data(), svd_params, count));
    for (int i = 0; i < count; ++i) {
      EXPECT_NEAR(static_cast<double>(s[static_cast<std::size_t>(order * i)]), 3 * (i + 1), 1e-5);
      EXPECT_NEAR(static_cast<double>(s[static_cast<std::size_t>(order * i + 1)]), i + 1, 1e-5);
    }
  };
  solve_in(static_cast<float*>(nullptr), static_cast<float*>(nullptr), cusolverDnSgesvdjBatched);
  solve_in(static_cast<double*>(nullptr), static_cast<double*>(nullptr), cusolverDnDgesvdjBatched);
  solve_in(static_cast<cuComplex*>(nullptr), static_cast<float*>(nullptr), cusolverDnCgesvdjBatched);
  solve_in(static_cast<cuDoubleComplex*>(nullptr), static_cast<double*>(nullptr), cusolverDnZgesvdjBatched);
}

TEST_F(ServedBatch, MakesVOfSquareMatricesAlone) {
  // (1 2; 0 1): V differs from its adjoint.
  std::vector<double> a = {1, 0, 2, 1}, s(2), u(9), v(4);
  const auto solve = [&](cusolverEigMode_t job, int m) {
    return cusolverDnDgesvdjBatched(cusolver, job, m, 2, a.data(), 2, s.data(), u.data(), 3, v.data(), 2,
                                    reinterpret_cast<double*>(work.data()), lwork, infos.data(), svd_params, 1);
  };
  info = 77;
  EXPECT_EQ(solve(vectors, 2), CUSOLVER_STATUS_SUCCESS);
  // A V = U S
  EXPECT_NEAR(a[0] * v[0] + a[2] * v[1], u[0] * s[0], 1e-14);
  EXPECT_NEAR(a[1] * v[0] + a[3] * v[1], u[1] * s[0], 1e-14);
  EXPECT_NEAR(a[0] * v[2] + a[2] * v[3], u[3] * s[1], 1e-14);
  expect_passed_on(solve(vectors, 1));
}

// Each argument has another value, and cuSOLVER sees them in its order.
TEST_F(ServedBatch, PassesOnAllArguments) {
  const auto handle = reinterpret_cast<std::int64_t>(cusolver), of_params = reinterpret_cast<std::int64_t>(params);
  const auto at = [](std::intptr_t address) { return reinterpret_cast<double*>(address); };
  auto* const at_info = reinterpret_cast<int*>(std::intptr_t{30});
  expect_passed_on(
      cusolverDnDsyevjBatched(cusolver, vectors, upper, 3, at(4), 5, at(6), at(7), 8, at_info, nullptr, 10));
  EXPECT_EQ(fake_cusolver.arguments, (std::vector<std::int64_t>{handle, vectors, upper, 3, 4, 5, 6, 7, 8, 30, 0, 10}));
  expect_passed_on(cusolverDnDgesvdjBatched(cusolver, vectors, 3, 2, at(4), 5, at(6), at(7), 8, at(9), 11, at(12), 13,
                                            at_info, nullptr, 14));
  EXPECT_EQ(fake_cusolver.arguments,
            (std::vector<std::int64_t>{handle, vectors, 3, 2, 4, 5, 6, 7, 8, 9, 11, 12, 13, 30, 0, 14}));
  expect_passed_on(cusolverDnXsyevBatched(cusolver, params, vectors, upper, 3, CUDA_R_32F, at(4), 5, CUDA_R_64F, at(6),
                                          CUDA_C_32F, at(7), 8, at(9), 10, at_info, 12));
  EXPECT_EQ(fake_cusolver.arguments, (std::vector<std::int64_t>{handle, of_params, vectors, upper, 3, CUDA_R_32F, 4, 5,
                                                                CUDA_R_64F, 6, CUDA_C_32F, 7, 8, 9, 10, 30, 12}));
}

}  // namespace
