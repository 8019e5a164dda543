// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cuda backend: device traits, memory and the way to the kernels.
#include <cuda_runtime_api.h>

#include <array>
#include <mutex>

#include "backends/cuda/cuda_status.hpp"
#include "backends/cuda/current_device.hpp"
#include "backends/cuda/gemv_instances.hpp"
#include "backends/cuda/pin_bandwidth.hpp"
#include "backends/cuda/symv_instances.hpp"
#include "backends/registry.hpp"
#include "launch/by_type.hpp"
#include "launch/gemv_args.hpp"
#include "plan/gemv.hpp"
#include "plan/symv.hpp"
#include "tuning/files.hpp"

namespace onepass {
namespace {

using cuda::result;

int attribute(cudaDeviceAttr which, int device) {
  int value = 0;
  return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

DeviceTraits read_traits(int device) {
  DeviceTraits t;
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, device) != cudaSuccess) return t;
  t.name = properties.name;
  t.arch = 10 * properties.major + properties.minor;
  t.sm_count = properties.multiProcessorCount;
  t.max_threads_per_sm = properties.maxThreadsPerMultiProcessor;
  t.max_blocks_per_sm = properties.maxBlocksPerMultiProcessor;
  t.registers_per_sm = properties.regsPerMultiprocessor;
  t.shared_bytes_per_sm = static_cast<int>(properties.sharedMemPerMultiprocessor);
  t.l2_bytes = properties.l2CacheSize;
  t.memory_bytes = static_cast<std::int64_t>(properties.totalGlobalMem);
  t.clock_hertz = 1e3 * attribute(cudaDevAttrClockRate, device);
  // Until `onepass bench --ceilings` measures them: a read sweep reaches about 94.5 % of the pins.
  t.ceilings = {
      .empty_seconds = 1.1e-6, .launch_seconds = 0.9e-6, .bytes_per_second = 0.945 * cuda::pin_bandwidth(device)};
  return t;
}

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

class CudaBackend final : public Backend {
 public:
  BackendId id() const override { return BackendId::cuda; }
  Alignment alignment() const override { return Alignment::element; }

  std::string why_unavailable() const override {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) {
      (void)cudaGetLastError();  // the question was ours, and so is its error
      return std::string("no usable GPU: ") + cudaGetErrorString(error);
    }
    return count == 0 ? "no GPU in this machine" : "";
  }

  const DeviceTraits& traits() const override {
    int device = 0;
    if (cuda::current_device(&device) != cudaSuccess || device >= cuda::most_devices) device = 0;
    const auto slot = static_cast<std::size_t>(device);
    std::call_once(once_[slot], [&] {
      traits_[slot] = read_traits(device);
      tuning_[slot] = load_tuning(traits_[slot]);
      traits_[slot].tuning = &tuning_[slot];
    });
    return traits_[slot];
  }

  Plan plan(const Problem& problem, int) const override {
    return stores_triangle(problem) ? plan_symv(problem, traits(), BackendId::cuda)
                                    : plan_gemv(problem, traits(), BackendId::cuda);
  }

  Status launch(const Plan& plan, const Operands& operands, Workspace workspace, Stream stream) const override {
    const bool may_overlap = traits().arch >= 90;
    return by_type(plan.problem.type_a, [&]<class T>(std::type_identity<T>) {
      if (stores_triangle(plan.problem))
        return cuda::SymvInstances<T>::launch(stream, may_overlap, plan, operands, workspace);
      return cuda::GemvInstances<T>::launch(stream, may_overlap, plan, gemv_args(plan, operands, workspace));
    });
  }

  Status warm_up() const override {
    warn_of_refused(*traits().tuning);
    const RelaxedCapture relaxed;
    for (const Type type : all_types) {
      Status status = by_type(type, []<class T>(std::type_identity<T>) {
        const Status gemv = cuda::GemvInstances<T>::load();
        return gemv.ok() ? cuda::SymvInstances<T>::load() : gemv;
      });
      if (!status.ok()) return status;
    }
    return {};
  }

  Status allocate_workspace(std::size_t bytes, void** data) const override {
    const RelaxedCapture relaxed;
    if (Status s = allocate(bytes, data); !s.ok()) return s;
    // On a stream of its own: neither waits for the caller's streams nor disturbs a capture.
    cudaStream_t own = nullptr;
    cudaError_t error = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking);
    if (error == cudaSuccess) error = cudaMemsetAsync(*data, 0, bytes, own);
    if (error == cudaSuccess) error = cudaStreamSynchronize(own);
    if (own != nullptr) cudaStreamDestroy(own);
    if (error != cudaSuccess) release(*data);
    return result("clearing a workspace", error);
  }

  Status allocate(std::size_t bytes, void** data) const override {
    return result("cudaMalloc", cudaMalloc(data, bytes == 0 ? 256 : bytes));
  }
  void release(void* data) const override { cudaFree(data); }
  Status zero(void* data, std::size_t bytes, Stream stream) const override {
    return result("cudaMemsetAsync", cudaMemsetAsync(data, 0, bytes, stream));
  }
  Status copy_in(void* to, const void* from_host, std::size_t bytes) const override {
    return result("copy to the device", cudaMemcpy(to, from_host, bytes, cudaMemcpyHostToDevice));
  }
  Status copy_out(void* to_host, const void* from, std::size_t bytes) const override {
    return result("copy from the device", cudaMemcpy(to_host, from, bytes, cudaMemcpyDeviceToHost));
  }
  Status synchronize(Stream stream) const override {
    return result("cudaStreamSynchronize", cudaStreamSynchronize(stream));
  }

 private:
  mutable std::array<std::once_flag, cuda::most_devices> once_;
  mutable std::array<DeviceTraits, cuda::most_devices> traits_;
  mutable std::array<TuningTables, cuda::most_devices> tuning_;
};

}  // namespace

const Backend& cuda_backend() {
  static const CudaBackend backend;
  return backend;
}

}  // namespace onepass
