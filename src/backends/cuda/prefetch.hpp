// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launch of kernels/prefetch.hpp.
#pragma once

#include <cuda_runtime_api.h>

#include "plan/prefetch.hpp"
#include "problem/status.hpp"

namespace onepass::cuda {

Status prefetch(const void* first, const PrefetchRuns& runs, cudaStream_t stream);

// As its first launch would load it.
Status load_prefetch();

}  // namespace onepass::cuda
