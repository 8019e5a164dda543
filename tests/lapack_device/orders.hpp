// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Orders in which the simulator runs blocks and threads.
#pragma once

#include <cstddef>
#include <vector>

#include "backends/sim/simulator.hpp"
#include "support/thorough.hpp"

namespace onepass::test {

// Everything that may differ between two runs on a device.
inline std::vector<sim::SimOptions> orders() {
  return {{},
          {.block_order = sim::BlockOrder::descending},
          {.block_order = sim::BlockOrder::shuffled, .seed = 7, .reverse_threads = true},
          {.reverse_threads = true}};
}

// Which of them a test takes that runs long: all in the types with the most and the fewest elements of a vector, the
// one that differs most from the first in the other types and where there is no time.
template <class T>
std::vector<std::size_t> orders_of_long_tests() {
  if (thorough && (sizeof(T) == 4 || sizeof(T) == 16)) return {0, 1, 2, 3};
  return {2};
}

}  // namespace onepass::test
