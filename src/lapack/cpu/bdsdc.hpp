// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular values and vectors of a real upper bidiagonal matrix on the host: by LAPACK's bdsqr and bdsdc if the BLAS
// that is linked has them, as OpenBLAS has, else by QR.
#pragma once

#include <algorithm>
#include <cmath>

#include "lapack/bidiagonal_qr.hpp"
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
  BidiagonalSvd(bool vectors, std::int64_t n, Scratch& scratch) : vectors_(vectors), n_(n) {
#if defined(ONEPASS_HOST_BDSDC)
    work_ = scratch.take<R>(vectors ? 3 * n * n + 4 * n : 4 * n);
    integers_ = scratch.take<int>(vectors ? 8 * n : 0);
#else
    rotated_u_ = scratch.take_matrix<R>(n, vectors ? n : 0);
    rotated_v_ = scratch.take_matrix<R>(n, vectors ? n : 0);
    order_ = scratch.take<std::int64_t>(n);
#endif
  }

  // False if it did not converge, or if an element is not finite.
  bool run(R* d, R* e, Matrix<R> u, Matrix<R> vt) const {
    // That of LAPACK need not end otherwise.
    const auto finite = [](R x) { return std::isfinite(x); };
    if (!std::all_of(d, d + n_, finite) || !std::all_of(e, e + n_ - 1, finite)) return false;
    return solve(d, e, u, vt);
  }

 private:
#if defined(ONEPASS_HOST_BDSDC)
  static auto bdsqr(float) { return sbdsqr_; }
  static auto bdsqr(double) { return dbdsqr_; }
  static auto bdsdc(float) { return sbdsdc_; }
  static auto bdsdc(double) { return dbdsdc_; }

  bool solve(R* d, R* e, Matrix<R> u, Matrix<R> vt) const {
    const int n = static_cast<int>(n_), none = 0, one = 1, ldu = static_cast<int>(u.ld), ldvt = static_cast<int>(vt.ld);
    int info = 0, unused_integer = 0;
    R unused = 0;
    if (vectors_)
      bdsdc(R{})("U", "I", &n, d, e, u.data, &ldu, vt.data, &ldvt, &unused, &unused_integer, work_, integers_, &info);
    else
      bdsqr(R{})("U", &n, &none, &none, &none, d, e, &unused, &one, &unused, &one, &unused, &one, work_, &info);
    return info == 0;
  }

  R* work_;
  int* integers_;
#else
  void rotate(Matrix<R> columns, std::int64_t k, R c, R s) const {
    if (!vectors_) return;
    R *const x = columns.column(k), *const y = columns.column(k + 1);
    for (std::int64_t r = 0; r < n_; ++r) {
      const R before = x[r];
      x[r] = c * before + s * y[r];
      y[r] = c * y[r] - s * before;
    }
  }

  bool solve(R* d, R* e, Matrix<R> u, Matrix<R> vt) const {
    for (std::int64_t c = 0; vectors_ && c < n_; ++c)
      for (std::int64_t r = 0; r < n_; ++r) rotated_u_(r, c) = rotated_v_(r, c) = r == c ? R{1} : R{0};
    const bool found = bidiagonal_qr<R>(
        n_, d, e, [&](std::int64_t k, R c, R s) { rotate(rotated_u_, k, c, s); },
        [&](std::int64_t k, R c, R s) { rotate(rotated_v_, k, c, s); });
    descending<R>(n_, d, order_);
    for (std::int64_t c = 0; vectors_ && c < n_; ++c) {
      const std::int64_t from = order_[c];
      std::copy_n(rotated_u_.column(from), n_, u.column(c));
      for (std::int64_t r = 0; r < n_; ++r) vt(c, r) = std::copysign(R{1}, d[from]) * rotated_v_(r, from);
    }
    for (std::int64_t i = 0; i < n_; ++i) d[i] = std::abs(d[i]);
    std::sort(d, d + n_, [](R a, R b) { return a > b; });
    return found;
  }

  Matrix<R> rotated_u_, rotated_v_;
  std::int64_t* order_ = nullptr;
#endif
  bool vectors_;
  std::int64_t n_;
};

}  // namespace onepass::lapack
