// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/bidiagonal_values.hpp"

#include "lapack/cuda/bisection_kernels.hpp"

namespace onepass::lapack {

using kernels::Form;

Status load(const BidiagonalValuesPlan& plan) {
  return plan.problem.type == Type::s ? BisectionKernels<float, Form::bidiagonal>::load()
                                      : BisectionKernels<double, Form::bidiagonal>::load();
}

Status run(const BidiagonalValuesPlan& plan, const BidiagonalValuesOperands& operands, cudaStream_t stream) {
  if (plan.problem.type == Type::s) {
    BisectionQueue<float, Form::bidiagonal> queue(stream);
    return run_bidiagonal_values(plan, operands, queue);
  }
  BisectionQueue<double, Form::bidiagonal> queue(stream);
  return run_bidiagonal_values(plan, operands, queue);
}

}  // namespace onepass::lapack
