// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernel of bisection for one real type and form of a matrix, as the host sees it: each is compiled in its own
// file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/bisection_args.hpp"
#include "kernels/lapack/form.hpp"
#include "lapack/cuda/tridiagonal_values_steps.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class R, kernels::Form form>
struct BisectionKernels {
  static Status load();  // into the device
  static Status bisect(const kernels::BisectionArgs& args, int blocks, cudaStream_t stream);
};

// Queues it on a stream.
template <class R, kernels::Form form>
class BisectionQueue final : public BisectionDevice {
 public:
  explicit BisectionQueue(cudaStream_t stream) : stream_(stream) {}
  Status bisect(const kernels::BisectionArgs& args, int blocks) override {
    return BisectionKernels<R, form>::bisect(args, blocks, stream_);
  }

 private:
  cudaStream_t stream_;
};

}  // namespace onepass::lapack
