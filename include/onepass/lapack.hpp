// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
//
// Reductions, QR and what is solved by them, C++ interface: RAII handles, one name for all element types, exceptions.
// Header only, over lapack.h.
//
//   onepass::lapack::Handle handle;
//   onepass::lapack::tridiagonalize(handle, onepass::Uplo::lower, n, a, lda, d, e, tau);  // A = Q T Q^H
//   onepass::lapack::orgtr(handle, onepass::Uplo::lower, n, a, lda, tau);                 // a := Q
//
// Pointers are device pointers on the `cuda` backend and host pointers on the others.
#ifndef ONEPASS_LAPACK_HPP
#define ONEPASS_LAPACK_HPP

#include <cstddef>
#include <cstdint>

#include "onepass/lapack_problems.hpp"

namespace onepass::lapack {
inline namespace api {

// ---- The reductions ----------------------------------------------------------------------------

// A = Q T Q^H, T real and tridiagonal: sytrd, or hetrd of complex types. d has n elements, e and tau n - 1.
template <class T>
void tridiagonalize(const Handle& handle, Uplo uplo, std::int64_t n, T* a, std::int64_t lda, Real<T>* d, Real<T>* e,
                    T* tau, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, sytrd_problem<T>(uplo, n, lda),
      {a, d, e, tau, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, workspace, bytes);
}

// A = Q B P^H, B real and bidiagonal, upper for m >= n, else lower: gebrd. With k = min(m, n), d, tauq and taup have k
// elements, and e k - 1.
template <class T>
void bidiagonalize(const Handle& handle, std::int64_t m, std::int64_t n, T* a, std::int64_t lda, Real<T>* d, Real<T>* e,
                   T* tauq, T* taup, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, gebrd_problem<T>(m, n, lda), {a, d, e, tauq, taup, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
      workspace, bytes);
}

// A = Q H Q^H, H of Hessenberg form: gehrd. Rows and columns ilo..ihi, counted from 1, are reduced. tau has n - 1
// elements.
template <class T>
void hessenberg(const Handle& handle, std::int64_t n, std::int64_t ilo, std::int64_t ihi, T* a, std::int64_t lda,
                T* tau, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, gehrd_problem<T>(n, ilo, ihi, lda),
      {a, nullptr, nullptr, tau, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, workspace, bytes);
}

// ---- Their factors Q, of any type by the names of the real ones: orgtr is ungtr of complex types, ormtr unmtr ...

// A := Q of tridiagonalize.
template <class T>
void orgtr(const Handle& handle, Uplo uplo, std::int64_t n, T* a, std::int64_t lda, const T* tau,
           void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, orgtr_problem<T>(uplo, n, lda), detail::reads<T>(a, tau, nullptr), workspace, bytes);
}

// A := n columns of Q (Vect::q) or m rows of P^H (Vect::p) of bidiagonalize, which reduced m x k or k x n.
template <class T>
void orgbr(const Handle& handle, Vect vect, std::int64_t m, std::int64_t n, std::int64_t k, T* a, std::int64_t lda,
           const T* tau, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, orgbr_problem<T>(vect, m, n, k, lda), detail::reads<T>(a, tau, nullptr), workspace, bytes);
}

// A := Q of hessenberg.
template <class T>
void orghr(const Handle& handle, std::int64_t n, std::int64_t ilo, std::int64_t ihi, T* a, std::int64_t lda,
           const T* tau, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, orghr_problem<T>(n, ilo, ihi, lda), detail::reads<T>(a, tau, nullptr), workspace, bytes);
}

// C := op(Q) C or C op(Q), Q of tridiagonalize. op: N, and T of real or C of complex types.
template <class T>
void ormtr(const Handle& handle, Side side, Uplo uplo, Op op, std::int64_t m, std::int64_t n, const T* a,
           std::int64_t lda, const T* tau, T* c, std::int64_t ldc, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, ormtr_problem<T>(side, uplo, op, m, n, lda, ldc), detail::reads<T>(a, tau, c), workspace, bytes);
}

