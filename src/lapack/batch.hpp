// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The operands of one matrix of a batch, on the host.
#pragma once

#include "lapack/element.hpp"
#include "lapack/problem.hpp"

namespace onepass::lapack {

template <class T>
LapackOperands matrix_of_batch(const LapackProblem& p, const LapackOperands& o, std::int64_t index) {
  LapackOperands one = {.info = o.info + index};
  if (is_empty(p)) return one;
  const auto matrix = [&](void* all, std::int64_t stride) -> void* {
    return p.batch == Batch::pointers ? static_cast<T* const*>(all)[index] : static_cast<T*>(all) + index * stride;
  };
  one.a = matrix(o.a, p.stride_a);
  one.w = static_cast<Real<T>*>(o.w) + index * p.stride_w;
  if (p.routine != LapackRoutine::gesvd || p.job == Job::values) return one;
  one.u = matrix(o.u, p.stride_u);
  one.vt = matrix(o.vt, p.stride_vt);
  return one;
}

// V^H of the matrix that is solved where V is wanted: k x n, then V := its adjoint.
template <class T>
void adjoint_into(const LapackProblem& p, const T* vt, T* v) {
  const std::int64_t k = rows_of_vt(p);
  for (std::int64_t c = 0; c < k; ++c)
    for (std::int64_t r = 0; r < p.n; ++r) v[r + c * p.ldvt] = conjugate(vt[c + r * k]);
}

}  // namespace onepass::lapack
