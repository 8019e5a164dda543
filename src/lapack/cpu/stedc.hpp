// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The eigenproblem of a real tridiagonal matrix on the host: by LAPACK's sterf and stedc if the BLAS that is linked has
// them, as OpenBLAS has, else by QR.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "lapack/cpu/by_qr.hpp"
#include "lapack/cpu/host_limits.hpp"
#include "lapack/cpu/scratch.hpp"
#include "lapack/problem.hpp"

#if defined(ONEPASS_HOST_STEDC)
extern "C" {
void ssterf_(const int*, float*, float*, int*);
void dsterf_(const int*, double*, double*, int*);
void sstedc_(const char*, const int*, float*, float*, float*, const int*, float*, const int*, int*, const int*, int*);
void dstedc_(const char*, const int*, double*, double*, double*, const int*, double*, const int*, int*, const int*,
             int*);
}
#endif

namespace onepass::lapack {

// d becomes the eigenvalues in ascending order, Z (if there is one) the eigenvectors; e is lost.
template <class R>
class TridiagonalEigen {
 public:
  TridiagonalEigen(Job job, std::int64_t n, Scratch& scratch)
      : vectors_(job == Job::vectors),
        by_host_(has_host && (vectors_ ? fits_stedc(n) : fits_host_integer(n))),
        n_(n),
        rotated_(scratch.take_matrix<R>(n, vectors_ && !by_host_ ? n : 0)),
        order_(scratch.take<std::int64_t>(vectors_ && !by_host_ ? n : 0)),
        work_(scratch.take<R>(vectors_ && by_host_ ? stedc_work(n) : 0)),
        integers_(scratch.take<int>(vectors_ && by_host_ ? stedc_integers(n) : 0)) {}

  // False if it did not converge, or if an element is not finite.
  bool run(R* d, R* e, Matrix<R> z) const {
    // That of LAPACK need not end otherwise.
    const auto finite = [](R x) { return std::isfinite(x); };
    if (!std::all_of(d, d + n_, finite) || !std::all_of(e, e + n_ - 1, finite)) return false;
    if (!by_host_) return tridiagonal_by_qr(vectors_, n_, d, e, rotated_, order_, z);
    drop_nothings(d, e);
    return solve_by_host(d, e, z);
  }

 private:
  // sterf computes with squares of e, and eigenvalues are far from right where these are subnormal, as they are of what
  // remains of a matrix of low rank. Beside the largest element such an e is zero but for rounding.
  void drop_nothings(const R* d, R* e) const {
    R largest = 0;
    for (std::int64_t i = 0; i < n_; ++i)
      largest = std::max({largest, std::abs(d[i]), i + 1 < n_ ? std::abs(e[i]) : R{0}});
    const R nothing = largest * std::sqrt(std::numeric_limits<R>::min() / std::numeric_limits<R>::epsilon());
    for (std::int64_t i = 0; i + 1 < n_; ++i)
      if (std::abs(e[i]) <= nothing) e[i] = 0;
  }

#if defined(ONEPASS_HOST_STEDC)
  static constexpr bool has_host = true;
  static void sterf(const int* n, float* d, float* e, int* info) { ssterf_(n, d, e, info); }
  static void sterf(const int* n, double* d, double* e, int* info) { dsterf_(n, d, e, info); }
  template <class... Rest>
  static void stedc(const int* n, float* d, Rest... rest) {
    sstedc_("I", n, d, rest...);
  }
  template <class... Rest>
  static void stedc(const int* n, double* d, Rest... rest) {
    dstedc_("I", n, d, rest...);
  }

  bool solve_by_host(R* d, R* e, Matrix<R> z) const {
    const int n = static_cast<int>(n_);
    int info = 0;
    if (!vectors_) {
      sterf(&n, d, e, &info);
    } else {
      const int ldz = static_cast<int>(z.ld), lwork = static_cast<int>(stedc_work(n_)),
                liwork = static_cast<int>(stedc_integers(n_));
      stedc(&n, d, e, z.data, &ldz, work_, &lwork, integers_, &liwork, &info);
    }
    return info == 0;
  }
#else
  static constexpr bool has_host = false;
  bool solve_by_host(R*, R*, Matrix<R>) const { return false; }
#endif

  bool vectors_, by_host_;
  std::int64_t n_;
  Matrix<R> rotated_;
  std::int64_t* order_;
  R* work_;
  int* integers_;
};

}  // namespace onepass::lapack
