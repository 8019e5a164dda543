// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The types of cuBLAS's calls with types as arguments, as Onepass has them.
#pragma once

#include <cublas_v2.h>

#include "interop/cuda_types.hpp"
#include "onepass/onepass.h"

namespace onepass::cublas {

// Sums in float, or in double for double: what Onepass does, and no less exact than any of these. Those in half also
// have their scalars in half, which Onepass does not take.
inline bool sums_fit(onepassType_t type, cublasComputeType_t compute) {
  const bool is_double = type == ONEPASS_TYPE_D || type == ONEPASS_TYPE_Z;
  switch (compute) {
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return is_double;
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: return !is_double;
    default: return false;
  }
}

// The enums of cuBLAS have Onepass's values; one that Onepass lacks is refused by it, and passed on.
inline onepassOperation_t op_of(cublasOperation_t op) { return static_cast<onepassOperation_t>(op); }

}  // namespace onepass::cublas
