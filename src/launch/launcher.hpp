// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The seam between a plan and whatever executes kernels: CUDA or the simulator.
//
// A Launcher offers
//   template <class Kernel, class Args>
//   Status run(Grid grid, int threads, std::size_t shared_bytes, const Args& args) const;
#pragma once

#include <cstdint>

namespace onepass {

struct Grid {
  std::int64_t x = 1, y = 1, z = 1;

  bool operator==(const Grid&) const = default;
};

}  // namespace onepass
