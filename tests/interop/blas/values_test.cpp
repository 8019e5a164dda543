// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Every symbol, against sums of small whole numbers that are exact in every type. Netlib's testers do more shapes, but
// no 64-bit integers, no csymv or zsymv, and no NaN.
#include <gtest/gtest.h>

#include <limits>
#include <type_traits>
#include <vector>

#include "interop/blas/symbols.hpp"

namespace blas_test {
namespace {

template <class T>
constexpr bool is_complex = !std::is_floating_point_v<T>;

template <class T>
T number(int re, int im) {
  if constexpr (is_complex<T>)
    return {static_cast<typename T::value_type>(re), static_cast<typename T::value_type>(im)};
  return static_cast<T>(re);
}

template <class T>
T conjugate(T value) {
  if constexpr (is_complex<T>) return std::conj(value);
  return value;
}

template <class T>
const T not_a_number = number<T>(1, 1) * std::numeric_limits<decltype(std::abs(T{}))>::quiet_NaN();

// A full matrix of n x n, its element (i, j) = (i + 2 j, i - j): neither symmetric nor Hermitian.
constexpr int n = 5, ld = 7;

template <class T>
struct Operands {
  std::vector<T> a = std::vector<T>(ld * n, not_a_number<T>), x, y;
  T alpha = number<T>(2, 1), beta = number<T>(3, -1);

  Operands() {
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) a[at(i, j)] = number<T>(i + 2 * j, i - j);
    for (int i = 0; i < n; ++i) x.push_back(number<T>(i - 2, 1)), y.push_back(number<T>(1, i));
  }
  static std::size_t at(int i, int j) { return static_cast<std::size_t>(i + ld * j); }

