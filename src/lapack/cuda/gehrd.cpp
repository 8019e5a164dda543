// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/gehrd.hpp"

#include "backends/cuda/cuda_status.hpp"
#include "lapack/cuda/element.hpp"
#include "lapack/cuda/hessenberg_kernels.hpp"
#include "lapack/cuda/matrix_copy.hpp"
#include "lapack/cuda/queue.hpp"

namespace onepass::lapack {
namespace {

template <class A>
class GehrdQueue final : public QQueue<A, ScalingQueue<A, GehrdDevice>> {
 public:
  using QQueue<A, ScalingQueue<A, GehrdDevice>>::QQueue;
  Status clear(void* elements, std::int64_t count) override {
    return cuda::result("clearing tau",
                        cudaMemsetAsync(elements, 0, static_cast<std::size_t>(count) * sizeof(A), this->stream()));
  }
  Status copy(const kernels::MatrixCopy& c) override { return copy_matrix(c, sizeof(A), this->stream()); }
  Status scale_back(const kernels::ScaleArgs& args, int blocks) override {
    return ScaleKernels<A>::undo(args, blocks, this->stream());
  }
  Status reduce_panel(const HessenbergStage& stage, const kernels::HessenbergPanelArgs& args) override {
    return HessenbergKernels<A>::panel(stage, args, this->stream());
  }
  Status reduce_on_chip(const HessenbergStage& stage, const kernels::HessenbergArgs& args) override {
    return HessenbergKernels<A>::on_chip(stage, args, this->stream());
  }
};

}  // namespace

Status load(const GehrdPlan& plan) {
  return by_device_type(plan.problem.type, []<class A>() {
    for (Status (*one)() : {ScaleKernels<A>::load, HessenbergKernels<A>::load, QKernels<A>::load})
      if (Status bad = one(); !bad.ok()) return bad;
    return Status{};
  });
}

Status run(const GehrdPlan& plan, const DeviceCall& call) {
  if (uses_cublas(plan))
    if (Status bad = call.cublas->use(call.stream, products_workspace(plan, call.workspace), cublas_workspace_bytes);
        !bad.ok())
      return bad;
  return by_device_type(plan.problem.type, [&]<class A>() {
    GehrdQueue<A> queue(plan.problem.type, call);
    return run_gehrd(plan, call.operands, call.workspace, call.timed_out, queue);
  });
}

}  // namespace onepass::lapack
