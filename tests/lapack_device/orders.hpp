// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Orders in which the simulator runs blocks and threads.
#pragma once

#include <vector>

#include "backends/sim/simulator.hpp"

namespace onepass::test {

// Everything that may differ between two runs on a device.
inline std::vector<sim::SimOptions> orders() {
  return {{},
          {.block_order = sim::BlockOrder::descending},
          {.block_order = sim::BlockOrder::shuffled, .seed = 7, .reverse_threads = true},
          {.reverse_threads = true}};
}

}  // namespace onepass::test
