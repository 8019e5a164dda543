// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/gebrd.hpp"

#include "lapack/cuda/bidiagonal_kernels.hpp"
#include "lapack/cuda/element.hpp"
#include "lapack/cuda/matrix_copy.hpp"
#include "lapack/cuda/scale_kernels.hpp"

namespace onepass::lapack {
namespace {

// Queues everything on the stream of the call.
template <class A>
class Queue final : public GebrdDevice {
 public:
  Queue(Type type, const DeviceCall& call) : type_(type), call_(call) {}
  Status copy(const kernels::MatrixCopy& c) override { return copy_matrix(c, sizeof(A), call_.stream); }
  Status make_adjoint(const kernels::MatrixCopy& copy, int blocks) override {
    return BidiagonalKernels<A>::make_adjoint(copy, blocks, call_.stream);
  }
  Status scale(const kernels::ScaleArgs& args, int blocks) override {
    return ScaleKernels<A>::run(args, blocks, call_.stream);
  }
  Status reduce_panel(const BidiagonalStage& stage, const kernels::BidiagonalPanelArgs& args) override {
    return BidiagonalKernels<A>::panel(stage, args, call_.stream);
  }
  Status multiply(const Product& product) override { return call_.cublas->gemm(type_, product); }

 private:
  Type type_;
  const DeviceCall& call_;
};

}  // namespace

Status load(const GebrdPlan& plan) {
  return by_device_type(plan.problem.type, []<class A>() {
    const Status loaded = ScaleKernels<A>::load();
    return loaded.ok() ? BidiagonalKernels<A>::load() : loaded;
  });
}

Status run(const GebrdPlan& plan, const DeviceCall& call) {
  if (uses_cublas(plan))
    if (Status bad = call.cublas->use(call.stream, products_workspace(plan, call.workspace), cublas_workspace_bytes);
        !bad.ok())
      return bad;
  return by_device_type(plan.problem.type, [&]<class A>() {
    Queue<A> queue(plan.problem.type, call);
    return run_gebrd(plan, call.operands, call.workspace, call.timed_out, queue);
  });
}

}  // namespace onepass::lapack
