// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Blocks that have no terms and only add up parts of sums: four outputs to a vector of mailboxes, of all splits side by
// side. They stand behind the blocks that publish, poll long before the first part is there, and have run their code
// by then.
#pragma once

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/combine.hpp"

namespace onepass::kernels {

// Outputs of a block: from g.tile times its number on.
struct OutputTile {
  int number, first, left, count;  // left: outputs from the first on, of this tile and others
  ONEPASS_DEVICE OutputTile(const GemvArgs& g, int n, int outputs)
      : number(n), first(n * g.tile), left(outputs - first), count(left < g.tile ? left : g.tile) {}
};

// The mailboxes of four outputs and a split: on a 16-byte boundary.
template <class S>
ONEPASS_DEVICE S* mailbox_of_four(const GemvArgs& g, int four, int split) {
  return static_cast<S*>(g.mailboxes) + 4 * (four * g.splits + split);
}

// `block`: its number among those that gather; a tile has 2^log2_fours times four outputs at most. 2^g.log2_grouped
// lanes have four of them, and poll several splits each at a time. Two warps of a block, so that polls are spread over
// the device. begin(tile, o, lane, lanes, sum): terms of outputs o to o + 3 that nobody publishes, each in one lane.
template <class E, class Ex, class Begin>
ONEPASS_DEVICE void gather_fours(Ex ex, const GemvArgs& g, typename E::Scalar alpha, int block, int log2_fours,
                                 int outputs, Begin begin) {
  using S = typename E::Sum;
  constexpr int polled_at_once = 4;
  wait_for_previous_launch(ex);
  if (ex.thread() >= gemv_gathering_threads || alpha == typename E::Scalar{}) return;
  const int lanes = 1 << g.log2_grouped, lane = ex.thread() & (lanes - 1);
  const int four = (block * gemv_gathering_threads + ex.thread()) >> g.log2_grouped;
  const OutputTile tile(g, four >> log2_fours, outputs);
  const int o = 4 * (four & ((1 << log2_fours) - 1)), splits = o < tile.count ? g.splits : 0;
  S* const boxes = mailbox_of_four<S>(g, four, 0);
  S sum[4] = {};
  begin(tile, o, lane, lanes, sum);
  int polls = exec::most_polls;
#pragma unroll 1
  for (int k = lane; k < splits; k += polled_at_once * lanes) {
    exec::PolledFour<S> polled[polled_at_once];
    S* at[polled_at_once];
    bool has[polled_at_once];
#pragma unroll
    for (int u = 0; u < polled_at_once; ++u) {
      has[u] = k + u * lanes < splits;
      at[u] = boxes + 4 * (has[u] ? k + u * lanes : k);
    }
    bool missing;
    do {
      missing = false;
#pragma unroll
      for (int u = 0; u < polled_at_once; ++u) polled[u] = ex.poll_four(at[u]);
#pragma unroll
      for (int u = 0; u < polled_at_once; ++u) missing = missing || !polled[u].arrived;
    } while (ex.poll_again(missing, polls));
#pragma unroll
    for (int u = 0; u < polled_at_once; ++u) {
#pragma unroll
      for (int i = 0; i < 4; ++i) sum[i] = sum[i] + (has[u] ? polled[u].value[i] : S{});
    }
#pragma unroll
    for (int u = 0; u < polled_at_once; ++u)
      if (has[u]) ex.reset_four(at[u]);
  }
#pragma unroll 1
  for (int mask = 1; mask < lanes; mask *= 2) {
#pragma unroll
    for (int i = 0; i < 4; ++i) sum[i] = sum[i] + ex.shuffle_xor(sum[i], mask);
  }
  const S upper = choose((lane & 1) != 0, sum[3], sum[2]), lower = choose((lane & 1) != 0, sum[1], sum[0]);
  if (lane < 4 && o + lane < tile.count)
    write_y<E, Form::plain>(ex, g, {}, tile.first + o + lane, alpha, choose((lane & 2) != 0, upper, lower));
  if (polls < 0) ex.report_timeout(g.timed_out);
}

}  // namespace onepass::kernels
