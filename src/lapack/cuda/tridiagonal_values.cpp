// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/tridiagonal_values.hpp"

#include "lapack/cuda/bisection_kernels.hpp"

namespace onepass::lapack {

using kernels::Form;

Status load(const TridiagonalValuesPlan& plan) {
  return plan.problem.type == Type::s ? BisectionKernels<float, Form::tridiagonal>::load()
                                      : BisectionKernels<double, Form::tridiagonal>::load();
}

Status run(const TridiagonalValuesPlan& plan, const TridiagonalValuesOperands& operands, cudaStream_t stream) {
  if (plan.problem.type == Type::s) {
    BisectionQueue<float, Form::tridiagonal> queue(stream);
    return run_tridiagonal_values(plan, operands, queue);
  }
  BisectionQueue<double, Form::tridiagonal> queue(stream);
  return run_tridiagonal_values(plan, operands, queue);
}

}  // namespace onepass::lapack
