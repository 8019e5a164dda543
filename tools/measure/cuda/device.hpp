// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// CUDA objects with owners, and errors that end the measurement with what failed.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "problem/problem.hpp"

namespace onepass::tools {

void must(cudaError_t error, const char* what);

class CudaStream {
 public:
  CudaStream();
  ~CudaStream();
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  cudaStream_t get() const { return stream_; }
  void synchronize() const;

 private:
  cudaStream_t stream_ = nullptr;
};

// Device memory that only grows.
class CudaMemory {
 public:
  CudaMemory() = default;
  explicit CudaMemory(std::size_t bytes) { reserve(bytes); }
  ~CudaMemory();
  CudaMemory(const CudaMemory&) = delete;
  CudaMemory& operator=(const CudaMemory&) = delete;

  // Whether it had to grow, and so lost what was in it.
  bool reserve(std::size_t bytes);
  std::byte* data() const { return data_; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* data_ = nullptr;
  std::size_t bytes_ = 0;
};

// Random numbers of a type, through the whole of it.
void fill_random(const CudaMemory& memory, Type type);

std::size_t free_device_memory();
std::size_t l2_bytes();
int multiprocessors();
// From the clocks and widths that the device states; 0 where it does not.
double peak_bytes_per_second();
double peak_flops(Type type);
std::string device_name();
std::string driver_version();
std::string toolkit_version();

}  // namespace onepass::tools
