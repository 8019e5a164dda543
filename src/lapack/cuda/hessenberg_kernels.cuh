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
  for (const int number : kernels::stream_vectors_of_shapes)
    if (Status bad = kernels::with_stream_vectors(
            number, [&]<int vectors>() { return load_kernel<HessenbergPanel<A, vectors>, HessenbergPanelArgs>(); });
        !bad.ok())
      return bad;
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
  return kernels::with_stream_vectors(stage.vectors, [&]<int vectors>() {
    return launch<kernels::HessenbergPanel<A, vectors>>("the Hessenberg panel", args, stage.blocks, stage.shared_bytes,
                                                        true, stream);
  });
}

}  // namespace onepass::lapack
