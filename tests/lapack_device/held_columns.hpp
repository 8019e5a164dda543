// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Columns that a stream need not load, for tests that count loads.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace onepass::test {

// Whether a team has column k, when it begins a pass, in its slots from the end of the pass before: one of the last
// that it used there.
inline bool is_held(std::int64_t k, std::int64_t n, std::int64_t teams, int slots, int pass) {
  std::vector<std::int64_t> order;
  const std::int64_t team = k / teams % 2 == 0 ? k % teams : teams - 1 - k % teams;
  for (std::int64_t round = 0; round * teams < n; ++round)
    if (const std::int64_t c = round * teams + (round % 2 == 0 ? team : teams - 1 - team); c < n && c > pass - 1)
      order.push_back(c);
  if (pass % 2 == 1) std::reverse(order.begin(), order.end());  // the last ones first
  return pass > 0 && std::find(order.begin(), order.end(), k) - order.begin() < slots;
}

}  // namespace onepass::test
