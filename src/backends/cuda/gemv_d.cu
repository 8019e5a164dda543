// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The GEMV kernels of type d.
#include "backends/cuda/gemv_instances.cuh"

namespace onepass::cuda {

template struct GemvInstances<ElementsD>;

}  // namespace onepass::cuda
