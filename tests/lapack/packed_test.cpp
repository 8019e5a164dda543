// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Packed products against sums element by element: exact, since all numbers are small integers.
#include "lapack/cpu/packed.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <tuple>
#include <vector>

#include "integers.hpp"
#include "lapack/cpu/factor.hpp"
#include "types.hpp"

namespace onepass::test {
namespace {

using lapack::As;
using lapack::Matrix;
using lapack::Part;

template <class T>
T element(Matrix<T> a, As as, std::int64_t row, std::int64_t column) {
  return as == As::is ? a(row, column) : lapack::conjugate(a(column, row));
}

// op(A) of rows x terms in tiles of the machine's own vectors.
template <class T>
std::vector<lapack::Real<T>> packed(Matrix<T> a, As as, std::int64_t rows, std::int64_t terms, bool exchanged,
                                    int height) {
  const std::int64_t tiles = (rows * lapack::components<T> + height - 1) / height;
  // Numbers that were not written would show.
  std::vector<lapack::Real<T>> to(static_cast<std::size_t>(tiles * height * terms),
                                  std::numeric_limits<lapack::Real<T>>::quiet_NaN());
  lapack::kernels_of<lapack::Kernel<T>>(lapack::packed_kernels())
      .pack({.rows = rows,
             .terms = terms,
             .a = lapack::parts(a.data),
             .lda = a.ld * lapack::components<T>,
             .adjoint = as == As::adjoint,
             .exchanged = exchanged},
            height, 0, tiles, to.data());
  return to;
}

struct Shape {
  std::int64_t rows, columns, terms;
};

template <class T>
class PackedProducts : public testing::Test {
 protected:
  static const auto& kernels() { return lapack::kernels_of<lapack::Kernel<T>>(lapack::packed_kernels()); }

