// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of the canonical order share (problem/canonical_order.hpp): sums over parts of a block and over the
// blocks of a split, as the tree has them; and the way to y.
#pragma once

#include <cstdint>

#include "kernels/args.hpp"
#include "kernels/blocks/operand.hpp"
#include "problem/canonical_order.hpp"

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

// The tree over up to eight neighbours; value(i) for i < count, 0 beyond.
template <class S, class Value>
ONEPASS_DEVICE S tree_of_eight(int count, Value value) {
  S part[8];
#pragma unroll
  for (int i = 0; i < 8; ++i) part[i] = i < count ? value(i) : S{};
#pragma unroll
  for (int width = 1; width < 8; width *= 2) {
#pragma unroll
    for (int i = 0; i < 8; i += 2 * width) part[i] = part[i] + part[i + width];
  }
  return part[0];
}

// Every thread brings the sum of its team for output threadIdx.x mod outputs, a power of two; teams are neighbours in
// the tree, and threads 0 to outputs - 1 get the sums of all. scratch: one place per thread.
template <class S, class Ex>
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
    sum = tree_of_eight<S>(parts, [&](int p) { return scratch.get((p << log2_outputs) + ex.thread()); });
  return sum;
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
  const int outputs = 1 << log2_outputs, last = g.splits - 1;
  const int o = ex.thread() & (outputs - 1), team = ex.thread() >> log2_outputs;
  const std::int64_t i = index(o);
  int polls = exec::most_polls;
  if (last > 0) {
    const std::int64_t tile = target.b * ex.grid_x() + ex.block_x();
    S* const mailbox = static_cast<S*>(g.mailboxes) + ((tile * last) << log2_outputs) + o;
    if (ex.block_y() != last) {
      if (team == 0 && i >= 0) ex.publish(mailbox + (ex.block_y() << log2_outputs), sum);
      return;
    }
    // A team has 2^log2_span splits, from `first` on; the own sum is that of the last split, and every team may have
    // it.
    const int teams = ex.threads() >> log2_outputs;
    int log2_span = 0;
    while (teams << log2_span < g.splits) ++log2_span;
    const auto own = scratch;
    if (team == 0) own.put(o, sum);
    ex.sync();
    canonical::Tree<S, canonical_split_levels> tree;
    const int first = team << log2_span,
              beyond = g.splits < first + (1 << log2_span) ? g.splits : first + (1 << log2_span);
    std::uint32_t count = 0;
    if (i >= 0) {
#pragma unroll 1
      for (int split = first; split < beyond; split += 8, ++count) {
        const int reach = at_most(beyond - split, 8), others = at_most(last - split, reach);
        exec::Polled<S> polled[8];
        bool missing;
        do {
          missing = false;
#pragma unroll
          for (int u = 0; u < 8; ++u) {
            polled[u] = u < others ? ex.poll(mailbox + (static_cast<std::int64_t>(split + u) << log2_outputs))
                                   : exec::Polled<S>{S{}, true};
          }
#pragma unroll
          for (int u = 0; u < 8; ++u) missing = missing || !polled[u].arrived;
        } while (ex.poll_again(missing, polls));
#pragma unroll
        for (int u = 0; u < 8; ++u)
          if (u < others) ex.reset(mailbox + (static_cast<std::int64_t>(split + u) << log2_outputs));
        tree.push(tree_of_eight<S>(reach, [&](int u) { return u < others ? polled[u].value : own.get(o); }), count);
      }
    }
    ex.sync();
    sum = tree_of_teams<S>(ex, scratch, log2_outputs, tree.sum(count));
  }
  if (team == 0 && i >= 0) write_canonical<E, F>(ex, g, target, i, alpha, sum);
  if (polls < 0) ex.report_timeout(g.timed_out);
}

}  // namespace onepass::kernels
