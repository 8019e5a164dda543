// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Asks runs of memory into the L2: a warp on each SM, a piece of a run by one instruction of a thread. A warp issues a
// piece of 4 KB in 40 ns, so that more of them end sooner; nobody waits for what was asked for.
#pragma once

#include <cstdint>

namespace onepass::kernels {

struct PrefetchArgs {
  const char* first = nullptr;
  std::int64_t runs = 0, bytes = 0, pitch = 0;
};

inline constexpr int prefetch_threads = 32;
inline constexpr std::int64_t prefetch_bytes = 4096;  // bytes
inline constexpr std::int64_t prefetch_sector = 32;   // what memory moves; pieces begin and end on one

struct Prefetch {
  static constexpr int max_threads = prefetch_threads, min_blocks = 1;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const PrefetchArgs& g) {
    ex.launch_dependents();
    // Up to a sector in front of the first byte, and pieces enough for that too.
    const std::int64_t pieces = (g.bytes + prefetch_sector - 1 + prefetch_bytes - 1) / prefetch_bytes;
    for (std::int64_t i = ex.block_x() * ex.threads() + ex.thread(); i < g.runs * pieces;
         i += ex.grid_x() * ex.threads()) {
      const char* const run = g.first + i / pieces * g.pitch;
      const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(run) % prefetch_sector);
      const std::int64_t from = i % pieces * prefetch_bytes;
      const std::int64_t end = (past + g.bytes + prefetch_sector - 1) / prefetch_sector * prefetch_sector;
      const std::int64_t bytes = end - from < prefetch_bytes ? end - from : prefetch_bytes;
      if (bytes > 0) ex.prefetch_piece(run - past + from, static_cast<int>(bytes));
    }
    // The previous launch need not have ended before that; but the next one counts on it.
    ex.grid_dependency_wait();
  }
};

}  // namespace onepass::kernels