// Likewise Q or P of bidiagonalize, which reduced a matrix with k columns or rows.
template <class T>
void ormbr(const Handle& handle, Vect vect, Side side, Op op, std::int64_t m, std::int64_t n, std::int64_t k,
           const T* a, std::int64_t lda, const T* tau, T* c, std::int64_t ldc, void* workspace = nullptr,
           std::size_t bytes = 0) {
  run(handle, ormbr_problem<T>(vect, side, op, m, n, k, lda, ldc), detail::reads<T>(a, tau, c), workspace, bytes);
}

// Likewise Q of hessenberg.
template <class T>
void ormhr(const Handle& handle, Side side, Op op, std::int64_t m, std::int64_t n, std::int64_t ilo, std::int64_t ihi,
           const T* a, std::int64_t lda, const T* tau, T* c, std::int64_t ldc, void* workspace = nullptr,
           std::size_t bytes = 0) {
  run(handle, ormhr_problem<T>(side, op, m, n, ilo, ihi, lda, ldc), detail::reads<T>(a, tau, c), workspace, bytes);
}

// ---- QR ----------------------------------------------------------------------------------------

// A = Q R, R on and above the diagonal of A: geqrf. tau has min(m, n) elements.
template <class T>
void qr(const Handle& handle, std::int64_t m, std::int64_t n, T* a, std::int64_t lda, T* tau, void* workspace = nullptr,
        std::size_t bytes = 0) {
  run(handle, geqrf_problem<T>(m, n, lda),
      {a, nullptr, nullptr, tau, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr}, workspace, bytes);
}

// A := the first n columns of Q of qr, of its first k reflectors: m >= n >= k.
template <class T>
void orgqr(const Handle& handle, std::int64_t m, std::int64_t n, std::int64_t k, T* a, std::int64_t lda, const T* tau,
           void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, orgqr_problem<T>(m, n, k, lda), detail::reads<T>(a, tau, nullptr), workspace, bytes);
}

// C := op(Q) C or C op(Q), Q of the first k reflectors of qr.
template <class T>
void ormqr(const Handle& handle, Side side, Op op, std::int64_t m, std::int64_t n, std::int64_t k, const T* a,
           std::int64_t lda, const T* tau, T* c, std::int64_t ldc, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, ormqr_problem<T>(side, op, m, n, k, lda, ldc), detail::reads<T>(a, tau, c), workspace, bytes);
}

// ---- Eigenproblems and singular values ---------------------------------------------------------

// A = V diag(w) V^H: syevd, or heevd of complex types. w has n elements, ascending; Job::vectors: A := V. `info` is an
// int where the matrices live: 0, or positive where A is not finite or nothing converged.
template <class T>
void eigh(const Handle& handle, Job job, Uplo uplo, std::int64_t n, T* a, std::int64_t lda, Real<T>* w, int* info,
          void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, syevd_problem<T>(job, uplo, n, lda),
      {a, nullptr, nullptr, nullptr, nullptr, nullptr, w, info, nullptr, nullptr, nullptr}, workspace, bytes);
}

// Those il..iu of the ascending eigenvalues, counted from 1, or those in (vl, vu], without eigenvectors and with
// `found`, an int where the matrices live.
struct Subset {
  Range range = Range::all;
  std::int64_t il = 1, iu = 0;
  double vl = 0, vu = 0;
  int* found = nullptr;
};
inline Subset by_index(std::int64_t il, std::int64_t iu) {
  Subset subset;
  subset.range = Range::index;
  subset.il = il;
  subset.iu = iu;
  return subset;
}
inline Subset by_value(double vl, double vu, int* found) {
  Subset subset;
  subset.range = Range::value;
  subset.vl = vl;
  subset.vu = vu;
  subset.found = found;
  return subset;
}

template <class T>
onepassLapackProblem_t syevdx_problem(Job job, Uplo uplo, std::int64_t n, std::int64_t lda, const Subset& subset) {
  onepassLapackProblem_t p = syevd_problem<T>(job, uplo, n, lda);
  p.range = static_cast<onepassRange_t>(subset.range);
  p.il = subset.il;
  p.iu = subset.iu;
  p.vl = subset.vl;
  p.vu = subset.vu;
  return p;
}

