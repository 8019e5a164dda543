// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The CUDA device of a handle of the reductions: what plans ask of it, its memory, and what it has loaded.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "device/workspaces.hpp"
#include "lapack/cuda/cublas.hpp"
#include "lapack/gpu/plan.hpp"
#include "lapack/problem.hpp"
#include "plan/device_traits.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

// Why there is no device; empty if there is one.
std::string why_no_device();

class CudaDevice {
 public:
  // The current one.
  static Status open(std::unique_ptr<CudaDevice>* made);
  CudaDevice(const CudaDevice&) = delete;
  CudaDevice& operator=(const CudaDevice&) = delete;

  const DeviceTraits& traits() const { return traits_; }
  // A failure if another device is current, or if a launch gave up waiting since the last time this was asked.
  Status check();
  Status workspace_bytes(const LapackProblem& problem, std::size_t* bytes);
  // `workspace` null: one of its own.
  Status run(const LapackProblem& problem, const LapackOperands& operands, void* workspace, std::size_t bytes,
             Stream stream);
  Status explain(const LapackProblem& problem, std::string* text);

 private:
  CudaDevice() = default;
  // Loads what the plan needs, if this is the first that needs it.
  Status prepare(const GpuPlan& plan, Type type);

  int device_ = 0;
  DeviceTraits traits_;
  std::array<StepGroups, 4> loaded_{};  // by type
  std::unique_ptr<Cublas> cublas_;
  Workspaces workspaces_;
};

}  // namespace onepass::lapack
