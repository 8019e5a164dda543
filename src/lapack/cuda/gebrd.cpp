// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/gebrd.hpp"

#include "lapack/cuda/bidiagonal_kernels.hpp"
#include "lapack/cuda/matrix_copy.hpp"
#include "lapack/cuda/old_queue.hpp"
#include "lapack/gpu/elements.hpp"

namespace onepass::lapack {
namespace {

template <class A>
class GebrdQueue final : public ScalingQueue<A, GebrdDevice> {
 public:
  using ScalingQueue<A, GebrdDevice>::ScalingQueue;
  Status copy(const kernels::MatrixCopy& c) override { return copy_matrix(c, sizeof(A), this->stream()); }
  Status make_adjoint(const kernels::MatrixCopy& copy, int blocks) override {
    return CudaQueue(this->stream(), nullptr, nullptr)
        .template launch<Step::adjoint>(
            {.type = this->type(), .blocks = blocks, .shared_bytes = kernels::adjoint_shared_bytes(sizeof(A))}, copy);
  }
  Status reduce_panel(const BidiagonalStage& stage, const kernels::BidiagonalPanelArgs& args) override {
    return BidiagonalKernels<A>::panel(stage, args, this->stream());
  }
  Status multiply(const Product& p) override {
    const kernels::Rank2kArgs args = {.v = p.a.data,
                                      .ldv = p.a.ld,
                                      .w = p.b.data,
                                      .ldw = p.b.ld,
                                      .c = p.c,
                                      .ldc = p.ldc,
                                      .m = static_cast<int>(p.m),
                                      .n = static_cast<int>(p.n),
                                      .k = static_cast<int>(p.k)};
    return BidiagonalKernels<A>::rank_k(args, kernels::columns_aligned(args, sizeof(A)), this->stream());
  }
  Status reduce_on_chip(const BidiagonalStage& stage, const kernels::BidiagonalArgs& args) override {
    return BidiagonalKernels<A>::on_chip(stage, args, this->stream());
  }
};

}  // namespace

Status load(const GebrdPlan& plan) {
  if (Status bad = load_kernels(StepGroup::matrices, plan.problem.type); !bad.ok()) return bad;
  return by_device_type(plan.problem.type, []<class A>() {
    const Status loaded = ScaleKernels<A>::load();
    return loaded.ok() ? BidiagonalKernels<A>::load() : loaded;
  });
}

Status run(const GebrdPlan& plan, const DeviceCall& call) {
  return by_device_type(plan.problem.type, [&]<class A>() {
    GebrdQueue<A> queue(plan.problem.type, call);
    return run_gebrd(plan, call.operands, call.workspace, call.timed_out, queue);
  });
}

}  // namespace onepass::lapack
