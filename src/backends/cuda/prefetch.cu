// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cuda/launcher.cuh"
#include "backends/cuda/prefetch.hpp"
#include "kernels/prefetch.hpp"

namespace onepass::cuda {

Status prefetch(const void* first, const PrefetchRuns& runs, int blocks, cudaStream_t stream, bool may_overlap) {
  return Launcher{stream, may_overlap}.run<kernels::Prefetch>(
      {.x = blocks}, kernels::prefetch_threads, 0,
      kernels::PrefetchArgs{
          .first = static_cast<const char*>(first), .runs = runs.runs, .bytes = runs.bytes, .pitch = runs.pitch});
}

Status load_prefetch() { return load_kernel<kernels::Prefetch, kernels::PrefetchArgs>(); }

}  // namespace onepass::cuda
