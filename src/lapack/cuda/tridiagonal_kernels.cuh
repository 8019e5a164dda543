// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind tridiagonal_kernels.hpp; included once per element type.
#pragma once

#include "backends/cuda/cuda_status.hpp"
#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/scale.hpp"
#include "kernels/lapack/tridiagonal.hpp"
#include "kernels/lapack/tridiagonal_panel.hpp"
#include "lapack/cuda/tridiagonal_kernels.hpp"

namespace onepass::lapack {

template <class Kernel, class Args>
__global__ void __launch_bounds__(Kernel::max_threads, Kernel::min_blocks) entry(const __grid_constant__ Args args) {
  Kernel::run(exec::Cuda{}, args);
}

template <class Kernel, class Args>
Status launch(const char* what, const Args& args, int blocks, std::size_t shared_bytes, bool together,
              cudaStream_t stream) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeCooperative;
  attribute.val.cooperative = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(blocks));
  config.blockDim = dim3(Kernel::max_threads);
  config.dynamicSmemBytes = shared_bytes;
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = together ? 1 : 0;
  return cuda::result(what, cudaLaunchKernelEx(&config, entry<Kernel, Args>, args));
}

// Loads a kernel, and lets it have all the shared memory that a block can have.
template <class Kernel, class Args>
Status load_kernel() {
  int device = 0, most = 0;
  cudaFuncAttributes attributes{};
  cudaError_t error = cudaGetDevice(&device);
  if (error == cudaSuccess) error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
  if (error == cudaSuccess) error = cudaFuncGetAttributes(&attributes, entry<Kernel, Args>);
  if (error == cudaSuccess)
    error = cudaFuncSetAttribute(entry<Kernel, Args>, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
  return cuda::result("loading a kernel", error);
}

template <class A, int index>
struct OnChipKernel {
  static constexpr OnChipShape shape = sizeof(A) == 16 ? on_chip_shapes_z[index] : on_chip_shapes[index];
  using type = kernels::Tridiagonal<A, shape.rows_of_thread, shape.columns_of_thread>;
};

template <class A>
Status TridiagonalKernels<A>::load() {
  using kernels::ScaleArgs, kernels::TridiagonalArgs, kernels::TridiagonalPanelArgs;
  for (Status (*one)() :
       {load_kernel<kernels::LargestElement<A>, ScaleArgs>, load_kernel<kernels::ScaleTriangle<A>, ScaleArgs>,
        load_kernel<typename OnChipKernel<A, 0>::type, TridiagonalArgs>,
        load_kernel<typename OnChipKernel<A, 1>::type, TridiagonalArgs>,
        load_kernel<typename OnChipKernel<A, 2>::type, TridiagonalArgs>,
        load_kernel<typename OnChipKernel<A, 3>::type, TridiagonalArgs>,
        load_kernel<kernels::TridiagonalPanel<A>, TridiagonalPanelArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  return {};
}

template <class A>
Status TridiagonalKernels<A>::largest(const kernels::ScaleArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::LargestElement<A>>("the largest element", args, blocks, 256, false, stream);
}
template <class A>
Status TridiagonalKernels<A>::scale(const kernels::ScaleArgs& args, int blocks, cudaStream_t stream) {
  return launch<kernels::ScaleTriangle<A>>("scaling", args, blocks, 0, false, stream);
}

template <class A>
Status TridiagonalKernels<A>::on_chip(const TridiagonalStage& stage, const kernels::TridiagonalArgs& args,
                                      cudaStream_t stream) {
  const auto run = [&]<int index>() {
    return launch<typename OnChipKernel<A, index>::type>("the tridiagonal kernel", args, stage.blocks,
                                                         stage.shared_bytes, true, stream);
  };
  switch (stage.shape) {
    case 0: return run.template operator()<0>();
    case 1: return run.template operator()<1>();
    case 2: return run.template operator()<2>();
    default: return run.template operator()<3>();
  }
}

template <class A>
Status TridiagonalKernels<A>::panel(const TridiagonalStage& stage, const kernels::TridiagonalPanelArgs& args,
                                    cudaStream_t stream) {
  return launch<kernels::TridiagonalPanel<A>>("the tridiagonal panel", args, stage.blocks, stage.shared_bytes, true,
                                              stream);
}

}  // namespace onepass::lapack
