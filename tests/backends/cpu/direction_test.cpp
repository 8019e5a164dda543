// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix that is read from its last column on has the same product: with small integers sums are exact in any order.
#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <type_traits>
#include <vector>

#include "backends/cpu/block.hpp"

namespace onepass::cpu {
namespace {

template <class T>
std::vector<Component<T>> integers(std::int64_t elements, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_int_distribution<int> number(-2, 2);
  std::vector<Component<T>> v(static_cast<std::size_t>(elements * components<T>));
  for (auto& element : v) element = static_cast<Component<T>>(number(random));
  return v;
}

template <class T>
class Directions : public testing::Test {};
using Types = testing::Types<float, double, Complex<float>, Complex<double>>;
TYPED_TEST_SUITE(Directions, Types);

// More columns than are read at once, and so many that each number of them is left over; beyond the first cache.
constexpr std::int64_t rows = 300, fewest = 96, most = 110;

template <class T>
T number(double re) {
  T v{};
  if constexpr (is_complex<T>)
    v.re = static_cast<Component<T>>(re);
  else
    v = static_cast<T>(re);
  return v;
}

TYPED_TEST(Directions, OfBlocksGiveTheSameProduct) {
  using T = TypeParam;
  using R = Component<T>;
  const auto a = integers<T>(rows * most, 1), x = integers<T>(rows, 2), before = integers<T>(rows, 3);
  for (std::int64_t columns = fewest; columns <= most; ++columns)
    for (const bool transposed : {false, true})
      for (const Start start : {Start::zero, Start::scaled, Start::keep}) {
        const std::int64_t outputs = transposed ? columns : rows, terms = transposed ? rows : columns;
        std::vector<R> results[2];
        for (const Direction direction : {Direction::forward, Direction::backward}) {
          std::vector<R>& y = results[static_cast<int>(direction)];
          y = before;
          if (start == Start::zero) y.assign(y.size(), std::numeric_limits<R>::quiet_NaN());
          const Block<T> block{.outputs = outputs,
                               .terms = terms,
                               .a = a.data(),
                               .lda = rows * components<T>,
                               .x = x.data(),
                               .incx = components<T>,
                               .y = y.data(),
                               .incy = components<T>,
                               .alpha = number<T>(2),
                               .beta = number<T>(3),
                               .start = start,
                               .conjugate = columns % 2 == 0,
                               .direction = direction};
          const Kernels<T>& k = kernels_of<T>(kernels());
          (transposed ? k.t : k.n)(block);
          y.resize(static_cast<std::size_t>(outputs * components<T>));
        }
        ASSERT_EQ(results[0], results[1]) << columns << (transposed ? " T" : " N");
        ASSERT_EQ(results[0][0], results[0][0]) << "NaN";
      }
}

TYPED_TEST(Directions, OfTrianglesGiveTheSameProduct) {
  using T = TypeParam;
  const auto a = integers<T>(most * most, 4), x = integers<T>(most, 5), before = integers<T>(most, 6);
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (std::int64_t end = fewest; end <= most; ++end) {
      std::vector<Component<T>> results[2];
      for (const Direction direction : {Direction::forward, Direction::backward}) {
        results[static_cast<int>(direction)] = before;
        kernels_of<T>(kernels()).symv({.order = most,
                                       .begin = 7,
                                       .end = end,
                                       .a = a.data(),
                                       .lda = most * components<T>,
                                       .x = x.data(),
                                       .y = results[static_cast<int>(direction)].data(),
                                       .alpha = number<T>(1),
                                       .uplo = uplo,
                                       .conjugate = false,
                                       .hermitian = is_complex<T>,
                                       .direction = direction});
      }
      ASSERT_EQ(results[0], results[1]) << end << (uplo == Uplo::lower ? " L" : " U");
      ASSERT_NE(results[0], before);
    }
}

}  // namespace
}  // namespace onepass::cpu
