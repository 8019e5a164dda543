// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular values and vectors of a real upper bidiagonal matrix on the host: by LAPACK's bdsqr and bdsdc if the BLAS
// that is linked has them, as OpenBLAS has, else by QR.
#pragma once

#include <algorithm>
#include <cmath>

#include "lapack/cpu/by_qr.hpp"
#include "lapack/cpu/host_limits.hpp"
#include "lapack/cpu/scratch.hpp"

#if defined(ONEPASS_HOST_BDSDC)
extern "C" {
#define ONEPASS_BIDIAGONAL(L, R)                                                                                      \
  void L##bdsqr_(const char*, const int*, const int*, const int*, const int*, R*, R*, R*, const int*, R*, const int*, \
                 R*, const int*, R*, int*);                                                                           \
  void L##bdsdc_(const char*, const char*, const int*, R*, R*, R*, const int*, R*, const int*, R*, int*, R*, int*,    \
                 int*);
ONEPASS_BIDIAGONAL(s, float)
ONEPASS_BIDIAGONAL(d, double)
#undef ONEPASS_BIDIAGONAL
}
#endif

namespace onepass::lapack {

// d becomes the singular values in descending order, U and V^T (if vectors are wanted) those vectors; e is lost.
template <class R>
class BidiagonalSvd {
 public:
  BidiagonalSvd(bool vectors, std::int64_t n, Scratch& scratch)
      : vectors_(vectors),
        by_host_(has_host && (vectors ? fits_bdsdc(n) : fits_host_integer(4 * n))),
        n_(n),
        rotated_u_(scratch.take_matrix<R>(n, vectors && !by_host_ ? n : 0)),
        rotated_v_(scratch.take_matrix<R>(n, vectors && !by_host_ ? n : 0)),
        order_(scratch.take<std::int64_t>(vectors && !by_host_ ? n : 0)),
        work_(scratch.take<R>(!by_host_ ? 0
                              : vectors ? bdsdc_work(n)
                                        : 4 * n)),
        integers_(scratch.take<int>(by_host_ && vectors ? bdsdc_integers(n) : 0)) {}

  // False if it did not converge, or if an element is not finite.
  bool run(R* d, R* e, Matrix<R> u, Matrix<R> vt) const {
    // That of LAPACK need not end otherwise.
    const auto finite = [](R x) { return std::isfinite(x); };
    if (!std::all_of(d, d + n_, finite) || !std::all_of(e, e + n_ - 1, finite)) return false;
    if (!by_host_) return bidiagonal_by_qr(vectors_, n_, d, e, rotated_u_, rotated_v_, order_, u, vt);
    return solve_by_host(d, e, u, vt);
  }

 private:
#if defined(ONEPASS_HOST_BDSDC)
  static constexpr bool has_host = true;
  static auto bdsqr(float) { return sbdsqr_; }
  static auto bdsqr(double) { return dbdsqr_; }
  static auto bdsdc(float) { return sbdsdc_; }
  static auto bdsdc(double) { return dbdsdc_; }

  bool solve_by_host(R* d, R* e, Matrix<R> u, Matrix<R> vt) const {
    const int n = static_cast<int>(n_), none = 0, one = 1, ldu = static_cast<int>(u.ld), ldvt = static_cast<int>(vt.ld);
    int info = 0, unused_integer = 0;
    R unused = 0;
    if (vectors_)
      bdsdc(R{})("U", "I", &n, d, e, u.data, &ldu, vt.data, &ldvt, &unused, &unused_integer, work_, integers_, &info);
    else
      bdsqr(R{})("U", &n, &none, &none, &none, d, e, &unused, &one, &unused, &one, &unused, &one, work_, &info);
    return info == 0;
  }
#else
  static constexpr bool has_host = false;
  bool solve_by_host(R*, R*, Matrix<R>, Matrix<R>) const { return false; }
#endif

  bool vectors_, by_host_;
  std::int64_t n_;
  Matrix<R> rotated_u_, rotated_v_;
  std::int64_t* order_;
  R* work_;
  int* integers_;
};

}  // namespace onepass::lapack
