// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Several products of one x in one launch, by a kernel that sums along columns: matrices of the same rows, each with a
// y and with lanes of its own. The blocks of the first come first, then those of the second.
#pragma once

#include <cstdint>

#include "kernels/gemv/args.hpp"

namespace onepass::kernels {

template <class Kernel>
struct GemvJoined {
  static constexpr int max_threads = Kernel::max_threads, min_blocks = Kernel::min_blocks;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvJoinedArgs& joined) {
    GemvArgs g = joined.gemv;
    int first_block = 0;
#pragma unroll
    for (const GemvJoinedArgs::Next& next : joined.next) {
      const bool mine = ex.block_x() >= next.first_block;
      g.a = mine ? next.a : g.a;
      g.y = mine ? next.y : g.y;
      g.cols = mine ? next.cols : g.cols;
      g.log2_lanes = mine ? next.log2_lanes : g.log2_lanes;
      g.log2_groups = mine ? next.log2_groups : g.log2_groups;
      g.log2_step = mine ? next.log2_step : g.log2_step;
      first_block = mine ? next.first_block : first_block;
    }
    Kernel::run(Part<Ex>{ex, first_block}, g);
  }

 private:
  // What one of them sees of the launch.
  template <class Ex>
  struct Part : Ex {
    int first_block;

    ONEPASS_DEVICE Part(Ex ex, int first) : Ex(ex), first_block(first) {}
    ONEPASS_DEVICE std::int64_t block_x() const { return Ex::block_x() - first_block; }
  };
};

}  // namespace onepass::kernels
