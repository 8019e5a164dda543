// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of the lineage on CUDA.
#pragma once

#include "backends/backend.hpp"
#include "ladder/seeds/seeds.hpp"
#include "measure/host/provider.hpp"

namespace onepass::tools::ladder {

// `partial`: partial_numbers() of them, zeros before the first launch.
Status launch_seed_on_cuda(const Seed& seed, const Problem& p, const Vectors& v, void* partial, Stream stream);

}  // namespace onepass::tools::ladder
