// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/cuda/launcher.cuh"
#include "backends/cuda/row_steps.hpp"
#include "launch/row_steps.hpp"

namespace onepass::cuda {

Status run_row_step(const RowStep& step, cudaStream_t stream, bool may_overlap) {
  return by_row_type(step.type, [&]<class T>() { return launch_row_step<T>(Launcher{stream, may_overlap}, step); });
}

Status load_row_steps() {
  for (const Type type : {Type::s, Type::d, Type::h, Type::b}) {
    Status bad = by_row_type(type, [&]<class T>() {
      Status loaded = load_kernel<kernels::RmsNorm<T>, kernels::RowArgs>();
      if (loaded.ok()) loaded = load_kernel<kernels::Swiglu<T>, kernels::RowArgs>();
      return loaded.ok() ? load_kernel<kernels::Rotary<T>, kernels::RowArgs>() : loaded;
    });
    if (!bad.ok()) return bad;
  }
  return {};
}

}  // namespace onepass::cuda
