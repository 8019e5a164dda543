// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Calls of cuSOLVER without a GPU: Onepass's handles are those of the reference backend, and behind is a cuSOLVER that
// computes nothing.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "interop/cusolver/fake_cusolver.hpp"
#include "interop/cusolver/lapack.hpp"

// What a test makes of libonepass_lapack.so. Its reference backend needs no workspace: a test asks for some bytes in
// its name.
inline constexpr std::size_t more_workspace = 1000;
struct ReferenceLapack {
  onepassLapackHandle_t made = nullptr;          // the last one
  onepassStatus_t run = ONEPASS_STATUS_SUCCESS;  // what a run says; if it is another, nothing is run
  int refusals = 0;                              // of the next questions for a workspace
};
extern ReferenceLapack reference_lapack;

inline auto* const cusolver = reinterpret_cast<cusolverDnHandle_t>(0x10);
inline auto* const params = reinterpret_cast<cusolverDnParams_t>(0x20);
inline auto* const stream = reinterpret_cast<cudaStream_t>(0x30);
inline constexpr auto lower = CUBLAS_FILL_MODE_LOWER, upper = CUBLAS_FILL_MODE_UPPER;
inline constexpr auto vectors = CUSOLVER_EIG_MODE_VECTOR, values = CUSOLVER_EIG_MODE_NOVECTOR;
inline constexpr auto all = CUSOLVER_EIG_RANGE_ALL;

template <class T>
T element(double re) {
  T value{};
  if constexpr (requires { value.x; })
    value.x = static_cast<decltype(value.x)>(re);
  else
    value = static_cast<T>(re);
  return value;
}

// n x n, symmetric: 1 + min(i, j), and i more on the diagonal.
template <class T>
std::vector<T> matrix(int n) {
  std::vector<T> a;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) a.push_back(element<T>(1 + std::min(i, j) + (i == j ? i : 0)));
  return a;
}

class Served : public testing::Test {
 protected:
  void SetUp() override {
    reference_lapack = {.made = reference_lapack.made};
    fake_cusolver = {};
    fake_cusolver.stream = stream;
  }
  void expect_taken(cusolverStatus_t status) {
    EXPECT_EQ(status, CUSOLVER_STATUS_SUCCESS);
    EXPECT_EQ(fake_cusolver.last, "");
    EXPECT_EQ(info, 0);
    info = 77;
  }
  static void expect_passed_on(cusolverStatus_t status) {
    EXPECT_EQ(status, passed_on);
    EXPECT_NE(fake_cusolver.last, "");
    fake_cusolver.last.clear();
  }

  static constexpr int lwork = 1 << 12;  // elements of up to 16 bytes: enough for all here
  alignas(256) inline static std::array<double, 1 << 14> work;
  int info = 77;
};
