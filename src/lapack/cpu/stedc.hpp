// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The eigenproblem of a real tridiagonal matrix on the host: by LAPACK's sterf and stedc if the BLAS that is linked has
// them, as OpenBLAS has, else by QR.
#pragma once

#include <algorithm>
#include <cmath>

#include "lapack/cpu/scratch.hpp"
#include "lapack/problem.hpp"
#include "lapack/tridiagonal_qr.hpp"

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
  TridiagonalEigen(Job job, std::int64_t n, Scratch& scratch) : job_(job), n_(n) {
#if defined(ONEPASS_HOST_STEDC)
    if (job == Job::values) return;
    work_elements_ = 1 + 4 * n + n * n;
    integer_elements_ = 3 + 5 * n;
    work_ = scratch.take<R>(work_elements_);
    integers_ = scratch.take<int>(integer_elements_);
#else
    if (job == Job::values) return;
    rotated_ = scratch.take_matrix<R>(n, n);
    order_ = scratch.take<std::int64_t>(n);
#endif
  }

  // False if it did not converge, or if an element is not finite.
  bool run(R* d, R* e, Matrix<R> z) const {
    // That of LAPACK need not end otherwise.
    const auto finite = [](R x) { return std::isfinite(x); };
    if (!std::all_of(d, d + n_, finite) || !std::all_of(e, e + n_ - 1, finite)) return false;
    return solve(d, e, z);
  }

 private:
#if defined(ONEPASS_HOST_STEDC)
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

  bool solve(R* d, R* e, Matrix<R> z) const {
    const int n = static_cast<int>(n_);
    int info = 0;
    if (job_ == Job::values) {
      sterf(&n, d, e, &info);
    } else {
      const int ldz = static_cast<int>(z.ld), lwork = static_cast<int>(work_elements_),
                liwork = static_cast<int>(integer_elements_);
      stedc(&n, d, e, z.data, &ldz, work_, &lwork, integers_, &liwork, &info);
    }
    return info == 0;
  }

  std::int64_t work_elements_ = 0, integer_elements_ = 0;
  R* work_ = nullptr;
  int* integers_ = nullptr;
#else
  bool solve(R* d, R* e, Matrix<R> z) const {
    const bool vectors = job_ == Job::vectors;
    if (vectors)
      for (std::int64_t c = 0; c < n_; ++c)
        for (std::int64_t r = 0; r < n_; ++r) rotated_(r, c) = r == c ? R{1} : R{0};
    const bool found = tridiagonal_qr<R>(n_, d, e, [&](std::int64_t k, R c, R s) {
      if (!vectors) return;
      R *const x = rotated_.column(k), *const y = rotated_.column(k + 1);
      for (std::int64_t r = 0; r < n_; ++r) {
        const R before = x[r];
        x[r] = c * before + s * y[r];
        y[r] = c * y[r] - s * before;
      }
    });
    if (vectors) {
      ascending<R>(n_, d, order_);
      for (std::int64_t c = 0; c < n_; ++c) std::copy_n(rotated_.column(order_[c]), n_, z.column(c));
    }
    std::sort(d, d + n_);
    return found;
  }

  Matrix<R> rotated_;
  std::int64_t* order_ = nullptr;
#endif
  Job job_;
  std::int64_t n_;
};

}  // namespace onepass::lapack
