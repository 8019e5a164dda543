// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind bidiagonal_kernels.hpp; included once per element type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/bidiagonal.hpp"
#include "kernels/lapack/bidiagonal_panel.hpp"
#include "kernels/lapack/rank_2k.hpp"
#include "lapack/cuda/bidiagonal_kernels.hpp"
#include "lapack/cuda/chip_launch.cuh"
#include "lapack/cuda/launch.cuh"

namespace onepass::lapack {

template <class A, ChipShape shape>
using OnChipBidiagonal =
    kernels::Bidiagonal<A, shape.rows_of_thread, shape.columns_in_registers, shape.rows_in_registers>;

template <class A>
Status BidiagonalKernels<A>::load() {
  using kernels::BidiagonalPanel, kernels::BidiagonalPanelArgs;
  const auto load_panel = [&]<int vectors>() {
    const Status loaded = load_kernel<BidiagonalPanel<A, vectors>, BidiagonalPanelArgs>();
    if constexpr (kernels::stream_has_parts(vectors))
      return loaded.ok() ? load_kernel<BidiagonalPanel<A, vectors, true>, BidiagonalPanelArgs>() : loaded;
    return loaded;
  };
  for (const int number : kernels::stream_vectors_of_shapes)
    if (Status bad = kernels::with_stream_vectors(number, load_panel); !bad.ok()) return bad;
  for (const int number : kernels::stream_vectors_of_long_columns)
    if (Status bad = kernels::with_long_stream_vectors<sizeof(A)>(number, load_panel); !bad.ok()) return bad;
  for (Status (*one)() : {load_kernel<kernels::Rank2k<A, true, false>, kernels::Rank2kArgs>,
                          load_kernel<kernels::Rank2k<A, sizeof(A) == 16, false>, kernels::Rank2kArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  return for_each_chip_shape<bidiagonal_shapes, A>(
      [&]<ChipShape shape>() { return load_kernel<OnChipBidiagonal<A, shape>, kernels::BidiagonalArgs>(); });
}

template <class A>
Status BidiagonalKernels<A>::on_chip(const BidiagonalStage& stage, const kernels::BidiagonalArgs& args,
                                     cudaStream_t stream) {
  return with_chip_shape<bidiagonal_shapes, A>(stage.shape, [&]<ChipShape shape>() {
    return launch<OnChipBidiagonal<A, shape>>("the bidiagonal kernel", args, stage.blocks, stage.shared_bytes, true,
                                              stream);
  });
}

template <class A>
Status BidiagonalKernels<A>::panel(const BidiagonalStage& stage, const kernels::BidiagonalPanelArgs& args,
                                   cudaStream_t stream) {
  const auto run = [&]<class Kernel>(Kernel) {
    return launch<Kernel>("the bidiagonal panel", args, stage.blocks, stage.shared_bytes, true, stream, stage.parts);
  };
  return kernels::with_long_stream_vectors<sizeof(A)>(stage.vectors, [&]<int vectors>() {
    if constexpr (kernels::stream_has_parts(vectors))
      if (stage.parts > 1) return run(kernels::BidiagonalPanel<A, vectors, true>{});
    return run(kernels::BidiagonalPanel<A, vectors>{});
  });
}

template <class A>
Status BidiagonalKernels<A>::rank_k(const kernels::Rank2kArgs& args, bool aligned, cudaStream_t stream) {
  const auto run = [&]<class Kernel>(Kernel) {
    return launch<Kernel>("the rank-k update", args, Kernel::tiles(args).count(), Kernel::shared_bytes, false, stream);
  };
  // An element of 16 bytes is always aligned.
  return aligned ? run(kernels::Rank2k<A, true, false>{}) : run(kernels::Rank2k<A, sizeof(A) == 16, false>{});
}

}  // namespace onepass::lapack
