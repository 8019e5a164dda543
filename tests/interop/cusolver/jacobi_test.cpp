// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenproblems of cuSOLVER by Jacobi's method, one at a time: in each type, and what is passed on.
#include "interop/cusolver/served.hpp"

namespace {

auto* const some_params = reinterpret_cast<syevjInfo_t>(0x40);

using ServedJacobi = Served;

// (2 1; 1 2) has the eigenvalues 1 and 3.
TEST_F(ServedJacobi, HasEachType) {
  const auto solve_in = [&]<class T, class R>(T*, R*, const auto& solve) {
    std::vector<T> a;
    for (const double x : {2., 1., 1., 2.}) a.push_back(element<T>(x));
    std::array<R, 2> w{};
    info = 77;
    expect_taken(solve(cusolver, vectors, lower, 2, a.data(), 2, w.data(), reinterpret_cast<T*>(work.data()), lwork,
                       &info, some_params));
    EXPECT_NEAR(static_cast<double>(w[0]), 1, 1e-5);
    EXPECT_NEAR(static_cast<double>(w[1]), 3, 1e-5);
  };
  solve_in(static_cast<float*>(nullptr), static_cast<float*>(nullptr), cusolverDnSsyevj);
  solve_in(static_cast<double*>(nullptr), static_cast<double*>(nullptr), cusolverDnDsyevj);
  solve_in(static_cast<cuComplex*>(nullptr), static_cast<float*>(nullptr), cusolverDnCheevj);
  solve_in(static_cast<cuDoubleComplex*>(nullptr), static_cast<double*>(nullptr), cusolverDnZheevj);
}

TEST_F(ServedJacobi, HasASize) {
  int elements = 0;
  EXPECT_EQ(cusolverDnDsyevj_bufferSize(cusolver, vectors, lower, 4, nullptr, 4, nullptr, &elements, some_params),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_GT(elements, static_cast<int>(more_workspace) / 8);
}

// Each argument has another value, and cuSOLVER sees them in its order.
TEST_F(ServedJacobi, PassesOnAllArguments) {
  const auto handle = reinterpret_cast<std::int64_t>(cusolver);
  const auto at = [](std::intptr_t address) { return reinterpret_cast<double*>(address); };
  auto* const at_info = reinterpret_cast<int*>(std::intptr_t{30});
  expect_passed_on(cusolverDnDsyevj(cusolver, vectors, upper, 3, at(4), 5, at(6), at(7), 8, at_info, nullptr));
  EXPECT_EQ(fake_cusolver.arguments, (std::vector<std::int64_t>{handle, vectors, upper, 3, 4, 5, 6, 7, 8, 30, 0}));
}

}  // namespace
