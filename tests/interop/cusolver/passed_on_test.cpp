// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sizes of workspaces, and calls of cuSOLVER that Onepass does not take, or that fail.
#include <cstdlib>
#include <string>

#include "interop/cusolver/served.hpp"

namespace {

class Sizes : public Served {};
class PassedOn : public Served {
 protected:
  std::vector<double> a = matrix<double>(4), w = std::vector<double>(4);
  cusolverStatus_t solve(int n, int lda, int elements) {
    return cusolverDnDsyevd(cusolver, vectors, lower, n, a.data(), lda, w.data(), work.data(), elements, &info);
  }
};

// An argument that is passed on and not looked at.
template <class T = double>
T* at(std::intptr_t address) {
  return reinterpret_cast<T*>(address);
}

int size_of_syevd(int n) {
  int elements = -1;
  EXPECT_EQ(cusolverDnDsyevd_bufferSize(cusolver, vectors, lower, n, nullptr, n, nullptr, &elements),
            CUSOLVER_STATUS_SUCCESS);
  return elements;
}

TEST_F(Sizes, AreTheLargerOfBoth) {
  const int ours = size_of_syevd(4);
  EXPECT_GT(ours, static_cast<int>(more_workspace) / 8);
  fake_cusolver.elements = ours - 1;
  EXPECT_EQ(size_of_syevd(4), ours);
  fake_cusolver.elements = ours + 1;
  EXPECT_EQ(size_of_syevd(4), ours + 1);
}

TEST_F(Sizes, AreKnownForEachRoutine) {
  std::array<int, 6> elements{};
  EXPECT_EQ(cusolverDnDsytrd_bufferSize(cusolver, lower, 40, at(8), 40, at(8), at(8), at(8), &elements[0]),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDgebrd_bufferSize(cusolver, 40, 30, &elements[1]), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDorgtr_bufferSize(cusolver, lower, 40, at(8), 40, at(8), &elements[2]), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDorgbr_bufferSize(cusolver, CUBLAS_SIDE_LEFT, 40, 30, 30, at(8), 40, at(8), &elements[3]),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDormtr_bufferSize(cusolver, CUBLAS_SIDE_LEFT, lower, CUBLAS_OP_T, 40, 30, at(8), 40, at(8), at(8),
                                        40, &elements[4]),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(cusolverDnDsyevdx_bufferSize(cusolver, values, all, lower, 40, at(8), 40, 0, 0, 0, 0, at<int>(8), at(8),
                                         &elements[5]),
            CUSOLVER_STATUS_SUCCESS);
  for (const int found : elements) EXPECT_GT(found, static_cast<int>(more_workspace) / 8);
}

TEST_F(Sizes, OnTheHostAreCusolvers) {
  fake_cusolver.host_bytes = 1234;
  std::size_t device = 0, host = 0, device_of_range = 0, host_of_range = 0;
  EXPECT_EQ(cusolverDnXsyevd_bufferSize(cusolver, params, vectors, lower, 4, CUDA_R_64F, nullptr, 4, CUDA_R_64F,
                                        nullptr, CUDA_R_64F, &device, &host),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(
      cusolverDnXsyevdx_bufferSize(cusolver, params, vectors, all, lower, 4, CUDA_R_64F, nullptr, 4, nullptr, nullptr,
                                   0, 0, nullptr, CUDA_R_64F, nullptr, CUDA_R_64F, &device_of_range, &host_of_range),
      CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(host, 1234U);
  EXPECT_EQ(host_of_range, 1234U);
  EXPECT_EQ((device + 7) / 8, static_cast<std::size_t>(size_of_syevd(4)));
  EXPECT_EQ(device, device_of_range);
  fake_cusolver.device_bytes = device + 1;
  EXPECT_EQ(cusolverDnXsyevd_bufferSize(cusolver, params, vectors, lower, 4, CUDA_R_64F, nullptr, 4, CUDA_R_64F,
                                        nullptr, CUDA_R_64F, &device, &host),
            CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(device, device_of_range + 1);
}

TEST_F(Sizes, AreCusolversWhereTheCallWillBe) {
  fake_cusolver.elements = 3;
  EXPECT_EQ(size_of_syevd(0), 3);
  int elements = 0;
  EXPECT_EQ(cusolverDnDgebrd_bufferSize(cusolver, 3, 4, &elements), CUSOLVER_STATUS_SUCCESS);
  EXPECT_EQ(elements, 3);
  EXPECT_EQ(cusolverDnDsyevd_bufferSize(cusolver, vectors, lower, -1, nullptr, 4, nullptr, &elements), passed_on);
}

// The size that was said is enough wherever the workspace begins.
TEST_F(PassedOn, NoCallWithTheSizeThatWasSaid) {
  const int elements = size_of_syevd(4);
  for (const std::size_t begin : {0, 1, 31}) {
    a = matrix<double>(4);
    expect_taken(
        cusolverDnDsyevd(cusolver, vectors, lower, 4, a.data(), 4, w.data(), work.data() + begin, elements, &info));
  }
}

TEST_F(PassedOn, AreWorkspacesThatAreTooSmall) {
  constexpr int slack = 256 / 8;  // for a workspace that does not begin on 256 bytes
  expect_passed_on(solve(4, 4, size_of_syevd(4) - slack - 1));
  expect_passed_on(solve(4, 4, 0));
  expect_passed_on(solve(4, 4, -1));
  expect_passed_on(cusolverDnDsyevd(cusolver, vectors, lower, 4, a.data(), 4, w.data(), nullptr, lwork, &info));
  EXPECT_EQ(a, matrix<double>(4));
}

TEST_F(PassedOn, AreBadArguments) {
  expect_passed_on(solve(-1, 4, lwork));
  expect_passed_on(solve(4, 3, lwork));
  expect_passed_on(cusolverDnDsyevd(nullptr, vectors, lower, 4, a.data(), 4, w.data(), work.data(), lwork, &info));
  expect_passed_on(cusolverDnDsyevd(cusolver, vectors, lower, 4, nullptr, 4, w.data(), work.data(), lwork, &info));
  expect_passed_on(cusolverDnDsyevd(cusolver, vectors, lower, 4, a.data(), 4, nullptr, work.data(), lwork, &info));
  expect_passed_on(cusolverDnDsyevd(cusolver, vectors, lower, 4, a.data(), 4, w.data(), work.data(), lwork, nullptr));
  expect_passed_on(cusolverDnDsyevd(cusolver, static_cast<cusolverEigMode_t>(7), lower, 4, a.data(), 4, w.data(),
                                    work.data(), lwork, &info));
  expect_passed_on(
      cusolverDnDsyevd(cusolver, vectors, CUBLAS_FILL_MODE_FULL, 4, a.data(), 4, w.data(), work.data(), lwork, &info));
  EXPECT_EQ(a, matrix<double>(4));
}

TEST_F(PassedOn, AreEmptyMatrices) { expect_passed_on(solve(0, 1, lwork)); }

TEST_F(PassedOn, AreMatricesWithFewerRowsThanColumns) {
  std::vector<double> d(4), e(4), tauq(4), taup(4);
  expect_passed_on(cusolverDnDgebrd(cusolver, 3, 4, a.data(), 4, d.data(), e.data(), tauq.data(), taup.data(),
                                    work.data(), lwork, &info));
}

TEST_F(PassedOn, AreEigenvaluesOfAnInterval) {
  int meig = 0;
  std::int64_t meig64 = 0;
  expect_passed_on(cusolverDnDsyevdx(cusolver, vectors, CUSOLVER_EIG_RANGE_V, lower, 4, a.data(), 4, 0, 1, 1, 2, &meig,
                                     w.data(), work.data(), lwork, &info));
  expect_passed_on(cusolverDnXsyevdx(cusolver, params, vectors, CUSOLVER_EIG_RANGE_V, lower, 4, CUDA_R_64F, a.data(), 4,
                                     nullptr, nullptr, 1, 2, &meig64, CUDA_R_64F, w.data(), CUDA_R_64F, work.data(),
                                     1 << 16, nullptr, 0, &info));
  expect_passed_on(cusolverDnDsyevdx(cusolver, vectors, CUSOLVER_EIG_RANGE_I, lower, 4, a.data(), 4, 0, 1, 0, 2, &meig,
                                     w.data(), work.data(), lwork, &info));
  expect_passed_on(cusolverDnDsyevdx(cusolver, vectors, all, lower, 4, a.data(), 4, 0, 1, 1, 2, nullptr, w.data(),
                                     work.data(), lwork, &info));
}

TEST_F(PassedOn, AreTypesThatOnepassDoesNotMix) {
  const auto solve_in = [&](cudaDataType type_a, cudaDataType type_w, cudaDataType compute) {
    expect_passed_on(cusolverDnXsyevd(cusolver, params, vectors, lower, 4, type_a, a.data(), 4, type_w, w.data(),
                                      compute, work.data(), 1 << 16, nullptr, 0, &info));
  };
  solve_in(CUDA_R_32F, CUDA_R_32F, CUDA_R_64F);
  solve_in(CUDA_R_64F, CUDA_R_32F, CUDA_R_64F);
  solve_in(CUDA_C_64F, CUDA_C_64F, CUDA_C_64F);
  solve_in(CUDA_R_16F, CUDA_R_16F, CUDA_R_16F);
  solve_in(CUDA_R_8I, CUDA_R_8I, CUDA_R_8I);
}

using Numbers = std::vector<std::int64_t>;

// Each argument has another value, and cuSOLVER sees them in its order. A null A is what Onepass declines.
TEST_F(PassedOn, CallsHaveAllTheirArguments) {
  const auto handle = reinterpret_cast<std::int64_t>(cusolver), of_params = reinterpret_cast<std::int64_t>(params);
  const auto expect = [](cusolverStatus_t status, const char* name, const Numbers& arguments) {
    EXPECT_EQ(fake_cusolver.last, name);
    EXPECT_EQ(fake_cusolver.arguments, arguments);
    expect_passed_on(status);
  };
  expect(cusolverDnDsytrd(cusolver, upper, 3, nullptr, 5, at(6), at(7), at(8), at(9), 10, at<int>(11)),
         "cusolverDnDsytrd", {handle, upper, 3, 0, 5, 6, 7, 8, 9, 10, 11});
  expect(cusolverDnDgebrd(cusolver, 4, 3, nullptr, 5, at(6), at(7), at(8), at(9), at(10), 11, at<int>(12)),
         "cusolverDnDgebrd", {handle, 4, 3, 0, 5, 6, 7, 8, 9, 10, 11, 12});
  expect(cusolverDnDorgtr(cusolver, upper, 3, nullptr, 5, at(6), at(7), 8, at<int>(9)), "cusolverDnDorgtr",
         {handle, upper, 3, 0, 5, 6, 7, 8, 9});
  expect(cusolverDnDorgbr(cusolver, CUBLAS_SIDE_RIGHT, 4, 3, 2, nullptr, 6, at(7), at(8), 9, at<int>(10)),
         "cusolverDnDorgbr", {handle, CUBLAS_SIDE_RIGHT, 4, 3, 2, 0, 6, 7, 8, 9, 10});
  expect(cusolverDnDormtr(cusolver, CUBLAS_SIDE_RIGHT, lower, CUBLAS_OP_C, 4, 5, nullptr, 7, at(8), at(9), 10, at(11),
                          12, at<int>(13)),
         "cusolverDnDormtr", {handle, CUBLAS_SIDE_RIGHT, lower, CUBLAS_OP_C, 4, 5, 0, 7, 8, 9, 10, 11, 12, 13});
  expect(cusolverDnDsyevd(cusolver, vectors, lower, 3, nullptr, 5, at(6), at(7), 8, at<int>(9)), "cusolverDnDsyevd",
         {handle, vectors, lower, 3, 0, 5, 6, 7, 8, 9});
  expect(cusolverDnDsyevdx(cusolver, vectors, CUSOLVER_EIG_RANGE_I, lower, 3, nullptr, 5, 6, 7, 8, 9, at<int>(10),
                           at(11), at(12), 13, at<int>(14)),
         "cusolverDnDsyevdx", {handle, vectors, CUSOLVER_EIG_RANGE_I, lower, 3, 0, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14});
  expect(cusolverDnXsyevd(cusolver, params, vectors, lower, 3, CUDA_R_32F, nullptr, 5, CUDA_R_64F, at(6), CUDA_C_32F,
                          at(7), 8, at(9), 10, at<int>(11)),
         "cusolverDnXsyevd",
         {handle, of_params, vectors, lower, 3, CUDA_R_32F, 0, 5, CUDA_R_64F, 6, CUDA_C_32F, 7, 8, 9, 10, 11});
  expect(cusolverDnXsyevdx(cusolver, params, vectors, CUSOLVER_EIG_RANGE_V, lower, 3, CUDA_R_32F, nullptr, 5, at(6),
                           at(7), 8, 9, at<std::int64_t>(10), CUDA_R_64F, at(11), CUDA_C_32F, at(12), 13, at(14), 15,
                           at<int>(16)),
         "cusolverDnXsyevdx",
         {handle, of_params, vectors, CUSOLVER_EIG_RANGE_V, lower, 3,          CUDA_R_32F, 0,  5,  6,  7,
          8,      9,         10,      CUDA_R_64F,           11,    CUDA_C_32F, 12,         13, 14, 15, 16});
}

TEST_F(PassedOn, CallsWhosePointersAreRefused) {
  for (const onepassStatus_t status : {ONEPASS_STATUS_INVALID_POINTER, ONEPASS_STATUS_INVALID_ALIGNMENT}) {
    reference_lapack.run = status;
    expect_passed_on(solve(4, 4, lwork));
  }
}

// A may be written to by then.
TEST_F(PassedOn, NoCallThatFailedOnItsWay) {
  for (const auto& [status, expected] : {std::pair{ONEPASS_STATUS_EXECUTION_FAILED, CUSOLVER_STATUS_EXECUTION_FAILED},
                                         {ONEPASS_STATUS_OUT_OF_MEMORY, CUSOLVER_STATUS_ALLOC_FAILED},
                                         {ONEPASS_STATUS_TOO_LARGE, CUSOLVER_STATUS_INTERNAL_ERROR}}) {
    reference_lapack.run = status;
    EXPECT_EQ(solve(4, 4, lwork), expected);
    EXPECT_EQ(fake_cusolver.last, "");
  }
}

// A handle says once that a call before failed on the device. If it says so again, it cannot work there.
TEST_F(PassedOn, NoCallAfterOneThatFailedOnTheDevice) {
  int elements = 0;
  reference_lapack.refusals = 1;
  EXPECT_EQ(solve(4, 4, lwork), CUSOLVER_STATUS_EXECUTION_FAILED);
  EXPECT_EQ(fake_cusolver.last, "");
  reference_lapack.refusals = 1;
  EXPECT_EQ(cusolverDnDsyevd_bufferSize(cusolver, vectors, lower, 4, nullptr, 4, nullptr, &elements),
            CUSOLVER_STATUS_EXECUTION_FAILED);
  reference_lapack.refusals = 2;
  expect_passed_on(solve(4, 4, lwork));
  expect_taken(solve(4, 4, lwork));
}

// With ONEPASS_INTERPOSE=off, for which there is a run of its own.
class SwitchedOff : public PassedOn {};
TEST_F(SwitchedOff, IsCusolverAlone) {
  const char* mode = std::getenv("ONEPASS_INTERPOSE");
  if (mode == nullptr || std::string(mode) != "off") GTEST_SKIP() << "ONEPASS_INTERPOSE is not off";
  fake_cusolver.elements = 3;
  EXPECT_EQ(size_of_syevd(4), 3);
  expect_passed_on(solve(4, 4, lwork));
}

}  // namespace
