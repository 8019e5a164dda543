// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/divide.hpp"

#include "lapack/cuda/divide_kernels.hpp"

namespace onepass::lapack {
namespace {

// Queues everything on the stream of the call.
template <class R>
class Queue final : public DivideDevice {
 public:
  using Kernels = DivideKernels<R>;
  using Level = kernels::DivideLevelArgs;

  Queue(Type type, Cublas* cublas, cudaStream_t stream) : type_(type), cublas_(cublas), stream_(stream) {}
  Status set_up(const kernels::DivideSetupArgs& args) override { return Kernels::set_up(args, stream_); }
  Status solve_leaves(const kernels::DivideLeafArgs& args, int blocks) override {
    return Kernels::solve_leaves(args, blocks, stream_);
  }
  Status deflate(const Level& args, bool many_threads, int blocks) override {
    return Kernels::deflate(args, many_threads, blocks, stream_);
  }
  Status find_roots(const Level& args, int blocks) override { return Kernels::find_roots(args, blocks, stream_); }
  Status order(const Level& args, int blocks) override { return Kernels::order(args, blocks, stream_); }
  Status make_columns(const Level& args, int blocks) override { return Kernels::make_columns(args, blocks, stream_); }
  Status multiply(const Product& product) override { return cublas_->gemm(type_, product); }
  Status finish(const kernels::DivideFinishArgs& args, int blocks) override {
    return Kernels::finish(args, blocks, stream_);
  }

 private:
  Type type_;
  Cublas* cublas_;
  cudaStream_t stream_;
};

}  // namespace

Status load(const DividePlan& plan) {
  return plan.problem.type == Type::s ? DivideKernels<float>::load() : DivideKernels<double>::load();
}

Status run(const DividePlan& plan, const DivideOperands& operands, void* workspace, Cublas* cublas,
           cudaStream_t stream) {
  if (uses_cublas(plan))
    if (Status bad = cublas->use(stream, products_workspace(plan, workspace), cublas_workspace_bytes); !bad.ok())
      return bad;
  if (plan.problem.type == Type::s) {
    Queue<float> queue(Type::s, cublas, stream);
    return run_divide(plan, operands, workspace, queue);
  }
  Queue<double> queue(Type::d, cublas, stream);
  return run_divide(plan, operands, workspace, queue);
}

}  // namespace onepass::lapack
