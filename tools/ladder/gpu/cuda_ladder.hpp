// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the ladder on CUDA: launches, and what the compiler made of them.
#pragma once

#include "backends/backend.hpp"
#include "backends/cuda/compiled.hpp"
#include "ladder/steps.hpp"
#include "measure/host/provider.hpp"

namespace onepass::tools::ladder {

Status launch_on_cuda(Rung rung, const Problem& p, const Vectors& v, Stream stream);

Status inspect(Rung rung, cuda::Compiled* found);

}  // namespace onepass::tools::ladder
