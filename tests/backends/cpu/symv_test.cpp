// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The triangle in the rows of a group of columns: vectors cross the diagonal, and what lies beyond it is nobody's.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "backends/cpu/block.hpp"

namespace onepass::cpu {
namespace {

template <class T>
class CpuSymv : public testing::Test {};
using Types = testing::Types<float, double, Complex<float>, Complex<double>>;
TYPED_TEST_SUITE(CpuSymv, Types);

// Real matrices, of complex type too: A = 1, x = 1 but for one infinite element, so that every y is infinite.
TYPED_TEST(CpuSymv, ReadsNothingOfTheOtherTriangleAndMakesNoNanOfInfinity) {
  using T = TypeParam;
  using R = Component<T>;
  constexpr int P = components<T>;
  constexpr R nan = std::numeric_limits<R>::quiet_NaN(), infinity = std::numeric_limits<R>::infinity();
  for (const std::int64_t n : {1, 5, 8, 19, 40, 300})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper})
      for (const bool is_infinite : {false, true}) {
        const auto at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
        std::vector<R> a(at(n * n * P), nan), x(at(n * P)), y(at((n + 1) * P));
        for (std::int64_t j = 0; j < n; ++j)
          for (std::int64_t i = 0; i < n; ++i) {
            if (uplo == Uplo::lower ? i < j : i > j) continue;
            a[at((i + j * n) * P)] = 1;
            if (P == 2) a[at((i + j * n) * P + 1)] = 0;
          }
        for (std::int64_t i = 0; i < n; ++i) x[at(i * P)] = 1;
        if (is_infinite && P == 1) x[at(n / 2)] = infinity;  // infinity times 0 i is NaN by itself
        y[at(n * P)] = nan;
        kernels_of<T>(kernels()).symv({.order = n,
                                       .end = n,
                                       .a = a.data(),
                                       .lda = n * P,
                                       .x = x.data(),
                                       .y = y.data(),
                                       .alpha = Sum<T>{1},
                                       .uplo = uplo});
        for (std::int64_t i = 0; i < n; ++i)
          EXPECT_EQ(y[at(i * P)], is_infinite && P == 1 ? infinity : static_cast<R>(n)) << n << ", row " << i;
        EXPECT_TRUE(std::isnan(y[at(n * P)])) << "behind y";
      }
}

}  // namespace
}  // namespace onepass::cpu
