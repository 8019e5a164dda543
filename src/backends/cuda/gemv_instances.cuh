// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind gemv_instances.hpp; included once per element type.
#pragma once

#include "backends/cuda/gemv_instances.hpp"
#include "backends/cuda/launcher.cuh"
#include "launch/gemv.hpp"
#include "plan/variants.hpp"

namespace onepass::cuda {

template <class T>
Status GemvInstances<T>::launch(cudaStream_t stream, bool may_overlap, const Plan& plan,
                                const kernels::GemvArgs& args) {
  return launch_gemv_of<T>(Launcher{stream, may_overlap}, plan, args);
}

// Goes through the launch table with a launcher that loads instead of launching.
template <class T>
Status GemvInstances<T>::load() {
  for (const VariantEntry& entry : gemv_variants()) {
    for (const std::int64_t batch : {1, 2}) {  // the plain form and the general one
      for (const bool shallow : {false, true}) {
        const Plan plan{.problem = {.m = 1, .n = 1, .batch = batch}, .variant = entry.variant, .shallow = shallow};
        if (Status s = launch_gemv_of<T>(Loader{}, plan, {}); !s.ok()) return s;
      }
    }
  }
  return {};
}

template <class T>
Status GemvInstances<T>::inspect(const Plan& plan, Compiled* found) {
  return launch_gemv_of<T>(Inspector{found}, plan, {});
}

}  // namespace onepass::cuda
