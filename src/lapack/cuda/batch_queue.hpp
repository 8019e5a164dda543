// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a CUDA device does for a batch of eigenproblems.
#pragma once

#include "backends/cuda/cuda_status.hpp"
#include "lapack/cuda/batch_kernels.hpp"
#include "lapack/cuda/batch_steps.hpp"
#include "numbers/scalar.hpp"

namespace onepass::lapack {

// Queues everything on the stream of the call.
template <class A>
class BatchQueue final : public BatchDevice {
  using R = RealOf<A>;
  using Level = kernels::DivideLevelArgs;

 public:
  explicit BatchQueue(cudaStream_t stream) : stream_(stream) {}
  Status clear(int* info, std::int64_t count) override {
    return cuda::result("clearing info",
                        cudaMemsetAsync(info, 0, static_cast<std::size_t>(count) * sizeof(int), stream_));
  }
  Status solve_small(const kernels::BatchArgs& args, int lanes, int blocks) override {
    return BatchKernels<A>::solve_small(args, lanes, blocks, stream_);
  }
  Status reduce(const kernels::BatchTridiagonalArgs& args, bool held, int blocks) override {
    return BatchKernels<A>::reduce(args, held, blocks, stream_);
  }
  Status find_values(const kernels::BatchValuesArgs& args, int blocks) override {
    return BatchRealKernels<R>::find_values(args, blocks, stream_);
  }
  Status solve_leaves(const kernels::DivideLeafArgs& args, int blocks) override {
    return BatchRealKernels<R>::solve_leaves(args, blocks, stream_);
  }
  Status deflate(const Level& args, int blocks) override { return BatchRealKernels<R>::deflate(args, blocks, stream_); }
  Status find_roots(const Level& args, int blocks) override {
    return BatchRealKernels<R>::find_roots(args, blocks, stream_);
  }
  Status order(const Level& args, int blocks) override { return BatchRealKernels<R>::order(args, blocks, stream_); }
  Status make_columns(const Level& args, int blocks) override {
    return BatchRealKernels<R>::make_columns(args, blocks, stream_);
  }
  Status multiply(const kernels::BatchProductArgs& args, int blocks) override {
    return BatchRealKernels<R>::multiply(args, blocks, stream_);
  }
  Status make_factors(const kernels::BatchBackArgs& args, int blocks) override {
    return BatchKernels<A>::make_factors(args, blocks, stream_);
  }
  Status transform_back(const kernels::BatchBackArgs& args, int blocks) override {
    return BatchKernels<A>::transform_back(args, blocks, stream_);
  }

 private:
  cudaStream_t stream_;
};

}  // namespace onepass::lapack
