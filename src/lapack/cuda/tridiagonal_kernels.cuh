// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind tridiagonal_kernels.hpp; included once per element type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/rank_2k.hpp"
#include "kernels/lapack/tridiagonal.hpp"
#include "kernels/lapack/tridiagonal_panel.hpp"
#include "lapack/cuda/launch.cuh"
#include "lapack/cuda/tridiagonal_kernels.hpp"

namespace onepass::lapack {

template <class A, int index>
struct OnChipKernel {
  static constexpr OnChipShape shape = sizeof(A) == 16 ? on_chip_shapes_z[index] : on_chip_shapes[index];
  using type = kernels::Tridiagonal<A, shape.rows_of_thread, shape.columns_of_thread>;
};

template <class A>
Status TridiagonalKernels<A>::load() {
  using kernels::TridiagonalArgs, kernels::TridiagonalPanelArgs;
  for (Status (*one)() : {load_kernel<typename OnChipKernel<A, 0>::type, TridiagonalArgs>,
                          load_kernel<typename OnChipKernel<A, 1>::type, TridiagonalArgs>,
                          load_kernel<typename OnChipKernel<A, 2>::type, TridiagonalArgs>,
                          load_kernel<typename OnChipKernel<A, 3>::type, TridiagonalArgs>,
                          load_kernel<kernels::TridiagonalPanel<A>, TridiagonalPanelArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  if constexpr (has_rank_2k)
    for (Status (*one)() : {load_kernel<kernels::Rank2k<A, true>, kernels::Rank2kArgs>,
                            load_kernel<kernels::Rank2k<A, sizeof(A) == 16>, kernels::Rank2kArgs>})
      if (Status bad = one(); !bad.ok()) return bad;
  return {};
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

template <class A>
Status TridiagonalKernels<A>::rank_2k(const kernels::Rank2kArgs& args, bool aligned,
                                      cudaStream_t stream) requires has_rank_2k {
  const auto run = [&]<class Kernel>(Kernel) {
    const kernels::Rank2kTiles tiles(args.n, Kernel::rows, Kernel::columns, args.lower);
    return launch<Kernel>("the rank-2k update", args, tiles.count(), Kernel::shared_bytes, false, stream);
  };
  // An element of 16 bytes is always aligned.
  return aligned ? run(kernels::Rank2k<A, true>{}) : run(kernels::Rank2k<A, sizeof(A) == 16>{});
}

}  // namespace onepass::lapack
