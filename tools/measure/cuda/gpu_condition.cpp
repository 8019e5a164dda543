// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/cuda/gpu_condition.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "measure/cuda/device.hpp"

namespace onepass::tools {
namespace {

// What of NVML is used, as its manual has it: the library comes with the driver, its header does not always.
constexpr int sm_clock = 1;
struct Reason {
  unsigned long long bit;
  const char* text;
};
constexpr Reason reasons[] = {{0x04, "power cap"},
                              {0x08, "hardware slowdown"},
                              {0x20, "temperature, by software"},
                              {0x40, "temperature, by hardware"},
                              {0x80, "power brake"}};

class GpuCondition final : public Condition {
 public:
  GpuCondition() {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return;
    char bus[32] = {};
    int device = 0;
    must(cudaGetDevice(&device), "cudaGetDevice");
    must(cudaDeviceGetPCIBusId(bus, sizeof(bus), device), "cudaDeviceGetPCIBusId");
    const auto init = symbol<int (*)()>("nvmlInit_v2");
    const auto find = symbol<int (*)(const char*, void**)>("nvmlDeviceGetHandleByPciBusId_v2");
    clock_ = symbol<Clock>("nvmlDeviceGetClockInfo");
    most_ = symbol<Clock>("nvmlDeviceGetMaxClockInfo");
    reasons_ = symbol<Reasons>("nvmlDeviceGetCurrentClocksThrottleReasons");
    if (init == nullptr || find == nullptr || init() != 0 || find(bus, &device_) != 0) device_ = nullptr;
  }
  ~GpuCondition() override {
    if (library_ == nullptr) return;
    if (const auto end = symbol<int (*)()>("nvmlShutdown"); end != nullptr && device_ != nullptr) end();
    dlclose(library_);
  }
  GpuCondition(const GpuCondition&) = delete;
  GpuCondition& operator=(const GpuCondition&) = delete;

  std::vector<std::string> remarks() override {
    std::vector<std::string> found;
    for (const auto& [text, times] : seen_)
      found.push_back(fmt::format("the clock of the GPU was lowered ({}) at {} of {} looks; lowest {} of {} MHz", text,
                                  times, looks_, lowest_, highest_));
    return found;
  }

 protected:
  void look_now() override {
    if (device_ == nullptr || clock_ == nullptr || most_ == nullptr || reasons_ == nullptr) return;
    unsigned now = 0, most = 0;
    unsigned long long bits = 0;
    if (clock_(device_, sm_clock, &now) != 0 || most_(device_, sm_clock, &most) != 0 || reasons_(device_, &bits) != 0)
      return;
    ++looks_;
    lowest_ = lowest_ == 0 ? now : std::min(lowest_, now);
    highest_ = most;
    for (const Reason& reason : reasons)
      if ((bits & reason.bit) != 0) ++seen_[reason.text];
  }

 private:
  using Clock = int (*)(void*, int, unsigned*);
  using Reasons = int (*)(void*, unsigned long long*);

  template <class Function>
  Function symbol(const char* name) const {
    return reinterpret_cast<Function>(dlsym(library_, name));
  }

  void* library_ = nullptr;
  void* device_ = nullptr;
  Clock clock_ = nullptr, most_ = nullptr;
  Reasons reasons_ = nullptr;
  int looks_ = 0;
  unsigned lowest_ = 0, highest_ = 0;  // MHz
  std::map<std::string, int> seen_;    // looks at which a reason held
};

}  // namespace

std::unique_ptr<Condition> make_gpu_condition() { return std::make_unique<GpuCondition>(); }

}  // namespace onepass::tools
