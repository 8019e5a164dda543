// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How the launches that scale a matrix are shaped.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plan/device_traits.hpp"

namespace onepass::lapack {

// A block takes column after column.
inline int scale_blocks(std::int64_t columns, const DeviceTraits& traits) {
  return static_cast<int>(std::clamp<std::int64_t>(columns / 8, 1, 2 * std::int64_t{traits.sm_count}));
}

}  // namespace onepass::lapack
