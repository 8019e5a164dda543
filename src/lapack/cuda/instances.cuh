// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind instances.hpp: each generated file includes them with the kernels of its group.
#pragma once

#include "backends/cuda/launcher.cuh"
#include "lapack/cuda/instances.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

template <StepGroup group, class A>
Status CudaKernels<group, A>::load() {
  Status first_bad;
  for_each_kernel<group, A>([&]<Step step, int shape>() {
    using Kernel = typename KernelsOf<step>::template Kernel<A, shape>;
    if (first_bad.ok()) first_bad = cuda::load_kernel<Kernel, ArgsOf<step>>();
  });
  return first_bad;
}

template <StepGroup group, class A>
Status CudaKernels<group, A>::launch(cudaStream_t stream, Step step, const Work& work, const void* args) {
  return with_kernel<group, A>(step, work, [&]<Step each, int shape>() {
    using Kernel = typename KernelsOf<each>::template Kernel<A, shape>;
    return launch_work<Kernel>(cuda::Launcher{stream}, work, *static_cast<const ArgsOf<each>*>(args));
  });
}

}  // namespace onepass::lapack
