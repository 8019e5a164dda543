// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Bad arguments: the program's own xerbla_ and cblas_xerbla are told the routine and the position, before a scalar or
// an operand is read.
#include <gtest/gtest.h>

#include <string>

#include "interop/blas/symbols.hpp"

namespace {

struct Report {
  std::string routine;
  std::int64_t position = 0;
  int count = 0;
};
Report last;  // NOLINT: what the functions below were told

void tell(std::string routine, std::int64_t position) {
  last = {.routine = std::move(routine), .position = position, .count = last.count + 1};
}

}  // namespace

extern "C" {
void xerbla_(const char* name, const std::int32_t* position, std::size_t length) { tell({name, length}, *position); }
void xerbla_64_(const char* name, const std::int64_t* position, std::size_t length) {
  tell(std::string(name, length) + "64", *position);
}
void cblas_xerbla(std::int32_t position, const char* name, const char* /*form*/, ...) { tell(name, position); }
void cblas_xerbla_64(std::int64_t position, const char* name, const char* /*form*/, ...) {
  tell(std::string(name) + "64", position);
}
}

namespace blas_test {
namespace {

#define EXPECT_REPORT(ROUTINE, POSITION, CALL)   \
  do {                                           \
    last = {};                                   \
    CALL;                                        \
    EXPECT_EQ(last.count, 1) << #CALL;           \
    EXPECT_EQ(last.routine, ROUTINE) << #CALL;   \
    EXPECT_EQ(last.position, POSITION) << #CALL; \
  } while (false)

template <class Int>
std::string fortran_name(char letter, const char* rest) {
  return letter + std::string(rest) + " " + (sizeof(Int) == 8 ? "64" : "");
}

template <class Int>
std::string c_name(char letter, const char* rest) {
  return std::string("cblas_") + static_cast<char>(letter - 'A' + 'a') + rest + (sizeof(Int) == 8 ? "64" : "");
}

template <class T, class Int>
void expect_errors_of_gemv() {
  static constexpr auto symbols = Of<T, Int>::symbols;
  const auto call = [&](char op, Int m, Int n, Int lda, Int incx, Int incy) {
    symbols.gemv(&op, &m, &n, nullptr, nullptr, &lda, nullptr, &incx, nullptr, nullptr, &incy);
  };
  const std::string name = fortran_name<Int>(symbols.letter, "GEMV");
  EXPECT_REPORT(name, 1, call('/', 0, 0, 1, 1, 1));
  EXPECT_REPORT(name, 1, call('R', -1, -1, 0, 0, 0));
  EXPECT_REPORT(name, 2, call('N', -1, -1, 0, 0, 0));
  EXPECT_REPORT(name, 3, call('T', 0, -1, 0, 0, 0));
  EXPECT_REPORT(name, 6, call('N', 2, 0, 1, 0, 0));
  EXPECT_REPORT(name, 6, call('C', 0, 0, 0, 0, 0));
  EXPECT_REPORT(name, 8, call('N', 0, 0, 1, 0, 0));
  EXPECT_REPORT(name, 11, call('N', 0, 0, 1, 1, 0));
}

template <class T, class Int>
void expect_errors_of_triangles() {
  static constexpr auto symbols = Of<T, Int>::symbols;
  const bool is_complex = symbols.triangle != symbols.symmetric;
  for (const bool hermitian : {false, is_complex}) {
    const auto call = [&](char uplo, Int n, Int lda, Int incx, Int incy) {
      (hermitian ? symbols.triangle : symbols.symmetric)(&uplo, &n, nullptr, nullptr, &lda, nullptr, &incx, nullptr,
                                                         nullptr, &incy);
    };
    const std::string name = fortran_name<Int>(symbols.letter, hermitian ? "HEMV" : "SYMV");
    EXPECT_REPORT(name, 1, call('/', 0, 1, 1, 1));
    EXPECT_REPORT(name, 2, call('U', -1, 0, 0, 0));
    EXPECT_REPORT(name, 5, call('L', 2, 1, 0, 0));
    EXPECT_REPORT(name, 7, call('L', 0, 1, 0, 0));
    EXPECT_REPORT(name, 10, call('L', 0, 1, 1, 0));
  }
}

template <class T, class Int>
void expect_errors_of_cblas() {
  static constexpr auto symbols = Of<T, Int>::symbols;
  const T value{};
  const auto gemv = [&](int layout, int op, Int m, Int n, Int lda, Int incx, Int incy) {
    symbols.c_gemv(layout, op, m, n, scalar(value), nullptr, lda, nullptr, incx, scalar(value), nullptr, incy);
  };
  const std::string name = c_name<Int>(symbols.letter, "gemv");
  EXPECT_REPORT(name, 1, gemv(0, 0, -1, -1, 0, 0, 0));
  for (const int layout : {row_major, column_major}) {
    EXPECT_REPORT(name, 2, gemv(layout, 114, -1, -1, 0, 0, 0));
    EXPECT_REPORT(name, 3, gemv(layout, no_trans, -1, 0, 1, 1, 1));
    EXPECT_REPORT(name, 4, gemv(layout, no_trans, 0, -1, 1, 1, 1));
    EXPECT_REPORT(name, 9, gemv(layout, no_trans, 0, 0, 1, 0, 1));
    EXPECT_REPORT(name, 12, gemv(layout, no_trans, 0, 0, 1, 1, 0));
  }
  EXPECT_REPORT(name, 7, gemv(row_major, no_trans, 0, 2, 1, 1, 1));
  EXPECT_REPORT(name, 7, gemv(column_major, no_trans, 2, 0, 1, 1, 1));

  const auto triangle = [&](int layout, int uplo, Int n, Int lda, Int incx, Int incy) {
    symbols.c_triangle(layout, uplo, n, scalar(value), nullptr, lda, nullptr, incx, scalar(value), nullptr, incy);
  };
  const bool is_complex = symbols.triangle != symbols.symmetric;
  const std::string other = c_name<Int>(symbols.letter, is_complex ? "hemv" : "symv");
  EXPECT_REPORT(other, 1, triangle(0, 0, -1, 0, 0, 0));
  for (const int layout : {row_major, column_major}) {
    EXPECT_REPORT(other, 2, triangle(layout, 0, -1, 0, 0, 0));
    EXPECT_REPORT(other, 3, triangle(layout, upper, -1, 0, 0, 0));
    EXPECT_REPORT(other, 6, triangle(layout, upper, 2, 1, 0, 0));
    EXPECT_REPORT(other, 8, triangle(layout, lower, 0, 1, 0, 0));
    EXPECT_REPORT(other, 11, triangle(layout, lower, 0, 1, 1, 0));
  }
}

template <class T>
class Errors : public testing::Test {};
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(Errors, Types);

TYPED_TEST(Errors, OfGemvHaveNameAndPosition) {
  expect_errors_of_gemv<TypeParam, Short>();
  expect_errors_of_gemv<TypeParam, Long>();
}

TYPED_TEST(Errors, OfTrianglesHaveNameAndPosition) {
  expect_errors_of_triangles<TypeParam, Short>();
  expect_errors_of_triangles<TypeParam, Long>();
}

TYPED_TEST(Errors, OfCblasHaveNameAndPositionInBothLayouts) {
  expect_errors_of_cblas<TypeParam, Short>();
  expect_errors_of_cblas<TypeParam, Long>();
}

// The sizes of a 64-bit call are not cut to 32 bits: 2^32 + 1 columns need no lda, 2^32 + 1 rows do.
TEST(Errors, OfLongIntegersSeeAll64Bits) {
  const Long one = 1, large = (Long{1} << 32) + 1;
  EXPECT_REPORT("DGEMV 64", 6,
                dgemv_64_("N", &large, &one, nullptr, nullptr, &one, nullptr, &one, nullptr, nullptr, &one));
}

}  // namespace
}  // namespace blas_test
