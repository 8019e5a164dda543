// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind hessenberg_kernels.hpp; included once per element type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/hessenberg_panel.hpp"
#include "lapack/cuda/hessenberg_kernels.hpp"
#include "lapack/cuda/launch.cuh"

namespace onepass::lapack {

template <class A>
Status HessenbergKernels<A>::load() {
  using kernels::HessenbergPanel, kernels::HessenbergPanelArgs;
  for (Status (*one)() : {load_kernel<HessenbergPanel<A, 4>, HessenbergPanelArgs>,
                          load_kernel<HessenbergPanel<A, 8>, HessenbergPanelArgs>,
                          load_kernel<HessenbergPanel<A, 16>, HessenbergPanelArgs>})
    if (Status bad = one(); !bad.ok()) return bad;
  return {};
}

template <class A>
Status HessenbergKernels<A>::panel(const HessenbergStage& stage, const kernels::HessenbergPanelArgs& args,
                                   cudaStream_t stream) {
  const auto run = [&]<int vectors>() {
    return launch<kernels::HessenbergPanel<A, vectors>>("the Hessenberg panel", args, stage.blocks,
                                                        kernels::hessenberg_shared_bytes(sizeof(A)), true, stream);
  };
  switch (stage.vectors) {
    case 4: return run.template operator()<4>();
    case 8: return run.template operator()<8>();
    default: return run.template operator()<16>();
  }
}

}  // namespace onepass::lapack
