// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/queue.hpp"

#include <utility>

#include "backends/cuda/cuda_status.hpp"
#include "lapack/cuda/instances.hpp"
#include "lapack/gpu/elements.hpp"

namespace onepass::lapack {

Status CudaQueue::launch_step(Step step, const Work& work, const void* args) {
  return by_group(row(step).group, work.type,
                  [&]<StepGroup group, class A>() { return CudaKernels<group, A>::launch(stream_, step, work, args); });
}

Status CudaQueue::multiply(Type type, const Product& product) { return cublas_->gemm(type, product); }

Status CudaQueue::copy(Type type, const kernels::MatrixCopy& c) {
  const auto bytes = [&](std::int64_t elements) { return static_cast<std::size_t>(elements * size_of(type)); };
  return cuda::result("copying a matrix",
                      cudaMemcpy2DAsync(c.b, bytes(c.ldb), c.a, bytes(c.lda), bytes(c.rows),
                                        static_cast<std::size_t>(c.columns), cudaMemcpyDeviceToDevice, stream_));
}

Status CudaQueue::clear(void* data, std::size_t bytes) {
  return cuda::result("clearing memory", cudaMemsetAsync(data, 0, bytes, stream_));
}

Status CudaQueue::use(void* workspace) { return cublas_->use(stream_, workspace, product_workspace_bytes); }

Status load_kernels(StepGroup group, Type type) {
  return by_group(group, type, []<StepGroup g, class A>() { return CudaKernels<g, A>::load(); });
}

}  // namespace onepass::lapack
