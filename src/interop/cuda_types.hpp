// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// CUDA's types of elements, as Onepass has them.
#pragma once

#include <library_types.h>

#include <optional>

#include "onepass/types.h"

namespace onepass {

inline std::optional<onepassType_t> type_of(cudaDataType type) {
  switch (type) {
    case CUDA_R_32F: return ONEPASS_TYPE_S;
    case CUDA_R_64F: return ONEPASS_TYPE_D;
    case CUDA_C_32F: return ONEPASS_TYPE_C;
    case CUDA_C_64F: return ONEPASS_TYPE_Z;
    case CUDA_R_16F: return ONEPASS_TYPE_H;
    case CUDA_R_16BF: return ONEPASS_TYPE_B;
    default: return std::nullopt;
  }
}

}  // namespace onepass
