// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The memory of CUDA devices, for workspaces of the products and of the reductions.
#pragma once

#include <cuda_runtime_api.h>

#include "backends/cuda/capture.hpp"
#include "backends/cuda/cuda_status.hpp"
#include "backends/cuda/current_device.hpp"
#include "backends/device_memory.hpp"

namespace onepass::cuda {

// Lets this thread allocate while a stream is being captured somewhere.
class RelaxedCapture {
 public:
  RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  ~RelaxedCapture() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  RelaxedCapture(const RelaxedCapture&) = delete;
  RelaxedCapture& operator=(const RelaxedCapture&) = delete;

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

// `Base`: DeviceMemory, or an interface that has it.
template <class Base>
class CudaMemory : public Base {
 public:
  int current_device() const override {
    int device = 0;
    return cuda::current_device(&device) == cudaSuccess ? device : 0;
  }
  std::uint64_t stream_id(Stream stream) const override {
    unsigned long long id = 0;
    return cudaStreamGetId(stream, &id) == cudaSuccess ? id : 0;
  }
  bool is_per_thread(Stream stream) const override { return stream == cudaStreamPerThread; }
  std::uint64_t capture_id(Stream stream) const override { return capture_of(stream).id; }
  Status at_end_of_graph(Stream stream, void (*gone)(void*), void* data) const override {
    cudaUserObject_t object = nullptr;
    cudaError_t error = cudaUserObjectCreate(&object, data, gone, 1, cudaUserObjectNoDestructorSync);
    if (error == cudaSuccess)
      error = cudaGraphRetainUserObject(capture_of(stream).graph, object, 1, cudaGraphUserObjectMove);
    return result("giving a workspace to a graph", error);
  }
  Status allocate_flag(std::uint32_t** flag) const override {
    const RelaxedCapture relaxed;
    void* word = nullptr;
    const cudaError_t error = cudaHostAlloc(&word, sizeof(**flag), cudaHostAllocPortable | cudaHostAllocMapped);
    if (error != cudaSuccess) return result("cudaHostAlloc", error);
    *flag = static_cast<std::uint32_t*>(word);
    **flag = 0;
    return {};
  }
  void release_flag(std::uint32_t* flag) const override {
    const RelaxedCapture relaxed;
    (void)cudaFreeHost(flag);
  }

  Status allocate_workspace(std::size_t bytes, void** data) const override {
    const RelaxedCapture relaxed;
    if (Status s = result("cudaMalloc", cudaMalloc(data, bytes)); !s.ok()) return s;
    // On a stream of its own: neither waits for the caller's streams nor disturbs a capture. A new one each time: one
    // that was kept would not survive cudaDeviceReset, and cannot be asked whether it did.
    cudaStream_t own = nullptr;
    cudaError_t error = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    if (error == cudaSuccess) {
      error = cudaMemsetAsync(*data, 0, bytes, own);
      if (error == cudaSuccess) error = cudaStreamSynchronize(own);
      (void)cudaStreamDestroy(own);
    }
    if (error != cudaSuccess) (void)cudaFree(*data);
    return result("clearing a workspace", error);
  }
  // Waits for the device first: nothing that still runs can use it.
  void release(void* data) const override {
    const RelaxedCapture relaxed;
    (void)cudaFree(data);
  }
  Status zero(void* data, std::size_t bytes, Stream stream) const override {
    return result("cudaMemsetAsync", cudaMemsetAsync(data, 0, bytes, stream));
  }
};

}  // namespace onepass::cuda
