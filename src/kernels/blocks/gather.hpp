// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From the partial sums of a triangle to y.
#pragma once

#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/mailboxes.hpp"
#include "kernels/blocks/strips.hpp"

namespace onepass::kernels {

// From mailboxes to y, for outputs `first` and following, a lane each. The `warps` of the block share the mailboxes of
// an output; the order of the sum depends on the shape alone.
template <class E, Form F, class Ex>
ONEPASS_DEVICE void gather_strips(Ex ex, const SymvArgs& g, const Target& target, typename E::Sum* mailboxes, int warps,
                                  int first) {
  using S = typename E::Sum;
  constexpr int log2_lanes = std::countr_zero(static_cast<unsigned>(symv_lanes));
  const int lane = ex.thread() & (symv_lanes - 1), warp = ex.thread() / symv_lanes, n = static_cast<int>(g.rows);
  const int i = first + lane;
  S total{};
  if (i < n) {
    const int from_top = i / g.tile;
    const Strip strip(g, g.upper ? g.strips - 1 - from_top : from_top);
    const int last = g.units - units_behind(g, strip.index) - 1, chunk = static_cast<int>(g.chunk);
    const int first_block = (last + 1 - strip.units) / chunk, blocks = last / chunk - first_block + 1;
    const int of_columns = g.strips - strip.index, from = segment(g, first_block, strip.index);
    total = sum_mailboxes(ex, mailboxes, g.timed_out, warp, of_columns + blocks, warps, [&](int k) {
      return k < of_columns ? column_mailbox(g, strip.index + k, i)
                            : row_mailbox(g, from + k - of_columns, i - strip.row0);
    });
  }
  total = sum_teams(ex, ex.template shared<S>(0), log2_lanes, total);
  if (warp == 0 && i < n) write_y<E, F>(ex, g, target, i, alpha_of<typename E::Scalar, F>(ex, g), total);
}

// y := beta y, by all blocks.
template <class E, Form F, class Ex>
ONEPASS_DEVICE void scale_all(Ex ex, const SymvArgs& g, const Target& target) {
  const std::int64_t step = ex.grid_x() * ex.threads();
#pragma unroll 1
  for (std::int64_t i = ex.block_x() * ex.threads() + ex.thread(); i < g.rows; i += step)
    write_y<E, F>(ex, g, target, i, {}, {});
}

}  // namespace onepass::kernels
