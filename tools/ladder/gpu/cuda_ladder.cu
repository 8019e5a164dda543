// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cuda/instances.cuh"
#include "ladder/gpu/cuda_ladder.hpp"
#include "ladder/gpu/launch.hpp"

namespace onepass::tools::ladder {

Status launch_on_cuda(Rung rung, const Problem& p, const Vectors& v, Stream stream) {
  const Args args{.a = static_cast<const float*>(v.a),
                  .x = static_cast<const float*>(v.x),
                  .y = static_cast<float*>(v.y),
                  .rows = p.m,
                  .cols = p.n};
  return launch(cuda::Launcher{static_cast<cudaStream_t>(stream), false}, rung, args);
}

Status inspect(Rung rung, cuda::Compiled* found) {
  return launch(cuda::Inspector{found}, rung, Args{.rows = 1, .cols = 1});
}

}  // namespace onepass::tools::ladder
