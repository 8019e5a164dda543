// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The products of level 3 that the host's BLAS does.
#pragma once

#include <complex>
#include <cstdint>

#include "lapack/element.hpp"

extern "C" {
#define ONEPASS_LEVEL_3(L, T)                                                                                   \
  void L##gemm_(const char*, const char*, const int*, const int*, const int*, const T*, const T*, const int*,   \
                const T*, const int*, const T*, T*, const int*);                                                \
  void L##trmm_(const char*, const char*, const char*, const char*, const int*, const int*, const T*, const T*, \
                const int*, T*, const int*);
ONEPASS_LEVEL_3(s, float)
ONEPASS_LEVEL_3(d, double)
ONEPASS_LEVEL_3(c, std::complex<float>)
ONEPASS_LEVEL_3(z, std::complex<double>)
#undef ONEPASS_LEVEL_3
#define ONEPASS_RANK_2K(NAME, T, R)                                                                                 \
  void NAME(const char*, const char*, const int*, const int*, const T*, const T*, const int*, const T*, const int*, \
            const R*, T*, const int*);
ONEPASS_RANK_2K(ssyr2k_, float, float)
ONEPASS_RANK_2K(dsyr2k_, double, double)
ONEPASS_RANK_2K(cher2k_, std::complex<float>, float)
ONEPASS_RANK_2K(zher2k_, std::complex<double>, double)
#undef ONEPASS_RANK_2K
}

namespace onepass::lapack {

template <class T>
struct Level3;
#define ONEPASS_LEVEL_3(L, T, R2K)         \
  template <>                              \
  struct Level3<T> {                       \
    static constexpr auto gemm = L##gemm_; \
    static constexpr auto trmm = L##trmm_; \
    static constexpr auto rank_2k = R2K;   \
  };
ONEPASS_LEVEL_3(s, float, ssyr2k_)
ONEPASS_LEVEL_3(d, double, dsyr2k_)
ONEPASS_LEVEL_3(c, std::complex<float>, cher2k_)
ONEPASS_LEVEL_3(z, std::complex<double>, zher2k_)
#undef ONEPASS_LEVEL_3

// op(A): as it is, or conjugated and transposed.
enum class As : bool { is, adjoint };

template <class T>
const char* trans_of(As as) {
  return as == As::is ? "N" : is_complex<T> ? "C" : "T";
}
inline int narrow(std::int64_t v) { return static_cast<int>(v); }

// C := alpha op(A) op(B) + beta C, with C of m x n and k terms.
template <class T>
void gemm(As as_a, As as_b, std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a,
          Matrix<const T> b, T beta, Matrix<T> c) {
  if (m == 0 || n == 0) return;
  const int rows = narrow(m), columns = narrow(n), terms = narrow(k), lda = narrow(a.ld), ldb = narrow(b.ld),
            ldc = narrow(c.ld);
  Level3<T>::gemm(trans_of<T>(as_a), trans_of<T>(as_b), &rows, &columns, &terms, &alpha, a.data, &lda, b.data, &ldb,
                  &beta, c.data, &ldc);
}

// B := op(T) B or B op(T), with a triangle T.
template <class T>
void multiply_by_triangle(Side side, Uplo uplo, As as, std::int64_t m, std::int64_t n, Matrix<const T> t, Matrix<T> b) {
  if (m == 0 || n == 0) return;
  const int rows = narrow(m), columns = narrow(n), ldt = narrow(t.ld), ldb = narrow(b.ld);
  const T one{1};
  Level3<T>::trmm(side == Side::left ? "L" : "R", uplo == Uplo::upper ? "U" : "L", trans_of<T>(as), "N", &rows,
                  &columns, &one, t.data, &ldt, b.data, &ldb);
}

// The triangle of A := A - V W^H - W V^H, with k columns of V and W.
template <class T>
void subtract_rank_2k(Uplo uplo, std::int64_t n, std::int64_t k, Matrix<const T> v, Matrix<const T> w, Matrix<T> a) {
  if (n == 0) return;
  const int order = narrow(n), terms = narrow(k), ldv = narrow(v.ld), ldw = narrow(w.ld), lda = narrow(a.ld);
  const T minus_one{-1};
  const Real<T> one = 1;
  Level3<T>::rank_2k(uplo == Uplo::upper ? "U" : "L", "N", &order, &terms, &minus_one, v.data, &ldv, w.data, &ldw, &one,
                     a.data, &lda);
}

}  // namespace onepass::lapack
