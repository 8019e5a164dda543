// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the ruler: one that does nothing, one that only reads, one that copies.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

namespace onepass::tools {

struct ReadShape {
  int threads = 256;  // of a block
  int blocks = 1;
};

void launch_empty(cudaStream_t stream);

// What lies between two calls that are timed alone: a kernel that does nothing on every SM, a block of 256 threads
// each.
void launch_between(cudaStream_t stream);

// Reads `bytes` (a multiple of 16) once, with loads of 16 bytes that the L2 keeps: so it can flush it, too. `sink`: 4
// bytes that are written to by chance only.
void launch_read(const void* data, std::size_t bytes, ReadShape shape, unsigned* sink, cudaStream_t stream);

// Copies `bytes` (a multiple of 16) with loads and stores of 16 bytes.
void launch_copy(void* to, const void* from, std::size_t bytes, ReadShape shape, cudaStream_t stream);

}  // namespace onepass::tools