  // C := [C +] alpha op(A) op(B) for columns first..last of C, and that nothing else of C is touched.
  static void expect_product(const Shape& s, As as_a, As as_b, bool adds, Part part, std::int64_t first,
                             bool exchanged = false) {
    Integers<T> a(as_a == As::is ? s.rows : s.terms, as_a == As::is ? s.terms : s.rows, 0),
        b(as_b == As::is ? s.terms : s.columns, as_b == As::is ? s.columns : s.terms, 1), c(s.rows, s.columns, 2);
    Integers<T> expected = c;
    const T unread = std::numeric_limits<lapack::Real<T>>::quiet_NaN();
    for (std::int64_t j = first; j < s.columns; ++j)
      for (std::int64_t i = 0; i < s.rows; ++i) {
        if ((part == Part::lower && i < j) || (part == Part::upper && i > j)) continue;
        T sum{};
        for (std::int64_t p = 0; p < s.terms; ++p)
          sum += element(a.matrix(), as_a, i, exchanged ? p ^ 1 : p) * element(b.matrix(), as_b, p, j);
        expected.matrix()(i, j) = adds ? c.matrix()(i, j) - sum : -sum;
        if (!adds) c.matrix()(i, j) = unread;
      }
    const int height = kernels().height(s.rows);
    const auto tiles = packed(a.matrix(), as_a, s.rows, s.terms, exchanged, height);
    kernels().multiply({.a = {.data = tiles.data(), .terms = s.terms, .height = height},
                        .rows = s.rows,
                        .first = first,
                        .last = s.columns,
                        .b = lapack::parts(b.matrix().data),
                        .ldb = b.ld * lapack::components<T>,
                        .adjoint = as_b == As::adjoint,
                        .c = lapack::parts(c.matrix().data),
                        .ldc = c.ld * lapack::components<T>,
                        .alpha = -1,
                        .adds = adds,
                        .part = part});
    EXPECT_TRUE(c.data == expected.data) << s.rows << " x " << s.columns << ", " << s.terms << " terms, op "
                                         << static_cast<int>(as_a) << static_cast<int>(as_b) << ", adds " << adds
                                         << ", part " << static_cast<int>(part) << ", from column " << first;
  }
};
TYPED_TEST_SUITE(PackedProducts, Types);

TYPED_TEST(PackedProducts, AreSumsOfProducts) {
  for (const Shape& s : {Shape{1, 1, 1}, Shape{7, 3, 5}, Shape{24, 8, 64}, Shape{25, 9, 65}, Shape{100, 33, 48},
                         Shape{49, 70, 130}, Shape{3, 40, 200}})
    for (const As as_a : {As::is, As::adjoint})
      for (const As as_b : {As::is, As::adjoint})
        for (const bool adds : {false, true}) this->expect_product(s, as_a, as_b, adds, Part::all, 0);
}

TYPED_TEST(PackedProducts, OfATriangleLeaveTheOtherOne) {
  for (const std::int64_t n : {1, 5, 24, 50, 101})
    for (const Part part : {Part::lower, Part::upper})
      for (const std::int64_t first : {0, 3, 16})
        if (first < n) this->expect_product({n, n, 10}, As::is, As::adjoint, true, part, first, true);
}

TYPED_TEST(PackedProducts, OfBlocksAreThoseAtOnce) {
  using T = TypeParam;
  for (const Shape& s : {Shape{3, 20, 150}, Shape{97, 11, 64}, Shape{200, 40, 30}})
    for (const As as_a : {As::is, As::adjoint})
      for (const bool adds : {false, true}) {
        Integers<T> a(as_a == As::is ? s.rows : s.terms, as_a == As::is ? s.terms : s.rows, 0),
            b(s.columns, s.terms, 1), c(s.rows, s.columns, 2);
        Integers<T> expected = c;
        for (std::int64_t j = 0; j < s.columns; ++j)
          for (std::int64_t i = 0; i < s.rows; ++i) {
            T sum = adds ? expected.matrix()(i, j) : T{};
            for (std::int64_t p = 0; p < s.terms; ++p)
              sum += element(a.matrix(), as_a, i, p) * element(b.matrix(), As::adjoint, p, j);
            expected.matrix()(i, j) = sum;
          }
        lapack::packed_gemm<T>(this->kernels(), as_a, As::adjoint, s.rows, s.columns, s.terms, 1, a.matrix(),
                               b.matrix(), adds, c.matrix());
        EXPECT_TRUE(c.data == expected.data) << s.rows << " x " << s.columns << ", " << s.terms << " terms";
      }
}

// With either kind of products, of which $ONEPASS_LAPACK_PRODUCTS chooses one.
TYPED_TEST(PackedProducts, OfAFactorThatThreadsPack) {
  using T = TypeParam;
  constexpr std::int64_t rows = 130, terms = 20, columns = 50, some_rows = 77;
  std::vector<T> memory((rows + 64) * terms + 64);
  lapack::Scratch scratch(lapack::parts(memory.data()));
  lapack::Factor<T> factor(rows, terms, scratch);
  Integers<T> a(rows, terms, 0), b(columns, terms, 1), c(rows, columns, 2);
  Integers<T> expected = c;
  for (std::int64_t j = 5; j < columns; ++j)
    for (std::int64_t i = 0; i < some_rows; ++i)
      for (std::int64_t p = 0; p < terms; ++p)
        expected.matrix()(i, j) -= a.matrix()(i, p) * lapack::conjugate(b.matrix()(j, p));

  factor.set(As::is, rows, terms, a.matrix());
  for (int part = 0; part < 3; ++part) factor.pack(3, part);
  for (const cpu::Range own : {cpu::Range{5, 21}, cpu::Range{21, columns}})
    factor.multiply(some_rows, own, T{-1}, As::adjoint, b.matrix(), true, c.matrix());

  EXPECT_TRUE(c.data == expected.data);
}

TYPED_TEST(PackedProducts, OfAFactorWithoutTermsAreZero) {
  using T = TypeParam;
  std::vector<T> memory(128);
  lapack::Scratch scratch(lapack::parts(memory.data()));
  lapack::Factor<T> factor(5, 1, scratch);
  Integers<T> c(5, 4, 2);
  factor.set(As::adjoint, 5, 0, c.matrix());
  factor.pack(1, 0);
  Integers<T> unchanged = c;
  factor.multiply(5, {0, 4}, T{1}, As::is, c.matrix(), true, c.matrix());
  EXPECT_TRUE(c.data == unchanged.data);
  factor.multiply(5, {0, 4}, T{1}, As::is, c.matrix(), false, c.matrix());
  for (std::int64_t j = 0; j < 4; ++j)
    for (std::int64_t i = 0; i < 5; ++i) EXPECT_EQ(c.matrix()(i, j), T{});
}

TYPED_TEST(PackedProducts, OfPairsInPartsAreThoseAtOnce) {
  using T = TypeParam;
  for (const std::int64_t n : {1, 30, 100, 257})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      std::vector<T> memory(static_cast<std::size_t>((n + 64) * 48 + 64));
      lapack::Scratch scratch(lapack::parts(memory.data()));
      lapack::Factor<T> exchanged(n, 48, scratch);
      Integers<T> pairs(n, 48, 0), at_once(n, n, 2), in_parts(n, n, 2);
      const Matrix<T> p = pairs.matrix();
      lapack::own_rank_2k<T>(uplo, n, 24, {p.data, 2 * p.ld}, {p.data + p.ld, 2 * p.ld}, at_once.matrix());

      exchanged.set_exchanged(n, 48, p);
      for (int part = 0; part < 2; ++part) exchanged.pack(2, part);
      for (std::int64_t first = 0; first < n; first += 37)
        exchanged.subtract_pairs(uplo, {first, std::min(n, first + 37)}, p, in_parts.matrix());

      for (std::int64_t j = 0; j < n; ++j) {  // the imaginary part of the diagonal is nobody's
        at_once.matrix()(j, j) = lapack::real(at_once.matrix()(j, j));
        in_parts.matrix()(j, j) = lapack::real(in_parts.matrix()(j, j));
      }
      EXPECT_TRUE(in_parts.data == at_once.data) << n;
    }
}

}  // namespace
}  // namespace onepass::test
