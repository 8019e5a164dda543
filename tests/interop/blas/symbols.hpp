// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The symbols of libonepass_blas.so as a program declares them, and a table of them by type and integer.
#pragma once

#include <complex>
#include <cstdint>

namespace blas_test {

template <class Int>
using FortranGemv = void(const char*, const Int*, const Int*, const void*, const void*, const Int*, const void*,
                         const Int*, const void*, void*, const Int*);
template <class Int>
using FortranSymv = void(const char*, const Int*, const void*, const void*, const Int*, const void*, const Int*,
                         const void*, void*, const Int*);
template <class Int, class Scalar>
using CGemv = void(int, int, Int, Int, Scalar, const void*, Int, const void*, Int, Scalar, void*, Int);
template <class Int, class Scalar>
using CSymv = void(int, int, Int, Scalar, const void*, Int, const void*, Int, Scalar, void*, Int);

using Short = std::int32_t;
using Long = std::int64_t;

extern "C" {
FortranGemv<Short> sgemv_, dgemv_, cgemv_, zgemv_;
FortranGemv<Long> sgemv_64_, dgemv_64_, cgemv_64_, zgemv_64_;
FortranSymv<Short> ssymv_, dsymv_, csymv_, zsymv_, chemv_, zhemv_;
FortranSymv<Long> ssymv_64_, dsymv_64_, csymv_64_, zsymv_64_, chemv_64_, zhemv_64_;
CGemv<Short, float> cblas_sgemv;
CGemv<Short, double> cblas_dgemv;
CGemv<Short, const void*> cblas_cgemv, cblas_zgemv;
CGemv<Long, float> cblas_sgemv_64;
CGemv<Long, double> cblas_dgemv_64;
CGemv<Long, const void*> cblas_cgemv_64, cblas_zgemv_64;
CSymv<Short, float> cblas_ssymv;
CSymv<Short, double> cblas_dsymv;
CSymv<Short, const void*> cblas_chemv, cblas_zhemv;
CSymv<Long, float> cblas_ssymv_64;
CSymv<Long, double> cblas_dsymv_64;
CSymv<Long, const void*> cblas_chemv_64, cblas_zhemv_64;
}

// `triangle`: symv of real types, hemv of complex ones; `symmetric`: symv.
template <class Int, class Scalar>
struct Symbols {
  const char letter;
  FortranGemv<Int>* gemv;
  FortranSymv<Int>* triangle;
  FortranSymv<Int>* symmetric;
  CGemv<Int, Scalar>* c_gemv;
  CSymv<Int, Scalar>* c_triangle;
};

template <class T, class Int>
struct Of;
template <>
struct Of<float, Short> {
  static constexpr Symbols<Short, float> symbols{'S', sgemv_, ssymv_, ssymv_, cblas_sgemv, cblas_ssymv};
};
template <>
struct Of<float, Long> {
  static constexpr Symbols<Long, float> symbols{'S', sgemv_64_, ssymv_64_, ssymv_64_, cblas_sgemv_64, cblas_ssymv_64};
};
template <>
struct Of<double, Short> {
  static constexpr Symbols<Short, double> symbols{'D', dgemv_, dsymv_, dsymv_, cblas_dgemv, cblas_dsymv};
};
template <>
struct Of<double, Long> {
  static constexpr Symbols<Long, double> symbols{'D', dgemv_64_, dsymv_64_, dsymv_64_, cblas_dgemv_64, cblas_dsymv_64};
};
template <>
struct Of<std::complex<float>, Short> {
  static constexpr Symbols<Short, const void*> symbols{'C', cgemv_, chemv_, csymv_, cblas_cgemv, cblas_chemv};
};
template <>
struct Of<std::complex<float>, Long> {
  static constexpr Symbols<Long, const void*> symbols{'C',       cgemv_64_,      chemv_64_,
                                                      csymv_64_, cblas_cgemv_64, cblas_chemv_64};
};
template <>
struct Of<std::complex<double>, Short> {
  static constexpr Symbols<Short, const void*> symbols{'Z', zgemv_, zhemv_, zsymv_, cblas_zgemv, cblas_zhemv};
};
template <>
struct Of<std::complex<double>, Long> {
  static constexpr Symbols<Long, const void*> symbols{'Z',       zgemv_64_,      zhemv_64_,
                                                      zsymv_64_, cblas_zgemv_64, cblas_zhemv_64};
};

// The numbers of cblas.h.
enum : int {
  row_major = 101,
  column_major = 102,
  no_trans = 111,
  trans = 112,
  conj_trans = 113,
  upper = 121,
  lower = 122
};

// A scalar as CBLAS wants it: by value where it is real, by address where it is complex.
template <class T>
T scalar(const T& value) {
  return value;
}
template <class R>
const void* scalar(const std::complex<R>& value) {
  return &value;
}

}  // namespace blas_test
