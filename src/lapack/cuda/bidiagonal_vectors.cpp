// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/bidiagonal_vectors.hpp"

#include "lapack/cuda/divide_kernels.hpp"

namespace onepass::lapack {

using kernels::Form;

Status load(const BidiagonalVectorsPlan& plan) {
  return plan.problem.type == Type::s ? DivideKernels<float, Form::bidiagonal>::load()
                                      : DivideKernels<double, Form::bidiagonal>::load();
}

Status run(const BidiagonalVectorsPlan& plan, const BidiagonalVectorsOperands& operands, void* workspace,
           Cublas* cublas, cudaStream_t stream) {
  return queue_tree<Form::bidiagonal>(plan.tree, matrices_of(plan, operands), workspace, cublas, stream);
}

}  // namespace onepass::lapack
