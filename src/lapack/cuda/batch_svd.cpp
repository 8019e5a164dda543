// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/batch_svd.hpp"

#include "backends/cuda/cuda_status.hpp"
#include "lapack/cuda/batch.hpp"
#include "lapack/cuda/batch_queue.hpp"
#include "lapack/cuda/batch_svd_kernels.hpp"
#include "lapack/gpu/elements.hpp"

namespace onepass::lapack {
namespace {

// Queues everything on the stream of the call.
template <class A>
class SvdQueue final : public BatchSvdDevice {
 public:
  explicit SvdQueue(cudaStream_t stream) : stream_(stream), eigen_(stream) {}
  Status clear(int* info, std::int64_t count) override {
    return cuda::result("clearing info",
                        cudaMemsetAsync(info, 0, static_cast<std::size_t>(count) * sizeof(int), stream_));
  }
  Status rotate(const BatchSvdPlan& plan, const kernels::BatchSvdArgs& args) override {
    return BatchSvdKernels<A>::rotate(plan, args, stream_);
  }
  BatchDevice& eigen() override { return eigen_; }
  Status rotate_pairs(const kernels::BatchSvdPairsArgs& args, int rows, int blocks) override {
    return BatchSvdKernels<A>::rotate_pairs(args, rows, blocks, stream_);
  }
  Status start_small(const kernels::RefineSmallArgs& args, int lanes, int blocks) override {
    return BatchRefineKernels<A>::start_small(args, lanes, blocks, stream_);
  }
  Status refine_small(const kernels::RefineSmallArgs& args, int lanes, int blocks) override {
    return BatchRefineKernels<A>::refine_small(args, lanes, blocks, stream_);
  }
  Status make_bidiagonal(const kernels::BatchBidiagonalArgs& args, int blocks) override {
    return BatchBidiagonalKernels<A>::reduce(args, blocks, stream_);
  }
  Status begin(const kernels::RefineArgs& args, int blocks) override {
    return BatchRefineKernels<A>::begin(args, blocks, stream_);
  }
  Status multiply(kernels::RefineProduct which, const kernels::RefineArgs& args, int blocks) override {
    return BatchRefineKernels<A>::multiply(which, args, blocks, stream_);
  }
  Status find_angles(const kernels::RefineArgs& args, int blocks) override {
    return BatchRefineKernels<A>::find_angles(args, blocks, stream_);
  }
  Status finish(const kernels::RefineArgs& args, int blocks) override {
    return BatchRefineKernels<A>::finish(args, blocks, stream_);
  }

 private:
  cudaStream_t stream_;
  BatchQueue<A> eigen_;
};

}  // namespace

// Kernels of every size and of both jobs: the next call may want others.
Status load(const BatchSvdPlan& plan) {
  return by_device_type(plan.problem.type, [&]<class A>() -> Status {
    BatchPlan eigen;
    eigen.problem.type = plan.problem.type;
    if (Status bad = load(eigen); !bad.ok()) return bad;
    if (Status bad = BatchRefineKernels<A>::load(); !bad.ok()) return bad;
    if (Status bad = BatchBidiagonalKernels<A>::load(); !bad.ok()) return bad;
    return BatchSvdKernels<A>::load();
  });
}

Status run(const BatchSvdPlan& plan, const DeviceCall& call) {
  return by_device_type(plan.problem.type, [&]<class A>() {
    SvdQueue<A> queue(call.stream);
    return run_batch(plan, call.operands, call.workspace, queue);
  });
}

}  // namespace onepass::lapack
