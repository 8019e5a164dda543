// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/syevd.hpp"

#include "backends/cuda/cuda_status.hpp"
#include "lapack/cuda/divide.hpp"
#include "lapack/cuda/matrix_copy.hpp"
#include "lapack/cuda/tridiagonal_values.hpp"
#include "lapack/cuda/widen_kernels.hpp"
#include "lapack/gpu/elements.hpp"
#include "lapack/gpu/q.hpp"
#include "lapack/gpu/sytrd.hpp"

namespace onepass::lapack {
namespace {

// Each step queues its own launches on the stream of the call.
class SyevdQueue final : public SyevdDevice {
 public:
  SyevdQueue(Type type, const DeviceCall& call) : type_(type), call_(call) {}
  Status clear(int* number) override {
    return cuda::result("clearing a number", cudaMemsetAsync(number, 0, sizeof(int), call_.stream));
  }
  Status reduce(const SytrdPlan& plan, const LapackOperands& operands, void* workspace) override {
    return run(plan, nested(call_, operands, workspace));
  }
  Status find_values(const TridiagonalValuesPlan& plan, const TridiagonalValuesOperands& operands) override {
    return run(plan, operands, call_.stream);
  }
  Status divide(const DividePlan& plan, const DivideOperands& operands, void* workspace) override {
    return run(plan, operands, workspace, call_.cublas, call_.stream);
  }
  Status widen(const kernels::MatrixCopy& copy, int blocks) override {
    return type_ == Type::c ? WidenKernels<Complex<float>>::widen(copy, blocks, call_.stream)
                            : WidenKernels<Complex<double>>::widen(copy, blocks, call_.stream);
  }
  Status apply(const QPlan& plan, const LapackOperands& operands, void* workspace) override {
    return run(plan, nested(call_, operands, workspace));
  }
  Status copy(const kernels::MatrixCopy& copy) override {
    return copy_matrix(copy, static_cast<std::size_t>(size_of(type_)), call_.stream);
  }
  Status copy_values(const void* from, void* to, std::int64_t count) override {
    return cuda::result("copying eigenvalues",
                        cudaMemcpyAsync(to, from, static_cast<std::size_t>(count * size_of_real(type_)),
                                        cudaMemcpyDeviceToDevice, call_.stream));
  }

 private:
  Type type_;
  const DeviceCall& call_;
};

}  // namespace

// Kernels of both jobs: the next call may want the other one.
Status load(const SyevdPlan& plan) {
  const Type type = plan.problem.type, real = real_type(type);
  if (Status bad = load(plan.reduction); !bad.ok()) return bad;
  if (Status bad = load(TridiagonalValuesPlan{.problem = {.type = real}}); !bad.ok()) return bad;
  if (Status bad = load(DividePlan{.problem = {.type = real}}); !bad.ok()) return bad;
  if (Status bad = load(QPlan{.problem = {.type = type}}); !bad.ok()) return bad;
  if (type == Type::c) return WidenKernels<Complex<float>>::load();
  return type == Type::z ? WidenKernels<Complex<double>>::load() : Status{};
}

Status run(const SyevdPlan& plan, const DeviceCall& call) {
  SyevdQueue queue(plan.problem.type, call);
  return run_syevd(plan, call.operands, call.workspace, queue);
}

}  // namespace onepass::lapack
