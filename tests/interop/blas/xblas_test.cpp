// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of XBLAS: as many digits as they are asked for, x as head and tail, errors told to BLAS_error.
#include <gtest/gtest.h>

#include <complex>
#include <string>
#include <vector>

namespace {

struct XblasReport {
  std::string routine;
  int position = 0, value = 0;
};
XblasReport told;  // NOLINT: what BLAS_error was told

}  // namespace

extern "C" {
void BLAS_error(const char* name, int position, int value, char* /*form*/, ...) { told = {name, position, value}; }

#define DECLARE_GEMV(LETTER, SCALAR)                                                                                   \
  void BLAS_##LETTER##gemv_x(int, int, int, int, SCALAR, const void*, int, const void*, int, SCALAR, void*, int, int); \
  void BLAS_##LETTER##gemv2_x(int, int, int, int, SCALAR, const void*, int, const void*, const void*, int, SCALAR,     \
                              void*, int, int);                                                                        \
  void blas_##LETTER##gemv_x_(const int*, const int*, const int*, const void*, const void*, const int*, const void*,   \
                              const int*, const void*, void*, const int*, const int*);                                 \
  void blas_##LETTER##gemv2_x_(const int*, const int*, const int*, const void*, const void*, const int*, const void*,  \
                               const void*, const int*, const void*, void*, const int*, const int*);
#define DECLARE_SYMV(NAME, SCALAR)                                                                                  \
  void BLAS_##NAME##_x(int, int, int, SCALAR, const void*, int, const void*, int, SCALAR, void*, int, int);         \
  void BLAS_##NAME##2_x(int, int, int, SCALAR, const void*, int, const void*, const void*, int, SCALAR, void*, int, \
                        int);                                                                                       \
  void blas_##NAME##_x_(const int*, const int*, const void*, const void*, const int*, const void*, const int*,      \
                        const void*, void*, const int*, const int*);                                                \
  void blas_##NAME##2_x_(const int*, const int*, const void*, const void*, const int*, const void*, const void*,    \
                         const int*, const void*, void*, const int*, const int*);
DECLARE_GEMV(s, float)
DECLARE_GEMV(d, double)
DECLARE_GEMV(c, const void*)
DECLARE_GEMV(z, const void*)
DECLARE_SYMV(ssymv, float)
DECLARE_SYMV(dsymv, double)
DECLARE_SYMV(csymv, const void*)
DECLARE_SYMV(zsymv, const void*)
DECLARE_SYMV(chemv, const void*)
DECLARE_SYMV(zhemv, const void*)
}

