// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// QR factorisations of cuSOLVER and what is done with their Q: which are taken, with which workspace, and which are
// passed on.
#include <cmath>

#include "interop/cusolver/served.hpp"

namespace {

class ServedQr : public Served {
 protected:
  std::vector<double> a = {3, 0, 4, 0, 5, 0}, tau = std::vector<double>(2);  // 3 x 2: |R| = diag(5, 5)
  template <class T = double>
  static T* at(std::intptr_t address) {
    return reinterpret_cast<T*>(address);
  }
};

template <class Geqrf, class Orgqr, class Ormqr>
struct QrCalls {
  Geqrf geqrf;
  Orgqr orgqr;
  Ormqr ormqr;
};

TEST_F(ServedQr, HasEachType) {
  const auto factor_in = [&]<class T>(T*, const auto& calls, cublasOperation_t adjoint) {
    std::vector<T> q, t(2);
    for (const double x : {3., 0., 4., 0., 5., 0.}) q.push_back(element<T>(x));
    const std::vector<T> original = q;
    std::vector<T> c = original;
    const auto number = [](T x) {
      if constexpr (requires { x.x; })
        return static_cast<double>(x.x);
      else
        return static_cast<double>(x);
    };
    T* const room = reinterpret_cast<T*>(work.data());
    expect_taken(calls.geqrf(cusolver, 3, 2, q.data(), 3, t.data(), room, lwork, &info));
    EXPECT_NEAR(std::abs(number(q[0])), 5, 1e-5);
    EXPECT_NEAR(std::abs(number(q[4])), 5, 1e-5);
    const double r = number(q[0]);
    expect_taken(calls.ormqr(cusolver, CUBLAS_SIDE_LEFT, adjoint, 3, 2, 2, q.data(), 3, t.data(), c.data(), 3, room,
                             lwork, &info));
    EXPECT_NEAR(number(c[0]), r, 1e-5);  // Q^H A = R
    EXPECT_NEAR(number(c[2]), 0, 1e-5);
    expect_taken(calls.orgqr(cusolver, 3, 2, 2, q.data(), 3, t.data(), room, lwork, &info));
    EXPECT_NEAR(number(q[0]) * r, 3, 1e-5);
    EXPECT_NEAR(number(q[2]) * r, 4, 1e-5);
  };
  factor_in(static_cast<float*>(nullptr), QrCalls{cusolverDnSgeqrf, cusolverDnSorgqr, cusolverDnSormqr}, CUBLAS_OP_T);
  factor_in(static_cast<double*>(nullptr), QrCalls{cusolverDnDgeqrf, cusolverDnDorgqr, cusolverDnDormqr}, CUBLAS_OP_T);
  factor_in(static_cast<cuComplex*>(nullptr), QrCalls{cusolverDnCgeqrf, cusolverDnCungqr, cusolverDnCunmqr},
            CUBLAS_OP_C);
  factor_in(static_cast<cuDoubleComplex*>(nullptr), QrCalls{cusolverDnZgeqrf, cusolverDnZungqr, cusolverDnZunmqr},
            CUBLAS_OP_C);
}

TEST_F(ServedQr, HasTypesAsArguments) {
  const auto factor = [&](cudaDataType type_tau, cudaDataType compute) {
    return cusolverDnXgeqrf(cusolver, params, 3, 2, CUDA_R_64F, a.data(), 3, type_tau, tau.data(), compute, work.data(),
                            1 << 16, nullptr, 0, &info);
  };
  expect_taken(factor(CUDA_R_64F, CUDA_R_64F));
  EXPECT_NEAR(std::abs(a[0]), 5, 1e-14);
  expect_passed_on(factor(CUDA_R_32F, CUDA_R_64F));
  expect_passed_on(factor(CUDA_R_64F, CUDA_R_32F));
}

TEST_F(ServedQr, HasSizes) {
  std::array<int, 3> elements{};
  EXPECT_EQ(cusolverDnDgeqrf_bufferSize(cusolver, 3, 2, nullptr, 3, &elements[0]), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDorgqr_bufferSize(cusolver, 3, 2, 2, nullptr, 3, nullptr, &elements[1]), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDormqr_bufferSize(cusolver, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, 3, 2, 2, nullptr, 3, nullptr, nullptr,
                                        3, &elements[2]),
            CUSOLVER_STATUS_SUCCESS);
  for (const int found : elements) EXPECT_GT(found, static_cast<int>(more_workspace) / 8);
  std::size_t device = 0, host = 0;
  fake_cusolver.host_bytes = 1234;
  EXPECT_EQ(cusolverDnXgeqrf_bufferSize(cusolver, params, 3, 2, CUDA_R_64F, nullptr, 3, CUDA_R_64F, nullptr, CUDA_R_64F,
                                        &device, &host),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_GT(device, more_workspace);
  EXPECT_EQ(host, 1234U);
}

// Each argument has another value, and cuSOLVER sees them in its order.
TEST_F(ServedQr, PassesOnAllArguments) {
  using Numbers = std::vector<std::int64_t>;
  const auto handle = reinterpret_cast<std::int64_t>(cusolver), of_params = reinterpret_cast<std::int64_t>(params);
  const auto expect = [](cusolverStatus_t status, const char* name, const Numbers& arguments) {
    EXPECT_EQ(fake_cusolver.last, name);
    EXPECT_EQ(fake_cusolver.arguments, arguments);
    expect_passed_on(status);
  };
  expect(cusolverDnDgeqrf(cusolver, 4, 3, nullptr, 5, at(6), at(7), 8, at<int>(9)), "cusolverDnDgeqrf",
         {handle, 4, 3, 0, 5, 6, 7, 8, 9});
  expect(cusolverDnDorgqr(cusolver, 4, 3, 2, nullptr, 5, at(6), at(7), 8, at<int>(9)), "cusolverDnDorgqr",
         {handle, 4, 3, 2, 0, 5, 6, 7, 8, 9});
  expect(cusolverDnDormqr(cusolver, CUBLAS_SIDE_RIGHT, CUBLAS_OP_C, 4, 3, 2, nullptr, 5, at(6), at(7), 8, at(9), 10,
                          at<int>(11)),
         "cusolverDnDormqr", {handle, CUBLAS_SIDE_RIGHT, CUBLAS_OP_C, 4, 3, 2, 0, 5, 6, 7, 8, 9, 10, 11});
  expect(cusolverDnXgeqrf(cusolver, params, 4, 3, CUDA_R_32F, nullptr, 5, CUDA_R_64F, at(6), CUDA_C_32F, at(7), 8,
                          at(9), 10, at<int>(11)),
         "cusolverDnXgeqrf", {handle, of_params, 4, 3, CUDA_R_32F, 0, 5, CUDA_R_64F, 6, CUDA_C_32F, 7, 8, 9, 10, 11});
}

}  // namespace
