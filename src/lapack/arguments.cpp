// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/arguments.hpp"

#include <array>

namespace onepass::lapack {

const Arguments& arguments(const LapackProblem& p) {
  using enum Argument;
  static constexpr Arguments eigen_batch = {job, uplo,     n,    a,    lda,         stride_a,
                                            w,   stride_w, work, info, batch_count, wanted};
  static constexpr Arguments svd_batch = {job, m,        n,  a,    lda,       stride_a, w,    stride_w,   u,
                                          ldu, stride_u, vt, ldvt, stride_vt, work,     info, batch_count};
  if (is_batched(p)) return p.routine == LapackRoutine::gesvd ? svd_batch : eigen_batch;
  static constexpr std::array<Arguments, lapack_routine_count> lists = {{
      {uplo, n, a, lda, d, e, tau, work, lwork},                     // sytrd
      {m, n, a, lda, d, e, tau, taup, work, lwork},                  // gebrd
      {n, ilo, ihi, a, lda, tau, work, lwork},                       // gehrd
      {uplo, n, a, lda, tau, work, lwork},                           // orgtr
      {vect, m, n, k, a, lda, tau, work, lwork},                     // orgbr
      {n, ilo, ihi, a, lda, tau, work, lwork},                       // orghr
      {side, uplo, op, m, n, a, lda, tau, c, ldc, work, lwork},      // ormtr
      {vect, side, op, m, n, k, a, lda, tau, c, ldc, work, lwork},   // ormbr
      {side, op, m, n, ilo, ihi, a, lda, tau, c, ldc, work, lwork},  // ormhr
      // syevd; heevd has rwork, too, and the last ones are syevdx's
      {job, uplo, n, a, lda, w, work, lwork, iwork, liwork, info, wanted, found},
      {m, n, a, lda, tau, work, lwork},                                    // geqrf
      {m, n, k, a, lda, tau, work, lwork},                                 // orgqr
      {side, op, m, n, k, a, lda, tau, c, ldc, work, lwork},               // ormqr
      {job, m, n, a, lda, w, u, ldu, vt, ldvt, work, lwork, iwork, info},  // gesvd: those of gesdd
  }};
  return lists[static_cast<std::size_t>(p.routine)];
}

}  // namespace onepass::lapack
