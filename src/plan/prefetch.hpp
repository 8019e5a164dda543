// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which bytes of a matrix are asked into the L2.
#pragma once

#include <algorithm>
#include <cstdint>

#include "plan/device_traits.hpp"
#include "problem/problem.hpp"

namespace onepass {

// `runs` runs of `bytes`, `pitch` bytes from one to the next, from the first element of A on.
struct PrefetchRuns {
  std::int64_t runs = 0, bytes = 0, pitch = 0;

  bool operator==(const PrefetchRuns&) const = default;
};

// What a caller gets who names no bound: half of the L2. The other half is left to what runs meanwhile.
constexpr std::int64_t prefetch_share(const DeviceTraits& traits) { return traits.l2_bytes / 2; }

// Of a checked problem, its A as it lies in memory: at most so many bytes, whole columns from the first on, or as much
// of the first as that is. Columns without gaps are one run.
constexpr PrefetchRuns prefetch_runs(const Problem& p, std::int64_t most_bytes) {
  const Stored s = stored(p);
  const std::int64_t column = s.rows * size_of(p.type_a);
  if (is_empty(p) || most_bytes <= 0) return {};
  if (p.lda == s.rows || s.cols == 1) {
    const std::int64_t bytes = std::min(column * s.cols, most_bytes);
    return {.runs = 1, .bytes = bytes, .pitch = bytes};
  }
  return {.runs = std::clamp<std::int64_t>(most_bytes / column, 1, s.cols),
          .bytes = std::min(column, most_bytes),
          .pitch = p.lda * size_of(p.type_a)};
}

}  // namespace onepass
