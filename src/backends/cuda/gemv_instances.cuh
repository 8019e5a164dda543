// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind gemv_instances.hpp; included once per element type.
#pragma once

#include "backends/cuda/gemv_instances.hpp"
#include "backends/cuda/launcher.cuh"
#include "launch/gemv.hpp"

namespace onepass::cuda {

template <class T>
Status GemvInstances<T>::launch(cudaStream_t stream, const Plan& plan, const kernels::GemvArgs& args) {
  return launch_gemv_of<T>(Launcher{stream}, plan, args);
}

template <class T>
Status GemvInstances<T>::load() {
  Status status = cuda::load<kernels::GemvN<T>, kernels::GemvArgs>();
  if (status.ok()) status = cuda::load<kernels::GemvT<T>, kernels::GemvArgs>();
  return status;
}

}  // namespace onepass::cuda
