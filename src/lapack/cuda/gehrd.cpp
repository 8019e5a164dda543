// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/gehrd.hpp"

#include "backends/cuda/cuda_status.hpp"
#include "lapack/cuda/element.hpp"
#include "lapack/cuda/hessenberg_kernels.hpp"
#include "lapack/cuda/matrix_copy.hpp"
#include "lapack/cuda/scale_kernels.hpp"

namespace onepass::lapack {
namespace {

// Queues everything on the stream of the call.
template <class A>
class Queue final : public GehrdDevice {
 public:
  Queue(Type type, const DeviceCall& call) : type_(type), call_(call) {}
  Status clear(void* elements, std::int64_t count) override {
    return cuda::result("clearing tau",
                        cudaMemsetAsync(elements, 0, static_cast<std::size_t>(count) * sizeof(A), call_.stream));
  }
  Status copy(const kernels::MatrixCopy& c) override { return copy_matrix(c, sizeof(A), call_.stream); }
  Status scale(const kernels::ScaleArgs& args, int blocks) override {
    return ScaleKernels<A>::run(args, blocks, call_.stream);
  }
  Status scale_back(const kernels::ScaleArgs& args, int blocks) override {
    return ScaleKernels<A>::undo(args, blocks, call_.stream);
  }
  Status reduce_panel(const HessenbergStage& stage, const kernels::HessenbergPanelArgs& args) override {
    return HessenbergKernels<A>::panel(stage, args, call_.stream);
  }
  Status multiply(const Product& product) override { return call_.cublas->gemm(type_, product); }

 private:
  Type type_;
  const DeviceCall& call_;
};

}  // namespace

Status load(const GehrdPlan& plan) {
  return by_device_type(plan.problem.type, []<class A>() {
    const Status loaded = ScaleKernels<A>::load();
    return loaded.ok() ? HessenbergKernels<A>::load() : loaded;
  });
}

Status run(const GehrdPlan& plan, const DeviceCall& call) {
  if (uses_cublas(plan))
    if (Status bad = call.cublas->use(call.stream, products_workspace(plan, call.workspace), cublas_workspace_bytes);
        !bad.ok())
      return bad;
  return by_device_type(plan.problem.type, [&]<class A>() {
    Queue<A> queue(plan.problem.type, call);
    return run_gehrd(plan, call.operands, call.workspace, call.timed_out, queue);
  });
}

}  // namespace onepass::lapack
