// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of kernels/row_steps.hpp.
#pragma once

#include <cuda_runtime_api.h>

#include "problem/row_step.hpp"

namespace onepass::cuda {

Status run_row_step(const RowStep& step, cudaStream_t stream, bool may_overlap);

// As their first launches would load them.
Status load_row_steps();

}  // namespace onepass::cuda
