// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From the partial sums of a triangle to y.
#pragma once

#include <bit>

#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/mailboxes.hpp"
#include "kernels/blocks/strips.hpp"

namespace onepass::kernels {

// From mailboxes to y, by block `block` of those that gather. Several threads share the mailboxes of an output; the
// order of the sum depends on the shape alone. Rows that two strips have are left to the last blocks, since they have
// more mailboxes than the others.
template <class E, Form F, class Shares = EqualShares, class Ex>
ONEPASS_DEVICE void gather_strips(Ex ex, const SymvArgs& g, const Target& target, typename E::Sum* mailboxes,
                                  int block) {
  using S = typename E::Sum;
  constexpr int log2_gathered_of_two = std::countr_zero(static_cast<unsigned>(symv_gathered_of_two));
  const int n = static_cast<int>(g.rows), usual = ((n - 1) >> g.log2_gathered) + 1;
  const bool of_two = block >= usual;
  const int log2_outputs = of_two ? log2_gathered_of_two : g.log2_gathered;
  const int part = ex.thread() >> log2_outputs, place = ex.thread() & ((1 << log2_outputs) - 1);
  int i = (block << log2_outputs) + place, from_top = 0, row = 0;
  if (of_two) {
    const int k = i - (usual << log2_outputs);
    from_top = k / g.above;
    row = g.tile - g.above + k - from_top * g.above;
    i = from_top * g.tile + row;
  } else {
    from_top = i / g.tile;
    row = i - from_top * g.tile;
  }
  const bool is_last = from_top + 1 >= g.strips;
  const bool wanted = i < n && of_two == (!is_last && row >= g.tile - g.above);
  S total{};
  if (wanted) {
    const int index = g.upper ? g.strips - 1 - from_top : from_top;
    // The strip below may have the row in some of its columns, and of an upper triangle the column.
    const int below = g.upper ? index - 1 : index + 1;
    using Part = Segments<Shares>;
    const Part segments(g, index), more = of_two ? Part(g, below) : Part{};
    const int first_strip = g.upper && !is_last && row >= g.tile - g.lead ? below : index;
    const int of_columns = g.strips - first_strip, of_both = of_columns + segments.count;
    total = sum_mailboxes<symv_polled>(ex, mailboxes, g.timed_out, part, of_both + more.count,
                                       ex.threads() >> log2_outputs, [&](int k) {
                                         return k < of_columns ? column_mailbox(g, first_strip + k, i)
                                                : k < of_both  ? row_mailbox(g, segments.first + k - of_columns, row)
                                                               : row_mailbox(g, more.first + k - of_both, row - g.tile);
                                       });
  }
  total = sum_teams(ex, ex.template shared<S>(0), log2_outputs, total);
  if (part == 0 && wanted) write_y<E, F>(ex, g, target, i, alpha_of<typename E::Scalar, F>(ex, g), total);
}

// Sums of columns low to low + count - 1 of a strip, which waited in shared memory from `from` on, into their
// mailboxes.
template <class S, class Ex>
ONEPASS_DEVICE void publish_columns(Ex ex, const SymvArgs& g, S* mailboxes, const Strip& strip, int low, int count,
                                    typename Ex::template Shared<S> held, int from = 0) {
  const int n = static_cast<int>(g.rows);
#pragma unroll 1
  for (int i = ex.thread(); i < count; i += ex.threads()) {
    const int c = low + i;
    if (c >= 0 && c < n) ex.publish(mailboxes + column_mailbox(g, strip.index, c), held.get(from + i));
  }
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
