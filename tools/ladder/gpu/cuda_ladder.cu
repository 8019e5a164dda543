// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cuda/launcher.cuh"
#include "ladder/gpu/cuda_ladder.hpp"
#include "ladder/gpu/launch.hpp"

namespace onepass::tools::ladder {
namespace {

// Asks for a kernel's attributes in place of launching it.
struct Inspector {
  Compiled* found;

  template <class Kernel, class Arguments>
  Status run(Grid, int threads, std::size_t shared_bytes, const Arguments&) const {
    const auto* kernel = reinterpret_cast<const void*>(cuda::entry<Kernel, Arguments>);
    cudaFuncAttributes attributes;
    int blocks = 0, device = 0, most = 0;
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error == cudaSuccess)
      error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes);
    if (error == cudaSuccess) error = cudaGetDevice(&device);
    if (error == cudaSuccess) error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxThreadsPerMultiProcessor, device);
    if (error != cudaSuccess) return cuda::result("the attributes of a kernel", error);
    *found = {.registers = attributes.numRegs,
              .local_bytes = static_cast<int>(attributes.localSizeBytes),
              .shared_bytes = static_cast<int>(attributes.sharedSizeBytes + shared_bytes),
              .occupancy = static_cast<double>(blocks * threads) / most};
    return {};
  }
};

}  // namespace

Status launch_on_cuda(Rung rung, const Problem& p, const Vectors& v, Stream stream) {
  const Args args{.a = static_cast<const float*>(v.a),
                  .x = static_cast<const float*>(v.x),
                  .y = static_cast<float*>(v.y),
                  .rows = p.m,
                  .cols = p.n};
  return launch(cuda::Launcher{static_cast<cudaStream_t>(stream), false}, rung, args);
}

Status inspect(Rung rung, Compiled* found) { return launch(Inspector{found}, rung, Args{.rows = 1, .cols = 1}); }

}  // namespace onepass::tools::ladder
