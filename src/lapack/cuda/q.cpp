// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/q.hpp"

#include "lapack/cuda/element.hpp"
#include "lapack/cuda/q_kernels.hpp"

namespace onepass::lapack {
namespace {

// Queues everything on the stream of the call.
template <class A>
class Queue final : public QDevice {
 public:
  Queue(Type type, const DeviceCall& call) : type_(type), call_(call) {}
  Status copy_reflectors(const kernels::CopyReflectorsArgs& args, int blocks) override {
    return QKernels<A>::copy_reflectors(args, blocks, call_.stream);
  }
  Status set_identity(const kernels::SetIdentityArgs& args, int blocks) override {
    return QKernels<A>::set_identity(args, blocks, call_.stream);
  }
  Status make_triangles(const kernels::TriangularFactorArgs& args, int blocks) override {
    return QKernels<A>::make_triangles(args, blocks, call_.stream);
  }
  Status multiply(const Product& product) override { return call_.cublas->gemm(type_, product); }

 private:
  Type type_;
  const DeviceCall& call_;
};

}  // namespace

Status load(const QPlan& plan) {
  return by_device_type(plan.problem.type, []<class A>() { return QKernels<A>::load(); });
}

Status run(const QPlan& plan, const DeviceCall& call) {
  if (uses_cublas(plan))
    if (Status bad = call.cublas->use(call.stream, products_workspace(plan, call.workspace), cublas_workspace_bytes);
        !bad.ok())
      return bad;
  return by_device_type(plan.problem.type, [&]<class A>() {
    Queue<A> queue(plan.problem.type, call);
    return run_q(plan, call.operands, call.workspace, queue);
  });
}

}  // namespace onepass::lapack
