// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The SYMV kernels of type h.
#include "backends/cuda/symv_instances.cuh"

namespace onepass::cuda {

template struct SymvInstances<ElementsH>;

}  // namespace onepass::cuda
