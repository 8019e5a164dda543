// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launch of kernels/prefetch.hpp.
#pragma once

#include <cuda_runtime_api.h>

#include "plan/plan.hpp"
#include "problem/status.hpp"

namespace onepass::cuda {

// `blocks`: as many as the device has SMs. may_overlap: as of all launches.
Status prefetch(const void* first, const PrefetchRuns& runs, int blocks, cudaStream_t stream, bool may_overlap);

// As its first launch would load it.
Status load_prefetch();

}  // namespace onepass::cuda
