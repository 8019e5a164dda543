// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/tridiagonal_values.hpp"

#include "lapack/cuda/tridiagonal_values_kernels.hpp"

namespace onepass::lapack {
namespace {

template <class R>
class Queue final : public TridiagonalValuesDevice {
 public:
  explicit Queue(cudaStream_t stream) : stream_(stream) {}
  Status bisect(const kernels::BisectionArgs& args, int blocks) override {
    return TridiagonalValuesKernels<R>::bisect(args, blocks, stream_);
  }

 private:
  cudaStream_t stream_;
};

}  // namespace

Status load(const TridiagonalValuesPlan& plan) {
  return plan.problem.type == Type::s ? TridiagonalValuesKernels<float>::load()
                                      : TridiagonalValuesKernels<double>::load();
}

Status run(const TridiagonalValuesPlan& plan, const TridiagonalValuesOperands& operands, cudaStream_t stream) {
  if (plan.problem.type == Type::s) {
    Queue<float> queue(stream);
    return run_tridiagonal_values(plan, operands, queue);
  }
  Queue<double> queue(stream);
  return run_tridiagonal_values(plan, operands, queue);
}

}  // namespace onepass::lapack
