// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/cuda/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <vector>

#include "backends/cuda/pin_bandwidth.hpp"
#include "measure/random_block.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

int attribute(cudaDeviceAttr which) {
  int device = 0, value = 0;
  must(cudaGetDevice(&device), "cudaGetDevice");
  must(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
  return value;
}

std::string version_text(int version) { return fmt::format("{}.{}", version / 1000, version % 1000 / 10); }

}  // namespace

void must(cudaError_t error, const char* what) {
  if (error != cudaSuccess) throw Failure(Exit::failed, fmt::format("{}: {}", what, cudaGetErrorString(error)));
}

CudaStream::CudaStream() {
  must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
}
CudaStream::~CudaStream() { (void)cudaStreamDestroy(stream_); }
void CudaStream::synchronize() const { must(cudaStreamSynchronize(stream_), "cudaStreamSynchronize"); }

CudaMemory::~CudaMemory() { (void)cudaFree(data_); }

bool CudaMemory::reserve(std::size_t bytes) {
  if (bytes <= bytes_) return false;
  must(cudaFree(data_), "cudaFree");
  data_ = nullptr;
  bytes_ = 0;
  void* fresh = nullptr;
  must(cudaMalloc(&fresh, bytes), "cudaMalloc");
  data_ = static_cast<std::byte*>(fresh);
  bytes_ = bytes;
  return true;
}

void fill_random(const CudaMemory& memory, Type type) {
  const std::vector<std::byte> block = random_block(type);
  std::size_t filled = std::min(block.size(), memory.bytes());
  must(cudaMemcpy(memory.data(), block.data(), filled, cudaMemcpyHostToDevice), "cudaMemcpy to the device");
  while (filled < memory.bytes()) {
    const std::size_t more = std::min(filled, memory.bytes() - filled);
    must(cudaMemcpy(memory.data() + filled, memory.data(), more, cudaMemcpyDeviceToDevice), "cudaMemcpy on the device");
    filled += more;
  }
  must(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

std::size_t free_device_memory() {
  std::size_t free = 0, total = 0;
  must(cudaMemGetInfo(&free, &total), "cudaMemGetInfo");
  return free;
}

std::size_t l2_bytes() { return static_cast<std::size_t>(attribute(cudaDevAttrL2CacheSize)); }
int multiprocessors() { return attribute(cudaDevAttrMultiProcessorCount); }

double peak_bytes_per_second() {
  int device = 0;
  must(cudaGetDevice(&device), "cudaGetDevice");
  return cuda::pin_bandwidth(device);
}

// A multiplication and an addition per core and cycle; cores of a multiprocessor as NVIDIA's guides list them.
double peak_flops(Type type) {
  const struct {
    int arch, single_cores, double_cores;
  } cores[] = {{70, 64, 32}, {75, 64, 2}, {80, 64, 32}, {86, 128, 2}, {89, 128, 2}, {90, 128, 64}, {100, 128, 64}};
  const int arch = 10 * attribute(cudaDevAttrComputeCapabilityMajor) + attribute(cudaDevAttrComputeCapabilityMinor);
  for (const auto& c : cores)
    if (c.arch == arch)
      return 2.0 * 1e3 * attribute(cudaDevAttrClockRate) * multiprocessors() *
             (size_of_scalar(type) / (is_pair_type(type) ? 2 : 1) == 8 ? c.double_cores : c.single_cores);
  return 0;
}

std::string device_name() {
  int device = 0;
  cudaDeviceProp properties = {};
  must(cudaGetDevice(&device), "cudaGetDevice");
  must(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  return properties.name;
}

std::string driver_version() {
  int version = 0;
  must(cudaDriverGetVersion(&version), "cudaDriverGetVersion");
  std::string text = "CUDA " + version_text(version);
  // "NVRM version: NVIDIA UNIX ... Kernel Module  580.82.07  Release Build ...": the number with two dots.
  std::ifstream file("/proc/driver/nvidia/version");
  for (std::string word; file >> word;)
    if (word.find_first_not_of("0123456789.") == std::string::npos && std::count(word.begin(), word.end(), '.') >= 1)
      return word + ", " + text;
  return text;
}

std::string toolkit_version() { return version_text(CUDART_VERSION); }

}  // namespace onepass::tools
