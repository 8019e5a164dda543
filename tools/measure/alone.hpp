// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of calls that are timed alone: behind each of them lies a kernel of somebody else.
#pragma once

#include <algorithm>
#include <cstddef>

#include "problem/cost.hpp"

namespace onepass::tools {

// What a read-only kernel takes alone on an H200: for records that were made before it was measured with them.
inline constexpr Ceilings nominal_alone = {
    .empty_seconds = 1.43e-6, .launch_seconds = 1.45e-6, .bytes_per_second = 4.6e12};

// Seconds of one of `calls` calls, each followed by a kernel that takes `between` seconds behind its like.
constexpr double seconds_alone(double replay, std::size_t calls, double between) {
  return replay / static_cast<double>(calls) - between;
}

struct TimedRead {
  double bytes = 0, seconds = 0;
};

// The floor of calls alone, from three reads: the shortest that there is, and two that the line of the others goes
// through. It never lies below the shortest.
constexpr Ceilings ceilings_through(double shortest, const TimedRead& small, const TimedRead& large) {
  const double per_byte = std::max((large.seconds - small.seconds) / (large.bytes - small.bytes), 1e-15);
  return {.empty_seconds = shortest,
          .launch_seconds = std::max(small.seconds - small.bytes * per_byte, 0.0),
          .bytes_per_second = 1 / per_byte};
}

}  // namespace onepass::tools
