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

#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <type_traits>

#include "onepass/lapack.h"
#include "onepass/types.hpp"

namespace onepass::lapack {
inline namespace api {

enum class Side { left = ONEPASS_SIDE_LEFT, right = ONEPASS_SIDE_RIGHT };
enum class Vect { q = ONEPASS_VECT_Q, p = ONEPASS_VECT_P };
enum class Range { all = ONEPASS_RANGE_ALL, index = ONEPASS_RANGE_INDEX, value = ONEPASS_RANGE_VALUE };
enum class Job { values = ONEPASS_JOB_VALUES, vectors = ONEPASS_JOB_VECTORS, all = ONEPASS_JOB_ALL };
enum class Batch { none = ONEPASS_BATCH_NONE, strided = ONEPASS_BATCH_STRIDED, pointers = ONEPASS_BATCH_POINTERS };

// What a failed call throws. what() names the argument and its value.
class Error : public std::runtime_error {
 public:
  explicit Error(onepassStatus_t status) : std::runtime_error(onepassLapackLastErrorMessage()), status_(status) {}
  onepassStatus_t status() const noexcept { return status_; }

 private:
  onepassStatus_t status_;
};

inline void require(onepassStatus_t status) {
  if (status != ONEPASS_STATUS_SUCCESS) throw Error(status);
}

class Handle {
 public:
  // The best backend here.
  Handle() : Handle(nullptr) {}
  // "cuda", "cpu" or "reference".
  explicit Handle(const char* backend) {
    onepassLapackHandle_t made = nullptr;
    require(backend == nullptr ? onepassLapackCreate(&made) : onepassLapackCreateOn(&made, backend));
    handle_.reset(made);
  }
  operator onepassLapackHandle_t() const noexcept { return handle_.get(); }
  const char* backend() const noexcept { return onepassLapackBackend(handle_.get()); }
  void set_stream(onepassStream_t stream) { require(onepassLapackSetStream(handle_.get(), stream)); }
  void set_threads(int threads) { require(onepassLapackSetThreads(handle_.get(), threads)); }

 private:
  struct Destroy {
    void operator()(onepassLapackHandle_t handle) const { onepassLapackDestroy(handle); }
  };
  std::unique_ptr<onepassLapackContext, Destroy> handle_;
};

namespace detail {

template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<std::complex<T>> {
  using type = T;
};

template <class T>
onepassLapackProblem_t problem(onepassLapackRoutine_t routine, std::int64_t m, std::int64_t n, std::int64_t lda) {
  static_assert(std::is_floating_point_v<typename RealOf<T>::type>, "float, double, or std::complex of them");
  onepassLapackProblem_t p = onepassLapackProblemDefault(routine, onepass::detail::TypeOf<T>::value, m, n);
  p.lda = lda;
  return p;
}

// C := op(Q) C or C op(Q)
template <class T>
onepassLapackProblem_t apply_problem(onepassLapackRoutine_t routine, Side side, Op op, std::int64_t m, std::int64_t n,
                                     std::int64_t lda, std::int64_t ldc) {
  onepassLapackProblem_t p = problem<T>(routine, m, n, lda);
  p.side = static_cast<onepassSide_t>(side);
  p.op = static_cast<onepassOperation_t>(op);
  p.ldc = ldc;
  return p;
}

// The struct of operands has one kind of pointer; what a call declares const is only read.
template <class T>
onepassLapackOperands_t reads(const T* a, const T* tau, T* c) {
  return {const_cast<T*>(a), nullptr, nullptr, const_cast<T*>(tau), nullptr, c, nullptr, nullptr,
          nullptr,           nullptr, nullptr};
}

}  // namespace detail

template <class T>
using Real = typename detail::RealOf<T>::type;

// Bytes of workspace that a problem takes.
inline std::size_t workspace(const Handle& handle, const onepassLapackProblem_t& problem) {
  std::size_t bytes = 0;
  require(onepassLapackWorkspace(handle, &problem, &bytes));
  return bytes;
}

// Any routine, as data. Without a workspace it takes the handle's own.
inline void run(const Handle& handle, const onepassLapackProblem_t& problem, const onepassLapackOperands_t& operands,
                void* workspace = nullptr, std::size_t bytes = 0) {
  require(onepassLapackRun(handle, &problem, &operands, workspace, bytes));
}

// ---- The problems: their arguments in LAPACK's order, for workspace() and run() ----------------

template <class T>
onepassLapackProblem_t sytrd_problem(Uplo uplo, std::int64_t n, std::int64_t lda) {
  onepassLapackProblem_t p = detail::problem<T>(ONEPASS_LAPACK_SYTRD, n, n, lda);
  p.fill = static_cast<onepassFillMode_t>(uplo);
  return p;
}
template <class T>
onepassLapackProblem_t gebrd_problem(std::int64_t m, std::int64_t n, std::int64_t lda) {
  return detail::problem<T>(ONEPASS_LAPACK_GEBRD, m, n, lda);
}
template <class T>
onepassLapackProblem_t gehrd_problem(std::int64_t n, std::int64_t ilo, std::int64_t ihi, std::int64_t lda) {
  onepassLapackProblem_t p = detail::problem<T>(ONEPASS_LAPACK_GEHRD, n, n, lda);
  p.ilo = ilo;
  p.ihi = ihi;
  return p;
}
template <class T>
onepassLapackProblem_t orgtr_problem(Uplo uplo, std::int64_t n, std::int64_t lda) {
  onepassLapackProblem_t p = sytrd_problem<T>(uplo, n, lda);
  p.routine = ONEPASS_LAPACK_ORGTR;
  return p;
}
template <class T>
onepassLapackProblem_t orgbr_problem(Vect vect, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t lda) {
  onepassLapackProblem_t p = detail::problem<T>(ONEPASS_LAPACK_ORGBR, m, n, lda);
  p.vect = static_cast<onepassVect_t>(vect);
  p.k = k;
  return p;
}
template <class T>
onepassLapackProblem_t orghr_problem(std::int64_t n, std::int64_t ilo, std::int64_t ihi, std::int64_t lda) {
  onepassLapackProblem_t p = gehrd_problem<T>(n, ilo, ihi, lda);
  p.routine = ONEPASS_LAPACK_ORGHR;
  return p;
}
template <class T>
onepassLapackProblem_t ormtr_problem(Side side, Uplo uplo, Op op, std::int64_t m, std::int64_t n, std::int64_t lda,
                                     std::int64_t ldc) {
  onepassLapackProblem_t p = detail::apply_problem<T>(ONEPASS_LAPACK_ORMTR, side, op, m, n, lda, ldc);
  p.fill = static_cast<onepassFillMode_t>(uplo);
  return p;
}
template <class T>
onepassLapackProblem_t ormbr_problem(Vect vect, Side side, Op op, std::int64_t m, std::int64_t n, std::int64_t k,
                                     std::int64_t lda, std::int64_t ldc) {
  onepassLapackProblem_t p = detail::apply_problem<T>(ONEPASS_LAPACK_ORMBR, side, op, m, n, lda, ldc);
  p.vect = static_cast<onepassVect_t>(vect);
  p.k = k;
  return p;
}
template <class T>
onepassLapackProblem_t ormhr_problem(Side side, Op op, std::int64_t m, std::int64_t n, std::int64_t ilo,
                                     std::int64_t ihi, std::int64_t lda, std::int64_t ldc) {
  onepassLapackProblem_t p = detail::apply_problem<T>(ONEPASS_LAPACK_ORMHR, side, op, m, n, lda, ldc);
  p.ilo = ilo;
  p.ihi = ihi;
  return p;
}

template <class T>
onepassLapackProblem_t syevd_problem(Job job, Uplo uplo, std::int64_t n, std::int64_t lda) {
  onepassLapackProblem_t p = sytrd_problem<T>(uplo, n, lda);
  p.routine = ONEPASS_LAPACK_SYEVD;
  p.job = static_cast<onepassJob_t>(job);
  return p;
}

template <class T>
onepassLapackProblem_t geqrf_problem(std::int64_t m, std::int64_t n, std::int64_t lda) {
  return detail::problem<T>(ONEPASS_LAPACK_GEQRF, m, n, lda);
}
template <class T>
onepassLapackProblem_t orgqr_problem(std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t lda) {
  onepassLapackProblem_t p = detail::problem<T>(ONEPASS_LAPACK_ORGQR, m, n, lda);
  p.k = k;
  return p;
}
template <class T>
onepassLapackProblem_t ormqr_problem(Side side, Op op, std::int64_t m, std::int64_t n, std::int64_t k, std::int64_t lda,
                                     std::int64_t ldc) {
  onepassLapackProblem_t p = detail::apply_problem<T>(ONEPASS_LAPACK_ORMQR, side, op, m, n, lda, ldc);
  p.k = k;
  return p;
}

template <class T>
onepassLapackProblem_t gesvd_problem(Job job, std::int64_t m, std::int64_t n, std::int64_t lda, std::int64_t ldu,
                                     std::int64_t ldvt) {
  onepassLapackProblem_t p = gebrd_problem<T>(m, n, lda);
  p.routine = ONEPASS_LAPACK_GESVD;
  p.job = static_cast<onepassJob_t>(job);
  p.ldu = ldu;
  p.ldvt = ldvt;
  return p;
}

// Many matrices, stride_a apart, or wherever an array of pointers says; their eigenvalues stride_w apart.
template <class T>
onepassLapackProblem_t syevd_batch_problem(Batch batch, Job job, Uplo uplo, std::int64_t n, std::int64_t lda,
                                           std::int64_t stride_a, std::int64_t stride_w, std::int64_t count) {
  onepassLapackProblem_t p = syevd_problem<T>(job, uplo, n, lda);
  p.batch = static_cast<onepassBatch_t>(batch);
  p.batch_count = count;
  p.stride_a = stride_a;
  p.stride_w = stride_w;
  return p;
}

// Likewise, their U and V^H stride_u and stride_vt apart.
template <class T>
onepassLapackProblem_t gesvd_batch_problem(Batch batch, Job job, std::int64_t m, std::int64_t n, std::int64_t lda,
                                           std::int64_t stride_a, std::int64_t stride_s, std::int64_t ldu,
                                           std::int64_t stride_u, std::int64_t ldvt, std::int64_t stride_vt,
                                           std::int64_t count) {
  onepassLapackProblem_t p = gesvd_problem<T>(job, m, n, lda, ldu, ldvt);
  p.batch = static_cast<onepassBatch_t>(batch);
  p.batch_count = count;
  p.stride_a = stride_a;
  p.stride_w = stride_s;
  p.stride_u = stride_u;
  p.stride_vt = stride_vt;
  return p;
}

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
