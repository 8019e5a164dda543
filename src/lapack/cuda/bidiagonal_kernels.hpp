// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of bidiagonal reduction for one element type, as the host sees them: each type is compiled in its own
// file.
#pragma once

#include <cuda_runtime_api.h>

#include "kernels/lapack/bidiagonal_panel_args.hpp"
#include "kernels/lapack/rank_2k_args.hpp"
#include "lapack/gpu/bidiagonal_stages.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <class A>
struct BidiagonalKernels {
  static Status load();  // into the device, with the shared memory that they may ask for
  static Status on_chip(const BidiagonalStage& stage, const kernels::BidiagonalArgs& args, cudaStream_t stream);
  static Status panel(const BidiagonalStage& stage, const kernels::BidiagonalPanelArgs& args, cudaStream_t stream);
  // C := C - V W^H in all of C.
  static Status rank_k(const kernels::Rank2kArgs& args, bool aligned, cudaStream_t stream);
};

}  // namespace onepass::lapack
