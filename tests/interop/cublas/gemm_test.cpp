// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// GEMMs with one row or column of C, run as the GEMV that they are, against the three loops of a GEMM.
#include <gtest/gtest.h>

#include <complex>
#include <vector>

#include "interop/cublas/gemm_as_gemv.hpp"

namespace onepass::cublas {
namespace {

using Z = std::complex<double>;
constexpr onepassOperation_t ops[] = {ONEPASS_OP_N, ONEPASS_OP_T, ONEPASS_OP_C};

std::vector<Z> numbers(std::int64_t count, int seed) {
  std::vector<Z> values;
  for (std::int64_t i = 0; i < count; ++i)
    values.emplace_back(static_cast<double>((i * 7 + seed) % 11 - 5), static_cast<double>((i * 5 + seed) % 7 - 3));
  return values;
}

Z element(const std::vector<Z>& a, std::int64_t start, std::int64_t ld, onepassOperation_t op, std::int64_t i,
          std::int64_t j) {
  const Z value = a[static_cast<std::size_t>(start + (op == ONEPASS_OP_N ? i + j * ld : j + i * ld))];
  return op == ONEPASS_OP_C ? std::conj(value) : value;
}

TEST(GemmAsGemv, IsTheProduct) {
  onepassHandle_t handle = nullptr;
  ASSERT_EQ(onepassCreateOn(&handle, "reference"), ONEPASS_STATUS_SUCCESS);
  const Z alpha(2, 1), beta(1, -1);
  int taken = 0;
  for (const onepassOperation_t op_a : ops) {
    for (const onepassOperation_t op_b : ops) {
      for (const auto& [m, n] : {std::pair{5, 1}, {1, 5}, {1, 1}}) {
        const Gemm g{.type = ONEPASS_TYPE_Z,
                     .type_c = ONEPASS_TYPE_Z,
                     .op_a = op_a,
                     .op_b = op_b,
                     .m = m,
                     .n = n,
                     .k = 3,
                     .lda = 6,
                     .ldb = 7,
                     .ldc = 8,
                     .batch = 2,
                     .stride_a = 50,
                     .stride_b = 60,
                     .stride_c = 70};
        const AsGemv as = gemm_as_gemv(g);
        if (as.declined != nullptr) continue;
        ++taken;
        const std::vector<Z> a = numbers(100, 1), b = numbers(120, 2);
        std::vector<Z> c = numbers(140, 3), expected = c;
        for (std::int64_t batch = 0; batch < 2; ++batch)
          for (std::int64_t j = 0; j < n; ++j)
            for (std::int64_t i = 0; i < m; ++i) {
              Z sum = 0;
              for (std::int64_t k = 0; k < g.k; ++k)
                sum += element(a, batch * g.stride_a, g.lda, op_a, i, k) *
                       element(b, batch * g.stride_b, g.ldb, op_b, k, j);
              Z& to = expected[static_cast<std::size_t>(batch * g.stride_c + i + j * g.ldc)];
              to = alpha * sum + beta * to;
            }
        ASSERT_EQ(onepassGemv(handle, &as.problem, &alpha, as.swapped ? b.data() : a.data(),
                              as.swapped ? a.data() : b.data(), &beta, c.data()),
                  ONEPASS_STATUS_SUCCESS)
            << onepassLastErrorMessage();
        EXPECT_EQ(c, expected) << "ops " << op_a << " " << op_b << ", C " << m << "x" << n;
      }
    }
  }
  // One column: nine pairs of ops but the three with a conjugated B, twice. One row: four without a conjugate.
  EXPECT_EQ(taken, 6 + 6 + 4);
  onepassDestroy(handle);
}

TEST(GemmAsGemv, TakesConjugatesOfRealMatrices) {
  const Gemm g{.op_a = ONEPASS_OP_C, .op_b = ONEPASS_OP_C, .m = 1, .n = 4, .k = 3, .lda = 3, .ldb = 4, .ldc = 1};
  EXPECT_EQ(gemm_as_gemv(g).declined, nullptr);
}

TEST(GemmAsGemv, DeclinesWhatIsNone) {
  const Gemm good{.m = 4, .n = 1, .k = 3, .lda = 4, .ldb = 3, .ldc = 4};
  ASSERT_EQ(gemm_as_gemv(good).declined, nullptr);
  const auto declines = [&](auto change) {
    Gemm g = good;
    change(g);
    return gemm_as_gemv(g).declined != nullptr;
  };
  EXPECT_TRUE(declines([](Gemm& g) { g.n = 2; }));
  EXPECT_TRUE(declines([](Gemm& g) { g.k = 0; }));  // BLAS scales C, where a GEMV would leave y alone
  EXPECT_TRUE(declines([](Gemm& g) { g.m = 0; }));
  EXPECT_TRUE(declines([](Gemm& g) { g.batch = 0; }));
  EXPECT_TRUE(declines([](Gemm& g) { g.op_a = static_cast<onepassOperation_t>(3); }));
  EXPECT_TRUE(declines([](Gemm& g) { g.lda = 3; }));
  EXPECT_TRUE(declines([](Gemm& g) { g.ldb = 2; }));
  EXPECT_TRUE(declines([](Gemm& g) { g.ldc = 3; }));
}

}  // namespace
}  // namespace onepass::cublas