namespace blas_test {
namespace {

constexpr int row_major = 101, column_major = 102, no_trans = 111, upper = 121, lower = 122;
constexpr int single = 211, full = 212, indigenous = 213, extra = 214;

template <class T>
constexpr bool is_single = sizeof(T) == 4 || (sizeof(T) == 8 && !std::is_same_v<T, double>);

// [big 1 -big] x, whose 1 may be lost where a sum has no more digits than an element; symmetric, with tails of 0.25.
template <class T>
struct Numbers {
  T big = is_single<T> ? T(1e9) : T(1e17), one = T(1), zero = T(0);
  std::vector<T> a = {big, T(1), -big, T(1), T(0), T(0), -big, T(0), big}, x = {T(1), T(1), T(1)},
                 tail = {T(0), T(0.25), T(0)}, y = {T(7), T(7), T(7)};
};

template <class T>
auto scalar(const T& value) {
  if constexpr (std::is_floating_point_v<T>)
    return value;
  else
    return static_cast<const void*>(&value);
}

template <class T, class Gemv, class Gemv2, class Fortran, class Fortran2>
void expect_gemv(Gemv gemv, Gemv2 gemv2, Fortran fortran, Fortran2 fortran2) {
  const int n = 3, one = 1;
  for (const int prec : {single, full, indigenous, extra}) {
    const bool has_digits = prec == extra || (prec == full && is_single<T>);
    for (const int order : {row_major, column_major}) {
      Numbers<T> k;
      gemv(order, no_trans, n, n, scalar(k.one), k.a.data(), n, k.x.data(), 1, scalar(k.zero), k.y.data(), 1, prec);
      EXPECT_EQ(k.y[1], T(1)) << prec;
      EXPECT_TRUE(k.y[0] == T(1) || !has_digits) << prec;
      gemv2(order, no_trans, n, n, scalar(k.one), k.a.data(), n, k.x.data(), k.tail.data(), 1, scalar(k.zero),
            k.y.data(), 1, prec);
      EXPECT_EQ(k.y[0], T(1.25)) << prec;
    }
    Numbers<T> k;
    fortran(&no_trans, &n, &n, &k.one, k.a.data(), &n, k.x.data(), &one, &k.zero, k.y.data(), &one, &prec);
    EXPECT_TRUE(k.y[0] == T(1) || !has_digits) << prec;
    fortran2(&no_trans, &n, &n, &k.one, k.a.data(), &n, k.x.data(), k.tail.data(), &one, &k.zero, k.y.data(), &one,
             &prec);
    EXPECT_EQ(k.y[0], T(1.25)) << prec;
  }
}

template <class T, class Symv, class Symv2, class Fortran, class Fortran2>
void expect_symv(Symv symv, Symv2 symv2, Fortran fortran, Fortran2 fortran2) {
  const int n = 3, one = 1;
  for (const int uplo : {upper, lower}) {
    Numbers<T> k;
    symv(column_major, uplo, n, scalar(k.one), k.a.data(), n, k.x.data(), 1, scalar(k.zero), k.y.data(), 1, extra);
    EXPECT_EQ(k.y, (std::vector<T>{T(1), T(1), T(0)}));
    symv2(row_major, uplo, n, scalar(k.one), k.a.data(), n, k.x.data(), k.tail.data(), 1, scalar(k.zero), k.y.data(), 1,
          extra);
    EXPECT_EQ(k.y, (std::vector<T>{T(1.25), T(1), T(0)}));
    fortran(&uplo, &n, &k.one, k.a.data(), &n, k.x.data(), &one, &k.zero, k.y.data(), &one, &extra);
    EXPECT_EQ(k.y, (std::vector<T>{T(1), T(1), T(0)}));
    fortran2(&uplo, &n, &k.one, k.a.data(), &n, k.x.data(), k.tail.data(), &one, &k.zero, k.y.data(), &one, &extra);
    EXPECT_EQ(k.y, (std::vector<T>{T(1.25), T(1), T(0)}));
  }
}

TEST(Xblas, SumsHaveTheDigitsThatAreAskedFor) {
  expect_gemv<float>(BLAS_sgemv_x, BLAS_sgemv2_x, blas_sgemv_x_, blas_sgemv2_x_);
  expect_gemv<double>(BLAS_dgemv_x, BLAS_dgemv2_x, blas_dgemv_x_, blas_dgemv2_x_);
  expect_gemv<std::complex<float>>(BLAS_cgemv_x, BLAS_cgemv2_x, blas_cgemv_x_, blas_cgemv2_x_);
  expect_gemv<std::complex<double>>(BLAS_zgemv_x, BLAS_zgemv2_x, blas_zgemv_x_, blas_zgemv2_x_);
  expect_symv<float>(BLAS_ssymv_x, BLAS_ssymv2_x, blas_ssymv_x_, blas_ssymv2_x_);
  expect_symv<double>(BLAS_dsymv_x, BLAS_dsymv2_x, blas_dsymv_x_, blas_dsymv2_x_);
  expect_symv<std::complex<float>>(BLAS_csymv_x, BLAS_csymv2_x, blas_csymv_x_, blas_csymv2_x_);
  expect_symv<std::complex<double>>(BLAS_zsymv_x, BLAS_zsymv2_x, blas_zsymv_x_, blas_zsymv2_x_);
  expect_symv<std::complex<float>>(BLAS_chemv_x, BLAS_chemv2_x, blas_chemv_x_, blas_chemv2_x_);
  expect_symv<std::complex<double>>(BLAS_zhemv_x, BLAS_zhemv2_x, blas_zhemv_x_, blas_zhemv2_x_);
}

TEST(Xblas, ErrorsHaveNamePositionAndValue) {
  Numbers<double> k;
  const auto gemv = [&](int order, int trans, int m, int lda, int incx, int incy, int prec) {
    told = {};
    BLAS_dgemv_x(order, trans, m, 3, 1, k.a.data(), lda, k.x.data(), incx, 0, k.y.data(), incy, prec);
    EXPECT_EQ(told.routine, "BLAS_dgemv_x");
    return std::pair(told.position, told.value);
  };
  EXPECT_EQ(gemv(7, no_trans, 3, 3, 1, 1, extra).first, -1);
  EXPECT_EQ(gemv(column_major, 7, 3, 3, 1, 1, extra).first, -2);
  EXPECT_EQ(gemv(column_major, no_trans, -5, 3, 1, 1, extra), std::pair(-3, -5));
  EXPECT_EQ(gemv(column_major, no_trans, 3, 2, 1, 1, extra), std::pair(-7, 2));
  EXPECT_EQ(gemv(column_major, no_trans, 3, 3, 0, 1, extra), std::pair(-9, 0));
  EXPECT_EQ(gemv(column_major, no_trans, 3, 3, 1, 0, extra), std::pair(-12, 0));
  EXPECT_EQ(gemv(column_major, no_trans, 3, 3, 1, 1, 215), std::pair(-13, 215));
  BLAS_dsymv2_x(column_major, upper, 3, 1, k.a.data(), 3, k.x.data(), k.tail.data(), 0, 0, k.y.data(), 1, extra);
  EXPECT_EQ(told.routine, "BLAS_dsymv2_x");
  EXPECT_EQ(told.position, -9);
  BLAS_dsymv2_x(column_major, upper, 3, 1, k.a.data(), 2, k.x.data(), k.tail.data(), 1, 0, k.y.data(), 1, extra);
  EXPECT_EQ(told.position, -6);
  EXPECT_EQ(k.y, (std::vector<double>{7, 7, 7}));
}

}  // namespace
}  // namespace blas_test
