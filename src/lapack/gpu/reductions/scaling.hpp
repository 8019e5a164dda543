// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches that scale a matrix before its reduction.
#pragma once

#include <algorithm>
#include <cstdint>

#include "lapack/gpu/queue.hpp"
#include "plan/device_traits.hpp"

namespace onepass::lapack {

// A block takes column after column.
inline int scale_blocks(std::int64_t columns, const DeviceTraits& traits) {
  return static_cast<int>(std::clamp<std::int64_t>(columns / 8, 1, 2 * std::int64_t{traits.sm_count}));
}

// Finds the largest element, then scales; also sets the counters of the grid barriers to zero.
inline Status scale(Queue& queue, Type type, const kernels::ScaleArgs& args, int blocks) {
  if (Status bad = queue.launch<Step::largest_element>(
          {.type = type, .blocks = blocks, .shared_bytes = kernels::largest_element_shared_bytes}, args);
      !bad.ok())
    return bad;
  return queue.launch<Step::scale_matrix>({.type = type, .blocks = blocks}, args);
}

}  // namespace onepass::lapack
