// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The GEMV kernels of type z.
#include "backends/cuda/gemv_instances.cuh"

namespace onepass::cuda {

template struct GemvInstances<ElementsZ>;

}  // namespace onepass::cuda
