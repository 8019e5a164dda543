// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The bodies behind qr_panel_kernels.hpp; included once per element type.
#pragma once

#include "kernels/exec/cuda.hpp"
#include "kernels/lapack/qr_panel.hpp"
#include "lapack/cuda/launch.cuh"
#include "lapack/cuda/qr_panel_kernels.hpp"

namespace onepass::lapack {

template <class A>
Status QrPanelKernels<A>::load() {
  const Status narrow = load_kernel<kernels::QrPanel<A, 32>, kernels::QrPanelArgs>();
  return narrow.ok() ? load_kernel<kernels::QrPanel<A, 64>, kernels::QrPanelArgs>() : narrow;
}

template <class A>
Status QrPanelKernels<A>::panel(const QrStage& stage, const kernels::QrPanelArgs& args, cudaStream_t stream) {
  const auto run = [&]<int width>() {
    return launch<kernels::QrPanel<A, width>>("the QR panel", args, stage.blocks, stage.shared_bytes, stage.blocks > 1,
                                              stream);
  };
  return stage.width == 32 ? run.template operator()<32>() : run.template operator()<64>();
}

}  // namespace onepass::lapack
