// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/gesvd.hpp"

#include "backends/cuda/cuda_status.hpp"
#include "lapack/cuda/bidiagonal_values.hpp"
#include "lapack/cuda/bidiagonal_vectors.hpp"
#include "lapack/cuda/q_kernels.hpp"
#include "lapack/cuda/svd_kernels.hpp"
#include "lapack/cuda/widen_kernels.hpp"
#include "lapack/gpu/elements.hpp"
#include "lapack/gpu/gebrd.hpp"
#include "lapack/gpu/geqrf.hpp"
#include "lapack/gpu/q.hpp"

namespace onepass::lapack {
namespace {

// Each step queues its own launches on the stream of the call.
class GesvdQueue final : public GesvdDevice {
 public:
  GesvdQueue(Type type, const DeviceCall& call) : type_(type), call_(call) {}
  Status clear(int* info) override {
    return cuda::result("clearing info", cudaMemsetAsync(info, 0, sizeof(int), call_.stream));
  }
  Status make_adjoint(const kernels::MatrixCopy& copy, int blocks) override {
    CudaQueue queue(call_.stream, nullptr, nullptr);
    return queue.launch<Step::adjoint>(
        {.type = type_, .blocks = blocks, .shared_bytes = kernels::adjoint_shared_bytes(size_of(type_))}, copy);
  }
  Status factor(const GeqrfPlan& plan, const LapackOperands& operands, void* workspace) override {
    return run(plan, nested(call_, operands, workspace));
  }
  Status copy_triangle(const kernels::MatrixCopy& copy, int blocks) override {
    return by_device_type(type_, [&]<class A>() { return SvdKernels<A>::copy_triangle(copy, blocks, call_.stream); });
  }
  Status reduce(const GebrdPlan& plan, const LapackOperands& operands, void* workspace) override {
    return run(plan, nested(call_, operands, workspace));
  }
  Status find_values(const BidiagonalValuesPlan& plan, const BidiagonalValuesOperands& operands) override {
    return run(plan, operands, call_.stream);
  }
  Status find_vectors(const BidiagonalVectorsPlan& plan, const BidiagonalVectorsOperands& operands,
                      void* workspace) override {
    return run(plan, operands, workspace, call_.cublas, call_.stream);
  }
  Status widen(const kernels::MatrixCopy& copy, int blocks) override {
    return type_ == Type::c ? WidenKernels<Complex<float>>::widen(copy, blocks, call_.stream)
                            : WidenKernels<Complex<double>>::widen(copy, blocks, call_.stream);
  }
  Status exchange(const kernels::ExchangeArgs& args, int blocks) override {
    return by_device_type(type_, [&]<class A>() { return SvdKernels<A>::exchange(args, blocks, call_.stream); });
  }
  Status set_identity(const kernels::SetIdentityArgs& args, int blocks) override {
    return by_device_type(type_, [&]<class A>() { return QKernels<A>::set_identity(args, blocks, call_.stream); });
  }
  Status apply(const QPlan& plan, const LapackOperands& operands, void* workspace) override {
    return run(plan, nested(call_, operands, workspace));
  }

 private:
  Type type_;
  const DeviceCall& call_;
};

}  // namespace

// Kernels of every job: the next call may want another one.
Status load(const GesvdPlan& plan) {
  const Type type = plan.problem.type, real = real_type(type);
  if (Status bad = load(GeqrfPlan{.problem = {.type = type}, .stages = {}}); !bad.ok()) return bad;
  if (Status bad = load(plan.reduction); !bad.ok()) return bad;
  if (Status bad = load(BidiagonalValuesPlan{.problem = {.type = real}}); !bad.ok()) return bad;
  if (Status bad = load(BidiagonalVectorsPlan{.problem = {.type = real}, .tree = {}}); !bad.ok()) return bad;
  if (Status bad = load(QPlan{.problem = {.type = type}}); !bad.ok()) return bad;
  if (Status bad = by_device_type(type, []<class A>() { return SvdKernels<A>::load(); }); !bad.ok()) return bad;
  if (type == Type::c) return WidenKernels<Complex<float>>::load();
  return type == Type::z ? WidenKernels<Complex<double>>::load() : Status{};
}

Status run(const GesvdPlan& plan, const DeviceCall& call) {
  GesvdQueue queue(plan.problem.type, call);
  return run_gesvd(plan, call.operands, call.workspace, queue);
}

}  // namespace onepass::lapack
