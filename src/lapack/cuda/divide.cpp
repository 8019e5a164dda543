// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/divide.hpp"

#include "lapack/cuda/divide_kernels.hpp"

namespace onepass::lapack {

using kernels::Form;

Status load(const DividePlan& plan) {
  return plan.problem.type == Type::s ? DivideKernels<float, Form::tridiagonal>::load()
                                      : DivideKernels<double, Form::tridiagonal>::load();
}

Status run(const DividePlan& plan, const DivideOperands& operands, void* workspace, Cublas* cublas,
           cudaStream_t stream) {
  return queue_tree<Form::tridiagonal>(tree_of(plan), matrices_of(plan, operands), workspace, cublas, stream);
}

}  // namespace onepass::lapack
