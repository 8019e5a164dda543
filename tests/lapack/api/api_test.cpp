// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C interface of the reductions on the host: handles, bad arguments, workspaces; the numbers are others' business.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "onepass/lapack.h"

namespace {

struct Handle {
  onepassLapackHandle_t handle = nullptr;
  explicit Handle(const char* backend) {
    EXPECT_EQ(onepassLapackCreateOn(&handle, backend), ONEPASS_STATUS_SUCCESS) << onepassLapackLastErrorMessage();
  }
  ~Handle() { onepassLapackDestroy(handle); }
  operator onepassLapackHandle_t() const { return handle; }
};

// The sum of the diagonal and the sum of squares stay.
TEST(LapackApi, ReducesOnBothHostBackends) {
  for (const char* backend : {"cpu", "reference"}) {
    const Handle handle(backend);
    EXPECT_STREQ(onepassLapackBackend(handle), backend);
    constexpr std::int64_t n = 5;
    std::vector<double> a(n * n), d(n), e(n - 1), tau(n - 1);
    double trace = 0, squares = 0;
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i < n; ++i) {
        a[i + j * n] = 1.0 / static_cast<double>(1 + i + j);
        squares += a[i + j * n] * a[i + j * n];
        if (i == j) trace += a[i + j * n];
      }
    ASSERT_EQ(
        onepassDsytrd(handle, ONEPASS_FILL_MODE_LOWER, n, a.data(), n, d.data(), e.data(), tau.data(), nullptr, 0),
        ONEPASS_STATUS_SUCCESS)
        << onepassLapackLastErrorMessage();
    double trace_now = 0, squares_now = 0;
    for (const double x : d) trace_now += x, squares_now += x * x;
    for (const double x : e) squares_now += 2 * x * x;
    EXPECT_NEAR(trace_now, trace, 1e-14);
    EXPECT_NEAR(squares_now, squares, 1e-14);
  }
}

TEST(LapackApi, TakesTheCallersWorkspaceIfItIsLargeEnough) {
  const Handle handle("cpu");
  constexpr std::int64_t n = 100;
  std::size_t bytes = 0;
  ASSERT_EQ(onepassDsytrdBufferSize(handle, ONEPASS_FILL_MODE_UPPER, n, n, &bytes), ONEPASS_STATUS_SUCCESS);
  ASSERT_GT(bytes, 0u);
  std::vector<double> a(n * n, 1), d(n), e(n), tau(n);
  alignas(64) static unsigned char memory[1 << 20];
  ASSERT_LE(bytes, sizeof memory);
  const std::vector<double> before = a;
  EXPECT_EQ(
      onepassDsytrd(handle, ONEPASS_FILL_MODE_UPPER, n, a.data(), n, d.data(), e.data(), tau.data(), memory, bytes - 1),
      ONEPASS_STATUS_WORKSPACE_TOO_SMALL);
  const std::string text = onepassLapackLastErrorMessage();
  EXPECT_NE(text.find(std::to_string(bytes - 1)), std::string::npos) << text;
  EXPECT_NE(text.find(std::to_string(bytes)), std::string::npos) << text;
  EXPECT_EQ(a, before);
  EXPECT_EQ(
      onepassDsytrd(handle, ONEPASS_FILL_MODE_UPPER, n, a.data(), n, d.data(), e.data(), tau.data(), memory, bytes),
      ONEPASS_STATUS_SUCCESS);
  EXPECT_NE(a, before);
}