// Some of the eigenvalues, at the beginning of w, which has n elements; their eigenvectors are the first columns of A.
template <class T>
void eigh(const Handle& handle, Job job, Uplo uplo, std::int64_t n, T* a, std::int64_t lda, Real<T>* w, int* info,
          const Subset& subset, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, syevdx_problem<T>(job, uplo, n, lda, subset),
      {a, nullptr, nullptr, nullptr, nullptr, nullptr, w, info, nullptr, nullptr, subset.found}, workspace, bytes);
}

// A = U diag(s) V^H: gesvd. s has k = min(m, n) elements, descending; A is lost. Job::vectors: U is m x k, vt = V^H
// k x n; Job::all: m x m and n x n; Job::values: neither is looked at. `info` as above.
template <class T>
void svd(const Handle& handle, Job job, std::int64_t m, std::int64_t n, T* a, std::int64_t lda, Real<T>* s, T* u,
         std::int64_t ldu, T* vt, std::int64_t ldvt, int* info, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, gesvd_problem<T>(job, m, n, lda, ldu, ldvt),
      {a, nullptr, nullptr, nullptr, nullptr, nullptr, s, info, u, vt, nullptr}, workspace, bytes);
}

// Likewise of `count` matrices, with an info for each: matrix i at a + i stride_a, its eigenvalues at w + i stride_w.
template <class T>
void eigh_strided_batched(const Handle& handle, Job job, Uplo uplo, std::int64_t n, T* a, std::int64_t lda,
                          std::int64_t stride_a, Real<T>* w, std::int64_t stride_w, int* info, std::int64_t count,
                          void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, syevd_batch_problem<T>(Batch::strided, job, uplo, n, lda, stride_a, stride_w, count),
      {a, nullptr, nullptr, nullptr, nullptr, nullptr, w, info, nullptr, nullptr, nullptr}, workspace, bytes);
}

// Likewise, matrix i at a[i].
template <class T>
void eigh_batched(const Handle& handle, Job job, Uplo uplo, std::int64_t n, T* const* a, std::int64_t lda, Real<T>* w,
                  std::int64_t stride_w, int* info, std::int64_t count, void* workspace = nullptr,
                  std::size_t bytes = 0) {
  run(handle, syevd_batch_problem<T>(Batch::pointers, job, uplo, n, lda, 0, stride_w, count),
      {const_cast<T**>(a), nullptr, nullptr, nullptr, nullptr, nullptr, w, info, nullptr, nullptr, nullptr}, workspace,
      bytes);
}

// A = U diag(s) V^H of `count` matrices, likewise; Job::values or Job::vectors.
template <class T>
void svd_strided_batched(const Handle& handle, Job job, std::int64_t m, std::int64_t n, T* a, std::int64_t lda,
                         std::int64_t stride_a, Real<T>* s, std::int64_t stride_s, T* u, std::int64_t ldu,
                         std::int64_t stride_u, T* vt, std::int64_t ldvt, std::int64_t stride_vt, int* info,
                         std::int64_t count, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle,
      gesvd_batch_problem<T>(Batch::strided, job, m, n, lda, stride_a, stride_s, ldu, stride_u, ldvt, stride_vt, count),
      {a, nullptr, nullptr, nullptr, nullptr, nullptr, s, info, u, vt, nullptr}, workspace, bytes);
}

template <class T>
void svd_batched(const Handle& handle, Job job, std::int64_t m, std::int64_t n, T* const* a, std::int64_t lda,
                 Real<T>* s, std::int64_t stride_s, T* const* u, std::int64_t ldu, T* const* vt, std::int64_t ldvt,
                 int* info, std::int64_t count, void* workspace = nullptr, std::size_t bytes = 0) {
  run(handle, gesvd_batch_problem<T>(Batch::pointers, job, m, n, lda, 0, stride_s, ldu, 0, ldvt, 0, count),
      {const_cast<T**>(a), nullptr, nullptr, nullptr, nullptr, nullptr, s, info, const_cast<T**>(u),
       const_cast<T**>(vt), nullptr},
      workspace, bytes);
}

}  // namespace api
}  // namespace onepass::lapack

#endif  // ONEPASS_LAPACK_HPP
