// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The calls of many eigenproblems and singular value decompositions, in C and C++.
#include <gtest/gtest.h>

#include <vector>

#include "onepass/lapack.hpp"

namespace onepass::test {
namespace {

// The typed calls, and those of C++, give what the problem as data gives.
TEST(SyevdBatchCalls, AreThoseOfTheProblem) {
  constexpr std::int64_t n = 3, count = 2;
  const std::vector<double> a = {2, 1, 0, 1, 2, 0, 0, 0, 5, 1, 0, 0, 0, 3, 0, 0, 0, 2};
  const std::vector<double> wanted = {1, 3, 5, 1, 2, 3};
  lapack::Handle handle("cpu");
  const auto expect = [&](auto call) {
    std::vector<double> v = a, w(n * count);
    std::vector<int> info(count, -1);
    call(v, w, info);
    for (std::size_t i = 0; i < w.size(); ++i) EXPECT_NEAR(w[i], wanted[i], 1e-14);
    EXPECT_EQ(info, std::vector<int>(count, 0));
  };
  expect([&](auto& v, auto& w, auto& info) {
    EXPECT_EQ(onepassDsyevdStridedBatched(handle, ONEPASS_JOB_VECTORS, ONEPASS_FILL_MODE_LOWER, n, v.data(), n, n * n,
                                          w.data(), n, nullptr, 0, info.data(), count),
              ONEPASS_STATUS_SUCCESS);
  });
  expect([&](auto& v, auto& w, auto& info) {
    double* const pointers[] = {v.data(), v.data() + n * n};
    std::size_t bytes = 0;
    EXPECT_EQ(
        onepassDsyevdBatchedBufferSize(handle, ONEPASS_JOB_VALUES, ONEPASS_FILL_MODE_UPPER, n, n, n, count, &bytes),
        ONEPASS_STATUS_SUCCESS);
    std::vector<std::byte> workspace(bytes + 64);
    EXPECT_EQ(onepassDsyevdBatched(handle, ONEPASS_JOB_VALUES, ONEPASS_FILL_MODE_UPPER, n, pointers, n, w.data(), n,
                                   workspace.data() + (64 - reinterpret_cast<std::uintptr_t>(workspace.data()) % 64),
                                   bytes, info.data(), count),
              ONEPASS_STATUS_SUCCESS);
  });
  expect([&](auto& v, auto& w, auto& info) {
    lapack::eigh_strided_batched(handle, lapack::Job::vectors, Uplo::lower, n, v.data(), n, n * n, w.data(), n,
                                 info.data(), count);
  });
  expect([&](auto& v, auto& w, auto& info) {
    double* const pointers[] = {v.data(), v.data() + n * n};
    lapack::eigh_batched(handle, lapack::Job::vectors, Uplo::lower, n, pointers, n, w.data(), n, info.data(), count);
  });
}

TEST(GesvdBatchCalls, AreThoseOfTheProblem) {
  constexpr std::int64_t m = 3, n = 2, count = 2;
  const std::vector<double> a = {3, 0, 0, 0, -4, 0, 0, 0, 2, 1, 0, 0}, wanted = {4, 3, 2, 1};
  lapack::Handle handle("cpu");
  struct Made {
    std::vector<double> a, s, u, vt;
    std::vector<int> info;
  };
  const auto expect = [&](bool vectors, auto call) {
    Made made = {a, std::vector<double>(n * count), std::vector<double>(m * n * count),
                 std::vector<double>(n * n * count), std::vector<int>(count, -1)};
    call(made);
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(made.s[i], wanted[i], 1e-14);
    EXPECT_EQ(made.info, std::vector<int>(count, 0));
    if (!vectors) return;
    EXPECT_NEAR(made.u[1] * made.s[0] * made.vt[2], -4, 1e-14);
    EXPECT_NEAR(made.u[6 + 2] * made.s[2] * made.vt[4], 2, 1e-14);
  };
  expect(true, [&](Made& x) {
    EXPECT_EQ(
        onepassDgesvdStridedBatched(handle, ONEPASS_JOB_VECTORS, m, n, x.a.data(), m, m * n, x.s.data(), n, x.u.data(),
                                    m, m * n, x.vt.data(), n, n * n, nullptr, 0, x.info.data(), count),
        ONEPASS_STATUS_SUCCESS);
  });
  expect(false, [&](Made& x) {
    double* const pointers[] = {x.a.data(), x.a.data() + m * n};
    std::size_t bytes = 0;
    EXPECT_EQ(onepassDgesvdBatchedBufferSize(handle, ONEPASS_JOB_VALUES, m, n, m, n, 1, n, count, &bytes),
              ONEPASS_STATUS_SUCCESS);
    std::vector<std::byte> workspace(bytes + 64);
    EXPECT_EQ(onepassDgesvdBatched(handle, ONEPASS_JOB_VALUES, m, n, pointers, m, x.s.data(), n, nullptr, 1, nullptr, n,
                                   workspace.data() + (64 - reinterpret_cast<std::uintptr_t>(workspace.data()) % 64),
                                   bytes, x.info.data(), count),
              ONEPASS_STATUS_SUCCESS);
  });
  expect(true, [&](Made& x) {
    lapack::svd_strided_batched(handle, lapack::Job::vectors, m, n, x.a.data(), m, m * n, x.s.data(), n, x.u.data(), m,
                                m * n, x.vt.data(), n, n * n, x.info.data(), count);
  });
  expect(true, [&](Made& x) {
    double *const of_a[] = {x.a.data(), x.a.data() + m * n}, *const of_u[] = {x.u.data(), x.u.data() + m * n},
                  *const of_vt[] = {x.vt.data(), x.vt.data() + n * n};
    lapack::svd_batched(handle, lapack::Job::vectors, m, n, of_a, m, x.s.data(), n, of_u, m, of_vt, n, x.info.data(),
                        count);
  });
}

}  // namespace
}  // namespace onepass::test
