// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of divide and conquer for one real type and form of a matrix, as the host sees them: each is compiled in
// its own file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/divide_args.hpp"
#include "kernels/lapack/form.hpp"
#include "lapack/cuda/cublas.hpp"
#include "lapack/cuda/divide_tree.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class R, kernels::Form form>
struct DivideKernels {
  using Level = kernels::DivideLevelArgs;

  static Status load();  // into the device
  static Status set_up(const kernels::DivideSetupArgs& args, cudaStream_t stream);
  static Status solve_leaves(const kernels::DivideLeafArgs& args, int blocks, cudaStream_t stream);
  static Status deflate(const Level& args, bool many_threads, int blocks, cudaStream_t stream);
  static Status find_roots(const Level& args, int blocks, cudaStream_t stream);
  static Status order(const Level& args, int blocks, cudaStream_t stream);
  static Status make_columns(const Level& args, int blocks, cudaStream_t stream);
  static Status finish(const kernels::DivideFinishArgs& args, int blocks, cudaStream_t stream);
};

// Queues them, and products, on a stream.
template <class R, kernels::Form form>
class DivideQueue final : public DivideDevice {
 public:
  using Kernels = DivideKernels<R, form>;
  using Level = kernels::DivideLevelArgs;

  DivideQueue(Type type, Cublas* cublas, cudaStream_t stream) : type_(type), cublas_(cublas), stream_(stream) {}
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

// Queues all of a tree.
template <kernels::Form form>
Status queue_tree(const DivideTree& tree, const DivideMatrices& matrices, void* workspace, Cublas* cublas,
                  cudaStream_t stream) {
  if (tree.levels > 0)
    if (Status bad = cublas->use(stream, products_workspace(tree, workspace), cublas_workspace_bytes); !bad.ok())
      return bad;
  if (tree.type == Type::s) {
    DivideQueue<float, form> queue(Type::s, cublas, stream);
    return run_tree(tree, matrices, workspace, queue);
  }
  DivideQueue<double, form> queue(Type::d, cublas, stream);
  return run_tree(tree, matrices, workspace, queue);
}

}  // namespace onepass::lapack
