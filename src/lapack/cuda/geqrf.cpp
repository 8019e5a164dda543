// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/geqrf.hpp"

#include "backends/cuda/cuda_status.hpp"
#include "lapack/cuda/element.hpp"
#include "lapack/cuda/qr_panel_kernels.hpp"
#include "lapack/cuda/queue.hpp"

namespace onepass::lapack {
namespace {

template <class A>
class GeqrfQueue final : public QQueue<A, Queue<A, GeqrfDevice>> {
 public:
  using QQueue<A, Queue<A, GeqrfDevice>>::QQueue;
  Status clear(std::uint32_t* counters, std::int64_t count) override {
    const std::size_t bytes = static_cast<std::size_t>(count) * sizeof(std::uint32_t);
    return cuda::result("clearing counters", cudaMemsetAsync(counters, 0, bytes, this->stream()));
  }
  Status factor_panel(const QrStage& stage, const kernels::QrPanelArgs& args) override {
    return QrPanelKernels<A>::panel(stage, args, this->stream());
  }
};

}  // namespace

Status load(const GeqrfPlan& plan) {
  return by_device_type(plan.problem.type, []<class A>() {
    const Status loaded = QrPanelKernels<A>::load();
    return loaded.ok() ? QKernels<A>::load() : loaded;
  });
}

Status run(const GeqrfPlan& plan, const DeviceCall& call) {
  if (uses_cublas(plan))
    if (Status bad = call.cublas->use(call.stream, products_workspace(plan, call.workspace), cublas_workspace_bytes);
        !bad.ok())
      return bad;
  return by_device_type(plan.problem.type, [&]<class A>() {
    GeqrfQueue<A> queue(plan.problem.type, call);
    return run_geqrf(plan, call.operands, call.workspace, call.timed_out, queue);
  });
}

}  // namespace onepass::lapack
