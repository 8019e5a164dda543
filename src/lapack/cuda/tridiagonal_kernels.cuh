// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind tridiagonal_kernels.hpp; included once per element type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/rank_2k.hpp"
#include "kernels/lapack/tridiagonal.hpp"
#include "kernels/lapack/tridiagonal_next_column.hpp"
#include "kernels/lapack/tridiagonal_one_block.hpp"
#include "kernels/lapack/tridiagonal_panel.hpp"
#include "lapack/cuda/chip_launch.cuh"
#include "lapack/cuda/launch.cuh"
#include "lapack/cuda/tridiagonal_kernels.hpp"

namespace onepass::lapack {

template <class A, ChipShape shape>
using OnChipTridiagonal = kernels::Tridiagonal<A, shape.rows_of_thread, shape.columns_in_registers>;
template <class A>
using OneBlockTridiagonal = kernels::TridiagonalOneBlock<A, kernels::one_block_rows_of_lane(sizeof(A))>;

template <class A>
using FirstOfPanel = kernels::TridiagonalPanel<A, kernels::PanelPart::first_column>;
template <class A>
using OthersOfPanel = kernels::TridiagonalPanel<A, kernels::PanelPart::others>;

template <class A>
Status TridiagonalKernels<A>::load() {
  if (Status bad = load_kernel<kernels::TridiagonalPanel<A>, kernels::TridiagonalPanelArgs>(); !bad.ok()) return bad;
  if (Status bad = load_kernel<OneBlockTridiagonal<A>, kernels::TridiagonalArgs>(); !bad.ok()) return bad;
  for (Status (*one)() : {load_kernel<kernels::Rank2k<A, true>, kernels::Rank2kArgs>,
                          load_kernel<kernels::Rank2k<A, sizeof(A) == 16>, kernels::Rank2kArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  if constexpr (begins_panels)
    for (Status (*one)() : {load_kernel<kernels::Rank2k<A, true, true, true>, kernels::Rank2kArgs>,
                            load_kernel<kernels::Rank2k<A, sizeof(A) == 16, true, true>, kernels::Rank2kArgs>,
                            load_kernel<kernels::TridiagonalNextColumn<A>, kernels::TridiagonalNextColumnArgs>,
                            load_kernel<FirstOfPanel<A>, kernels::TridiagonalPanelArgs>,
                            load_kernel<OthersOfPanel<A>, kernels::TridiagonalPanelArgs>})
      if (Status bad = one(); !bad.ok()) return bad;
  return for_each_chip_shape<tridiagonal_shapes, A>(
      [&]<ChipShape shape>() { return load_kernel<OnChipTridiagonal<A, shape>, kernels::TridiagonalArgs>(); });
}

template <class A>
Status TridiagonalKernels<A>::on_chip(const TridiagonalStage& stage, const kernels::TridiagonalArgs& args,
                                      cudaStream_t stream) {
  if (stage.kind == TridiagonalKind::one_block)
    return launch<OneBlockTridiagonal<A>>("the tridiagonal kernel of one block", args, 1, stage.shared_bytes, false,
                                          stream);
  return with_chip_shape<tridiagonal_shapes, A>(stage.shape, [&]<ChipShape shape>() {
    return launch<OnChipTridiagonal<A, shape>>("the tridiagonal kernel", args, stage.blocks, stage.shared_bytes, true,
                                               stream);
  });
}

template <class A>
Status TridiagonalKernels<A>::panel(const TridiagonalStage& stage, const kernels::TridiagonalPanelArgs& args,
                                    cudaStream_t stream) {
  const auto run = [&]<class Kernel>(Kernel, bool together) {
    return launch<Kernel>("the tridiagonal panel", args, stage.blocks, stage.shared_bytes, together, stream);
  };
  if constexpr (begins_panels)
    if (stage.begun) {
      if (Status bad = run(FirstOfPanel<A>{}, false); !bad.ok()) return bad;
      return run(OthersOfPanel<A>{}, true);
    }
  return run(kernels::TridiagonalPanel<A>{}, true);
}

template <class A>
Status TridiagonalKernels<A>::rank_2k(const kernels::Rank2kArgs& args, bool aligned, cudaStream_t stream) {
  const auto run = [&]<class Kernel>(Kernel) {
    return launch<Kernel>("the rank-2k update", args, Kernel::tiles(args).count(), Kernel::shared_bytes, false, stream);
  };
  // An element of 16 bytes is always aligned.
  const auto by_alignment = [&]<bool multiplies>(std::bool_constant<multiplies>) {
    return aligned ? run(kernels::Rank2k<A, true, true, multiplies>{})
                   : run(kernels::Rank2k<A, sizeof(A) == 16, true, multiplies>{});
  };
  if constexpr (begins_panels)
    if (args.x != nullptr) return by_alignment(std::true_type{});
  return by_alignment(std::false_type{});
}

template <class A>
Status TridiagonalKernels<A>::next_column(const kernels::TridiagonalNextColumnArgs& args, int blocks,
                                          cudaStream_t stream) requires begins_panels {
  using Kernel = kernels::TridiagonalNextColumn<A>;
  return launch<Kernel>("the column behind a tridiagonal panel", args, blocks, Kernel::shared_bytes, false, stream);
}

}  // namespace onepass::lapack
