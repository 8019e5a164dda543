// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The seam between a plan and whatever executes kernels: CUDA or the simulator.
//
// A Launcher offers
//   template <class Kernel, class Args>
//   Status run(Grid grid, int threads, std::size_t shared_bytes, const Args& args, Meets meets = {}) const;
#pragma once

#include <cstddef>
#include <cstdint>

namespace onepass {

// Memory in which the blocks of a launch leave partial sums for each other.
struct Workspace {
  void* data = nullptr;
  std::size_t bytes = 0;
  std::uint32_t* timed_out = nullptr;  // set by a kernel that gave up waiting for one; may be null
};

struct Grid {
  std::int64_t x = 1, y = 1, z = 1;

  bool operator==(const Grid&) const = default;
};

// Which blocks of a launch wait for each other: those of a cluster, or all of the grid.
struct Meets {
  int cluster = 1;
  bool grid = false;
};

}  // namespace onepass