TEST(LapackApi, RefusesBadArgumentsByName) {
  const Handle handle("cpu");
  double a[4] = {1, 2, 3, 4}, d[2], e[2], tau[2];
  const auto call = [&](int fill, std::int64_t n, double* matrix, std::int64_t lda) {
    return onepassDsytrd(handle, static_cast<onepassFillMode_t>(fill), n, matrix, lda, d, e, tau, nullptr, 0);
  };
  EXPECT_EQ(call(7, 2, a, 2), ONEPASS_STATUS_INVALID_ENUM);
  EXPECT_EQ(call(0, -1, a, 2), ONEPASS_STATUS_INVALID_SIZE);
  EXPECT_NE(std::string(onepassLapackLastErrorMessage()).find("-1"), std::string::npos);
  EXPECT_EQ(call(0, 2, a, 1), ONEPASS_STATUS_INVALID_LD);
  EXPECT_EQ(call(0, 2, nullptr, 2), ONEPASS_STATUS_INVALID_POINTER);
  EXPECT_EQ(onepassDsytrd(nullptr, ONEPASS_FILL_MODE_LOWER, 2, a, 2, d, e, tau, nullptr, 0),
            ONEPASS_STATUS_NOT_INITIALIZED);
  onepassLapackProblem_t problem = onepassLapackProblemDefault(ONEPASS_LAPACK_SYTRD, ONEPASS_TYPE_H, 2, 2);
  std::size_t bytes = 0;
  EXPECT_NE(onepassLapackWorkspace(handle, &problem, &bytes), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(onepassLapackWorkspace(handle, nullptr, &bytes), ONEPASS_STATUS_INVALID_ARGUMENT);
  onepassLapackHandle_t none = nullptr;
  EXPECT_EQ(onepassLapackCreateOn(&none, "abacus"), ONEPASS_STATUS_BACKEND_UNAVAILABLE);
  EXPECT_EQ(none, nullptr);
  EXPECT_EQ(onepassLapackSetThreads(handle, -2), ONEPASS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(onepassLapackSetThreads(handle, 4097), ONEPASS_STATUS_INVALID_ARGUMENT);
  EXPECT_EQ(a[0], 1);
}

// Every routine by its value: Hessenberg form of a matrix, its Q, and Q applied to the identity.
TEST(LapackApi, RunsProblemsAsData) {
  const Handle handle("cpu");
  constexpr std::int64_t n = 6;
  std::vector<double> a(n * n), tau(n - 1), c(n * n);
  for (std::int64_t i = 0; i < n * n; ++i) a[i] = std::sin(static_cast<double>(i));
  for (std::int64_t i = 0; i < n; ++i) c[i + i * n] = 1;
  onepassLapackProblem_t problem = onepassLapackProblemDefault(ONEPASS_LAPACK_GEHRD, ONEPASS_TYPE_D, n, n);
  onepassLapackOperands_t operands = {};
  operands.a = a.data();
  operands.tau = tau.data();
  operands.c = c.data();
  ASSERT_EQ(onepassLapackRun(handle, &problem, &operands, nullptr, 0), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  problem = onepassLapackProblemDefault(ONEPASS_LAPACK_ORMHR, ONEPASS_TYPE_D, n, n);
  ASSERT_EQ(onepassLapackRun(handle, &problem, &operands, nullptr, 0), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  problem = onepassLapackProblemDefault(ONEPASS_LAPACK_ORGHR, ONEPASS_TYPE_D, n, n);
  ASSERT_EQ(onepassLapackRun(handle, &problem, &operands, nullptr, 0), ONEPASS_STATUS_SUCCESS)
      << onepassLapackLastErrorMessage();
  for (std::int64_t i = 0; i < n * n; ++i) EXPECT_NEAR(a[i], c[i], 1e-14) << i;
}

TEST(LapackApi, ExplainsInWords) {
  const Handle handle("cpu");
  const onepassLapackProblem_t problem = onepassLapackProblemDefault(ONEPASS_LAPACK_SYTRD, ONEPASS_TYPE_Z, 50, 50);
  char text[200] = {};
  std::size_t length = 0;
  ASSERT_EQ(onepassLapackExplain(handle, &problem, text, sizeof text, &length), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(std::strlen(text), length);
  EXPECT_NE(std::string(text).find("zhetrd"), std::string::npos) << text;
  char little[4] = {};
  ASSERT_EQ(onepassLapackExplain(handle, &problem, little, sizeof little, &length), ONEPASS_STATUS_SUCCESS);
  EXPECT_EQ(std::strlen(little), 3u);
}

}  // namespace
