// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind symv_instances.hpp; included once per element type.
#pragma once

#include "backends/cuda/launcher.cuh"
#include "backends/cuda/symv_instances.hpp"
#include "launch/symv.hpp"
#include "plan/symv_small.hpp"

namespace onepass::cuda {

template <class T>
Status SymvInstances<T>::launch(cudaStream_t stream, bool may_overlap, const Plan& plan, const Operands& operands,
                                Workspace workspace) {
  return launch_symv_of<T>(Launcher{stream, may_overlap}, plan, operands, workspace);
}

// Goes through the launch with a launcher that loads instead of launching.
template <class T>
Status SymvInstances<T>::load() {
  alignas(16) const unsigned char zero[16] = {};
  for (const std::int64_t batch : {1, 2}) {  // the plain form and the general one
    Plan plan = shape_symv({.routine = Routine::symv, .m = 1, .n = 1, .batch = batch}, kernels::symv_max_threads, 1, 1);
    for (const bool shallow : {false, true}) {
      plan.shallow = shallow;
      if (Status s = launch_symv_of<T>(Loader{}, plan, {.alpha = zero, .beta = zero}, {}); !s.ok()) return s;
    }
  }
  const Plan small = shape_small({.routine = Routine::symv, .m = 1, .n = 1, .batch = 2}, 1, 1);
  return launch_symv_of<T>(Loader{}, small, {.alpha = zero, .beta = zero}, {});
}

}  // namespace onepass::cuda
