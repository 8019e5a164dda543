// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of the canonical order share (numbers/canonical_order.hpp): sums over parts of a block and over the
// blocks of a split, as the tree has them; and the way to y.
#pragma once

#include <cstdint>

#include "kernels/blocks/operand.hpp"
#include "kernels/gemv/args.hpp"
#include "numbers/canonical_order.hpp"

namespace onepass::kernels {

// Of batches, pointers and scalars in device memory nothing is settled.
template <Form F, class Ex>
ONEPASS_DEVICE void wait_to_read_canonical(Ex ex, const GemvArgs& g) {
  if constexpr (F == Form::plain)
    wait_to_read(ex, g);
  else
    wait_for_previous_launch(ex);
}
template <Form F, class Ex>
ONEPASS_DEVICE void wait_to_write_canonical(Ex ex, const GemvArgs& g) {
  if constexpr (F == Form::plain) wait_to_write(ex, g);
}

// y[i] = alpha sum + beta y[i]
template <class E, Form F, class Ex>
ONEPASS_DEVICE void write_canonical(Ex ex, const GemvArgs& g, const Target& target, std::int64_t i,
                                    typename E::Scalar alpha, typename E::Sum sum) {
  using S = typename E::Sum;
  const auto beta = scalar<typename E::Scalar, F>(ex, g.beta, g.beta_pointer);
  typename E::Y* const y = vector_y<typename E::Y, F>(g, target) + i * g.incy;
  const S old = beta == S{} ? S{} : ex.load_own(y);
  ex.store(y, canonical::finish(alpha, g.conjugate ? canonical::conjugated(sum) : sum, beta, old));
}

// y[i] = beta y[i], for alpha = 0: A and x are not read, and the blocks of the last split do it alone.
template <class E, Form F, class Ex, class Index>
ONEPASS_DEVICE void scale_canonical(Ex ex, const GemvArgs& g, std::int64_t b, int outputs, Index index) {
  if (ex.block_y() != g.splits - 1) return;
  const Target target = target_of<F>(ex, g, b);
#pragma unroll 1
  for (int o = ex.thread(); o < outputs; o += ex.threads())
    if (const std::int64_t i = index(o); i >= 0) write_canonical<E, F>(ex, g, target, i, {}, {});
}

// The tree over n neighbours, a power of two. A recursion: a loop over its levels is not always unrolled, and the array
// goes to local memory.
template <class S, int n>
ONEPASS_DEVICE S tree_of(const S (&part)[n]) {
  if constexpr (n == 1) {
    return part[0];
  } else {
    S pair[n / 2];
#pragma unroll
    for (int i = 0; i < n / 2; ++i) pair[i] = part[2 * i] + part[2 * i + 1];
    return tree_of(pair);
  }
}
// Likewise over up to `most` neighbours; value(i) for i < count, 0 beyond.
template <class S, int most = 8, class Value>
ONEPASS_DEVICE S tree_of(int count, Value value) {
  S part[most];
#pragma unroll
  for (int i = 0; i < most; ++i) part[i] = i < count ? value(i) : S{};
  return tree_of(part);
}

// Every thread brings the sum of its team for output threadIdx.x mod outputs, a power of two; teams are neighbours in
// the tree, and threads 0 to outputs - 1 get the sums of all. scratch: one place per thread.
template <class S, int max_threads = gemv_max_threads, class Ex>
ONEPASS_DEVICE S tree_of_teams(Ex ex, typename Ex::template Shared<S> scratch, int log2_outputs, S sum) {
  const int outputs = 1 << log2_outputs;
#pragma unroll 1
  for (int mask = outputs; mask < Ex::warp; mask *= 2) sum = sum + ex.shuffle_xor(sum, mask);
  const int log2_width = log2_outputs > 5 ? log2_outputs : 5, parts = ex.threads() >> log2_width;
  if (parts <= 1) return sum;
  const int place = ex.thread() & ((1 << log2_width) - 1);
  if (place < outputs) scratch.put((ex.thread() >> log2_width << log2_outputs) + place, sum);
  ex.sync();
  if (ex.thread() < outputs)
    sum = tree_of<S, max_threads / 32>(parts, [&](int p) { return scratch.get((p << log2_outputs) + ex.thread()); });
  return sum;
}

// The lanes of a group, `width` of them from the own one's first on, are the partial sums of several columns: lane l of
// it ends with the sum of column l / (width / columns). A lane gives half of its columns to its partner, until it has
// one.
template <class S, int columns, class Ex>
ONEPASS_DEVICE S tree_of_lanes(Ex ex, const S (&sum)[columns], int width) {
  if constexpr (columns == 1) {
    S total = sum[0];
#pragma unroll 1
    for (int mask = width / 2; mask > 0; mask /= 2) total = total + ex.shuffle_xor(total, mask);
    return total;
  } else {
    const bool upper = (ex.thread() & (width / 2)) != 0;
    S half[columns / 2];
#pragma unroll
    for (int i = 0; i < columns / 2; ++i) {
      const S low = sum[i], high = sum[i + columns / 2];
      half[i] = (upper ? high : low) + ex.shuffle_xor(upper ? low : high, width / 2);
    }
    return tree_of_lanes(ex, half, width / 2);
  }
}

// The tree over `slots` sums of each output by all teams of a block, as tree_of_teams() has them. Sums of slots that
// exist(slot) come through their mailboxes (see combine.hpp), the others' value is other(slot).
template <class S, class Ex, class Exists, class Mailbox, class Other>
ONEPASS_DEVICE S tree_of_mailboxes(Ex ex, typename Ex::template Shared<S> scratch, int log2_outputs, int slots,
                                   std::uint32_t* timed_out, Exists exists, Mailbox mailbox, Other other) {
  // A team has 2^log2_span slots, from `first` on.
  const int team = ex.thread() >> log2_outputs, teams = ex.threads() >> log2_outputs;
  int log2_span = 0;
  while (teams << log2_span < slots) ++log2_span;
  const int first = team << log2_span, beyond = at_most(slots, first + (1 << log2_span));
  canonical::Tree<S, canonical_split_levels> tree;
  std::uint32_t count = 0;
  int polls = exec::most_polls;
#pragma unroll 1
  for (int slot = first; slot < beyond; slot += 8, ++count) {
    const auto polled_here = [&](int u) { return slot + u < beyond && exists(slot + u); };
    exec::Polled<S> polled[8];
    bool missing;
    do {
      missing = false;
#pragma unroll
      for (int u = 0; u < 8; ++u) polled[u] = polled_here(u) ? ex.poll(mailbox(slot + u)) : exec::Polled<S>{S{}, true};
#pragma unroll
      for (int u = 0; u < 8; ++u) missing = missing || !polled[u].arrived;
    } while (ex.poll_again(missing, polls));
#pragma unroll
    for (int u = 0; u < 8; ++u)
      if (polled_here(u)) ex.reset(mailbox(slot + u));
    tree.push(tree_of<S>(beyond - slot, [&](int u) { return polled_here(u) ? polled[u].value : other(slot + u); }),
              count);
  }
  if (polls < 0) ex.report_timeout(timed_out);
  ex.sync();
  return tree_of_teams<S>(ex, scratch, log2_outputs, tree.sum(count));
}

// From a block's sums, of which shared memory has one for each of its outputs, to y. Blocks blockIdx.y = 0 to splits -
// 1 are neighbours in the tree, and each has a part of the sum; the last one adds them up (see combine.hpp for
// mailboxes).
//
// index(o): the place of output o in y, or -1.
template <class E, Form F, class Ex, class Index>
ONEPASS_DEVICE void combine_canonical(Ex ex, const GemvArgs& g, const Target& target, typename E::Scalar alpha,
                                      typename Ex::template Shared<typename E::Sum> scratch, int log2_outputs,
                                      typename E::Sum sum, Index index) {
  using S = typename E::Sum;
  const int last = g.splits - 1, o = ex.thread() & ((1 << log2_outputs) - 1), team = ex.thread() >> log2_outputs;
  const std::int64_t i = index(o);
  if (last > 0) {
    const std::int64_t tile = target.b * ex.grid_x() + ex.block_x();
    S* const mailboxes = static_cast<S*>(g.mailboxes) + ((tile * last) << log2_outputs) + o;
    const auto mailbox = [&](std::int64_t split) { return mailboxes + (split << log2_outputs); };
    if (ex.block_y() != last) {
      if (team == 0 && i >= 0) ex.publish(mailbox(ex.block_y()), sum);
      return;
    }
    // The own sum is that of the last split, and every team may have it.
    if (team == 0) scratch.put(o, sum);
    ex.sync();
    sum = tree_of_mailboxes<S>(
        ex, scratch, log2_outputs, g.splits, g.timed_out, [&](int split) { return i >= 0 && split < last; }, mailbox,
        [&](int) { return scratch.get(o); });
  }
  if (team == 0 && i >= 0) write_canonical<E, F>(ex, g, target, i, alpha, sum);
}

}  // namespace onepass::kernels
