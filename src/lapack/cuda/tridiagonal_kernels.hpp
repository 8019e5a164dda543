// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of tridiagonal reduction for one element type, as the host sees them: each type is compiled in its own
// file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/rank_2k_args.hpp"
#include "kernels/lapack/tridiagonal_args.hpp"
#include "kernels/lapack/tridiagonal_panel_args.hpp"
#include "lapack/cuda/stages.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class A>
struct TridiagonalKernels {
  static constexpr bool begins_panels = sizeof(RealOf<A>) == 8;  // whose first product the update before them makes

  static Status load();  // into the device, with the shared memory that they may ask for
  // By many blocks or by one.
  static Status on_chip(const TridiagonalStage& stage, const kernels::TridiagonalArgs& args, cudaStream_t stream);
  static Status panel(const TridiagonalStage& stage, const kernels::TridiagonalPanelArgs& args, cudaStream_t stream);
  // Then multiplies by x, if there is one.
  static Status rank_2k(const kernels::Rank2kArgs& args, bool aligned, cudaStream_t stream);
  static Status next_column(const kernels::TridiagonalNextColumnArgs& args, int blocks,
                            cudaStream_t stream) requires begins_panels;
};

}  // namespace onepass::lapack
