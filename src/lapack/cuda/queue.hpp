// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The queue of a routine's work on a stream of CUDA.
#pragma once

#include <cuda_runtime_api.h>

#include "lapack/cuda/cublas.hpp"
#include "lapack/gpu/queue.hpp"

namespace onepass::lapack {

class CudaQueue final : public Queue {
 public:
  // `cublas`: null if no products follow.
  CudaQueue(cudaStream_t stream, Cublas* cublas, std::uint32_t* timed_out)
      : Queue(timed_out), stream_(stream), cublas_(cublas) {}

  Status multiply(Type type, const Product& product) override;
  Status copy(Type type, const kernels::MatrixCopy& copy) override;
  Status clear(void* data, std::size_t bytes) override;
  Status use(void* workspace) override;

 private:
  Status launch_step(Step step, const Work& work, const void* args) override;

  cudaStream_t stream_;
  Cublas* cublas_;
};

// Loads the kernels of a group for elements of a type into the current device.
Status load_kernels(StepGroup group, Type type);
// Loads those of a plan.
template <class Plan>
Status load(const Plan& plan) {
  const Type type = plan.problem.type;
  for (std::size_t i = 0; i < step_group_count; ++i) {
    const auto group = static_cast<StepGroup>(i);
    if ((groups_of(plan) & groups(group)) != 0)
      if (Status bad = load_kernels(group, is_real(group) ? real_type(type) : type); !bad.ok()) return bad;
  }
  return {};
}

}  // namespace onepass::lapack
