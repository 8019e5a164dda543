// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cuda/launcher.cuh"
#include "ladder/seeds/gpu/cuda_seeds.hpp"
#include "ladder/seeds/gpu/launch.hpp"

namespace onepass::tools::ladder {
namespace {

template <class T>
int resident_blocks(int threads) {
  cuda::Compiled found;
  const Status status = cuda::inspect_kernel<Rows<T, 1, false>, SeedArgs<T>>(
      threads, sizeof(T) * static_cast<std::size_t>(threads), &found);
  return status.ok() && found.resident_blocks > 0 ? found.resident_blocks : 1;
}

int multiprocessors() {
  int device = 0, count = 0;
  if (cudaGetDevice(&device) != cudaSuccess ||
      cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device) != cudaSuccess)
    return 1;
  return count;
}

}  // namespace

Status launch_seed_on_cuda(const Seed& seed, const Problem& p, const Vectors& v, void* partial, Stream stream) {
  const SeedDevice device{.multiprocessors = multiprocessors(),
                          .resident_blocks = p.type_a == Type::s ? resident_blocks<float> : resident_blocks<double>};
  return launch_seed_of(cuda::Launcher{static_cast<cudaStream_t>(stream), false}, seed, device, p, v.a, v.x, v.y,
                        partial);
}

}  // namespace onepass::tools::ladder
