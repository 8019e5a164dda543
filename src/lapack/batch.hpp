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
  if (p.n == 0) return one;
  one.a = p.batch == Batch::pointers ? static_cast<void*>(static_cast<T* const*>(o.a)[index])
                                     : static_cast<T*>(o.a) + index * p.stride_a;
  one.w = static_cast<Real<T>*>(o.w) + index * p.stride_w;
  return one;
}

}  // namespace onepass::lapack