  // y = alpha M x + beta y with M(i, j) = matrix(i, j)
  template <class Matrix>
  std::vector<T> product(Matrix matrix) const {
    std::vector<T> result = y;
    for (int i = 0; i < n; ++i) {
      T sum{};
      for (int j = 0; j < n; ++j) sum += matrix(i, j) * x[static_cast<std::size_t>(j)];
      result[static_cast<std::size_t>(i)] = alpha * sum + beta * result[static_cast<std::size_t>(i)];
    }
    return result;
  }
};

template <class Pair>
class Values : public testing::Test {};

template <class T_, class Int_>
struct Pair {
  using T = T_;
  using Int = Int_;
};
using Pairs = testing::Types<Pair<float, Short>, Pair<float, Long>, Pair<double, Short>, Pair<double, Long>,
                             Pair<std::complex<float>, Short>, Pair<std::complex<float>, Long>,
                             Pair<std::complex<double>, Short>, Pair<std::complex<double>, Long>>;
TYPED_TEST_SUITE(Values, Pairs);

TYPED_TEST(Values, OfGemvAreThoseOfTheLoops) {
  using T = typename TypeParam::T;
  using Int = typename TypeParam::Int;
  constexpr auto symbols = Of<T, Int>::symbols;
  const Operands<T> given;
  const Int size = n, lda = ld, one = 1;
  for (int k = 0; k < 3; ++k) {
    for (const int layout : {column_major, row_major}) {
      const auto expected = given.product([&](int i, int j) {
        const bool stored_transposed = (k > 0) != (layout == row_major);
        const T value = given.a[stored_transposed ? given.at(j, i) : given.at(i, j)];
        return k == 2 ? conjugate(value) : value;
      });
      std::vector<T> y = given.y;
      symbols.c_gemv(layout, no_trans + k, size, size, scalar(given.alpha), given.a.data(), lda, given.x.data(), one,
                     scalar(given.beta), y.data(), one);
      EXPECT_EQ(y, expected) << "CBLAS, op " << k << ", layout " << layout;
      if (layout == row_major) continue;
      for (const char letter : {"NTC"[k], "ntc"[k]}) {
        y = given.y;
        symbols.gemv(&letter, &size, &size, &given.alpha, given.a.data(), &lda, given.x.data(), &one, &given.beta,
                     y.data(), &one);
        EXPECT_EQ(y, expected) << "Fortran, " << letter;
      }
    }
  }
}

TYPED_TEST(Values, OfTrianglesAreThoseOfTheLoops) {
  using T = typename TypeParam::T;
  using Int = typename TypeParam::Int;
  constexpr auto symbols = Of<T, Int>::symbols;
  const Int size = n, lda = ld, one = 1;
  for (const bool hermitian : {true, false}) {
    for (const bool is_lower : {true, false}) {
      for (const int layout : {column_major, row_major}) {
        // Stored element (i, j) is element (j, i) of a row-major matrix. The other triangle is poisoned.
        Operands<T> given;
        const bool lower_in_memory = is_lower == (layout == column_major);
        for (int j = 0; j < n; ++j)
          for (int i = 0; i < n; ++i)
            if (lower_in_memory ? i < j : i > j) given.a[given.at(i, j)] = not_a_number<T>;
        const auto expected = given.product([&](int i, int j) {
          const bool here = is_lower ? i >= j : i <= j;
          const int row = here ? i : j, column = here ? j : i;
          const T value = given.a[layout == column_major ? given.at(row, column) : given.at(column, row)];
          if (!hermitian) return value;
          return i == j ? number<T>(static_cast<int>(std::real(value)), 0) : here ? value : conjugate(value);
        });
        std::vector<T> y = given.y;
        if (hermitian) {
          symbols.c_triangle(layout, is_lower ? lower : upper, size, scalar(given.alpha), given.a.data(), lda,
                             given.x.data(), one, scalar(given.beta), y.data(), one);
          EXPECT_EQ(y, expected) << "CBLAS, lower " << is_lower << ", layout " << layout;
        }
        if (layout == row_major) continue;
        y = given.y;
        (hermitian ? symbols.triangle : symbols.symmetric)(is_lower ? "l" : "U", &size, &given.alpha, given.a.data(),
                                                           &lda, given.x.data(), &one, &given.beta, y.data(), &one);
        EXPECT_EQ(y, expected) << "Fortran, lower " << is_lower << ", Hermitian " << hermitian;
      }
    }
  }
}

TYPED_TEST(Values, AreFreeOfNanInYWhereBetaIsZero) {
  using T = typename TypeParam::T;
  using Int = typename TypeParam::Int;
  constexpr auto symbols = Of<T, Int>::symbols;
  Operands<T> given;
  given.y.assign(n, T{});
  const auto expected = given.product([&](int i, int j) { return given.a[given.at(i, j)]; });
  const T zero{};
  const Int size = n, lda = ld, one = 1;
  std::vector<T> y(n, not_a_number<T>);
  symbols.gemv("N", &size, &size, &given.alpha, given.a.data(), &lda, given.x.data(), &one, &zero, y.data(), &one);
  EXPECT_EQ(y, expected);
  y.assign(n, not_a_number<T>);
  symbols.triangle("L", &size, &given.alpha, given.a.data(), &lda, given.x.data(), &one, &zero, y.data(), &one);
  for (const T& value : y) EXPECT_EQ(value, value) << "NaN survived";
}

TYPED_TEST(Values, AreFreeOfNanInMatrixAndXWhereAlphaIsZero) {
  using T = typename TypeParam::T;
  using Int = typename TypeParam::Int;
  constexpr auto symbols = Of<T, Int>::symbols;
  const std::vector<T> poison(ld * n, not_a_number<T>);
  const T zero{}, beta = number<T>(2, 0);
  const Int size = n, lda = ld, one = 1;
  std::vector<T> y(n, number<T>(3, 1));
  symbols.gemv("T", &size, &size, &zero, poison.data(), &lda, poison.data(), &one, &beta, y.data(), &one);
  symbols.triangle("U", &size, &zero, poison.data(), &lda, poison.data(), &one, &beta, y.data(), &one);
  EXPECT_EQ(y, std::vector<T>(n, number<T>(12, 4)));
}

TYPED_TEST(Values, StayWhereThereIsNothingToDo) {
  using T = typename TypeParam::T;
  using Int = typename TypeParam::Int;
  constexpr auto symbols = Of<T, Int>::symbols;
  const Int none = 0, size = n, one = 1;
  T y = not_a_number<T>;
  symbols.gemv("N", &size, &none, nullptr, nullptr, &size, nullptr, &one, nullptr, &y, &one);
  symbols.triangle("L", &none, nullptr, nullptr, &one, nullptr, &one, nullptr, &y, &one);
  EXPECT_NE(y, y);
}

}  // namespace
}  // namespace blas_test
