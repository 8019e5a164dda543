// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include <cuda_runtime_api.h>

#include <array>

#include "reductions/clock.hpp"
#include "reductions/cusolver_peer.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

void need(const char* what, cudaError_t error) {
  if (error != cudaSuccess) throw Failure(Exit::failed, std::string(what) + ": " + cudaGetErrorString(error));
}

class Memory {
 public:
  Memory() = default;
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;
  ~Memory() { cudaFree(data_); }
  void* grown(std::size_t bytes) {
    if (bytes <= bytes_ && data_ != nullptr) return data_;
    cudaFree(data_);
    data_ = nullptr;
    bytes_ = bytes < 256 ? 256 : bytes;
    need("cudaMalloc", cudaMalloc(&data_, bytes_));
    return data_;
  }

 private:
  void* data_ = nullptr;
  std::size_t bytes_ = 0;
};

class CudaClock final : public ReductionClock {
 public:
  explicit CudaClock(Beside beside) : peer_(open_cusolver(beside)) {
    need("cudaEventCreate", cudaEventCreate(&start_));
    need("cudaEventCreate", cudaEventCreate(&end_));
  }
  ~CudaClock() override {
    cudaEventDestroy(start_);
    cudaEventDestroy(end_);
  }

  void* memory(Room room, std::size_t bytes) override { return memory_[static_cast<std::size_t>(room)].grown(bytes); }
  void copy(void* to, const void* from, std::size_t bytes) override {
    need("cudaMemcpy", cudaMemcpy(to, from, bytes, cudaMemcpyDefault));
  }
  double milliseconds(const std::function<void()>& body) override {
    need("cudaDeviceSynchronize", cudaDeviceSynchronize());
    need("cudaEventRecord", cudaEventRecord(start_));
    body();
    need("cudaEventRecord", cudaEventRecord(end_));
    need("cudaEventSynchronize", cudaEventSynchronize(end_));
    float ms = 0;
    need("cudaEventElapsedTime", cudaEventElapsedTime(&ms, start_, end_));
    return ms;
  }
  const ReductionPeer* peer() const override { return peer_.get(); }
  std::vector<std::pair<std::string, std::string>> facts() const override {
    cudaDeviceProp properties{};
    int device = 0, driver = 0, runtime = 0;
    need("cudaGetDevice", cudaGetDevice(&device));
    need("cudaGetDeviceProperties", cudaGetDeviceProperties(&properties, device));
    need("cudaDriverGetVersion", cudaDriverGetVersion(&driver));
    need("cudaRuntimeGetVersion", cudaRuntimeGetVersion(&runtime));
    const auto version = [](int v) { return std::to_string(v / 1000) + "." + std::to_string(v % 1000 / 10); };
    return {{"device", properties.name}, {"driver for CUDA", version(driver)}, {"CUDA", version(runtime)}};
  }

 private:
  std::array<Memory, rooms> memory_;
  cudaEvent_t start_ = nullptr, end_ = nullptr;
  std::unique_ptr<ReductionPeer> peer_;
};

}  // namespace

std::unique_ptr<ReductionClock> make_cuda_clock(Beside beside) { return std::make_unique<CudaClock>(beside); }

}  // namespace onepass::tools
