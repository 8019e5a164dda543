// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
//
// What the calls of lapack.hpp are made of, for C++: a handle, and each routine's arguments as a problem.
//
//   const auto problem = onepass::lapack::sytrd_problem<double>(onepass::Uplo::lower, n, lda);
//   const std::size_t bytes = onepass::lapack::workspace(handle, problem);
#ifndef ONEPASS_LAPACK_PROBLEMS_HPP
#define ONEPASS_LAPACK_PROBLEMS_HPP

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

// Many of them, stride_a apart, or wherever an array of pointers says; their values stride_w apart.
inline onepassLapackProblem_t batch_of(onepassLapackProblem_t p, Batch batch, std::int64_t stride_a,
                                       std::int64_t stride_w, std::int64_t count) {
  p.batch = static_cast<onepassBatch_t>(batch);
  p.batch_count = count;
  p.stride_a = stride_a;
  p.stride_w = stride_w;
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
  return detail::batch_of(syevd_problem<T>(job, uplo, n, lda), batch, stride_a, stride_w, count);
}

// Likewise, their U and V^H stride_u and stride_vt apart.
template <class T>
onepassLapackProblem_t gesvd_batch_problem(Batch batch, Job job, std::int64_t m, std::int64_t n, std::int64_t lda,
                                           std::int64_t stride_a, std::int64_t stride_s, std::int64_t ldu,
                                           std::int64_t stride_u, std::int64_t ldvt, std::int64_t stride_vt,
                                           std::int64_t count) {
  onepassLapackProblem_t p =
      detail::batch_of(gesvd_problem<T>(job, m, n, lda, ldu, ldvt), batch, stride_a, stride_s, count);
  p.stride_u = stride_u;
  p.stride_vt = stride_vt;
  return p;
}

}  // namespace api
}  // namespace onepass::lapack

#endif  // ONEPASS_LAPACK_PROBLEMS_HPP
