// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind hessenberg_kernels.hpp; included once per element type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/hessenberg.hpp"
#include "kernels/lapack/hessenberg_panel.hpp"
#include "lapack/cuda/chip_launch.cuh"
#include "lapack/cuda/hessenberg_kernels.hpp"
#include "lapack/cuda/launch.cuh"

namespace onepass::lapack {

template <class A, ChipShape shape>
using OnChipHessenberg =
    kernels::Hessenberg<A, shape.rows_of_thread, shape.columns_in_registers, shape.rows_in_registers>;

template <class A>
Status HessenbergKernels<A>::load() {
  using kernels::HessenbergPanel, kernels::HessenbergPanelArgs;
  for (Status (*one)() : {load_kernel<HessenbergPanel<A, 4>, HessenbergPanelArgs>,
                          load_kernel<HessenbergPanel<A, 8>, HessenbergPanelArgs>,
                          load_kernel<HessenbergPanel<A, 16>, HessenbergPanelArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  return for_each_chip_shape<hessenberg_shapes, A>(
      [&]<ChipShape shape>() { return load_kernel<OnChipHessenberg<A, shape>, kernels::HessenbergArgs>(); });
}

template <class A>
Status HessenbergKernels<A>::on_chip(const HessenbergStage& stage, const kernels::HessenbergArgs& args,
                                     cudaStream_t stream) {
  return with_chip_shape<hessenberg_shapes, A>(stage.shape, [&]<ChipShape shape>() {
    return launch<OnChipHessenberg<A, shape>>("the Hessenberg kernel", args, stage.blocks, stage.shared_bytes, true,
                                              stream);
  });
}

template <class A>
Status HessenbergKernels<A>::panel(const HessenbergStage& stage, const kernels::HessenbergPanelArgs& args,
                                   cudaStream_t stream) {
  const auto run = [&]<int vectors>() {
    return launch<kernels::HessenbergPanel<A, vectors>>("the Hessenberg panel", args, stage.blocks, stage.shared_bytes,
                                                        true, stream);
  };
  switch (stage.vectors) {
    case 4: return run.template operator()<4>();
    case 8: return run.template operator()<8>();
    default: return run.template operator()<16>();
  }
}

}  // namespace onepass::lapack
