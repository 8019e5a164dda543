// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Who touches global memory, and by which function of exec::Sim.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onepass::sim {

// The functions of exec::Sim that touch global memory. Each may reach only certain operands.
enum class Access : std::uint8_t {
  load_once,
  load_vector,
  load_cached,
  load_own,
  load_matrix,
  load_fresh,
  copy_element,
  store,
  add,
  prefetch,
  publish,
  poll,
  reset,
  grid_barrier
};

constexpr const char* name(Access access) {
  constexpr const char* names[] = {"load_once",  "load_vector",  "load_cached", "load_own",    "load_matrix",
                                   "load_fresh", "copy_element", "store",       "add",         "prefetch",
                                   "publish",    "poll",         "reset",       "grid_barrier"};
  return names[static_cast<std::size_t>(access)];
}

// The block's number in the grid, the thread, and what has ordered its accesses so far.
struct Agent {
  std::uint32_t block = 0;
  int thread = 0;
  bool waited = false;              // it has passed its grid-dependency wait
  std::uint32_t interval = 0;       // barriers of the block
  std::uint32_t grid_barriers = 0;  // of all blocks
};

}  // namespace onepass::sim
