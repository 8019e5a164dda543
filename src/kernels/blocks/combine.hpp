// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From partial sums to y: sums within a block, and sums of several blocks, in an order that is fixed.
#pragma once

#include <cstdint>

#include "kernels/args.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// part(0, o) + part(1, o) + ... for output o = thread() < outputs <= threads(); other threads get
// nothing useful. Where the outputs leave threads over, teams of threads share the parts of an output
// and meet in `scratch`, one place per thread of shared memory. The order of the sum depends on the
// shape alone.
template <class S, class X, class Part>
ONEPASS_DEVICE S sum_parts(X ex, typename X::template Shared<S> scratch, int outputs, int parts, Part part) {
  S sum{};
  if (parts <= 8 || 2 * outputs > ex.threads()) {
    if (ex.thread() < outputs) {
#pragma unroll 4
      for (int p = 0; p < parts; ++p) sum = sum + part(p, ex.thread());
    }
    return sum;
  }
  const int spare = ex.threads() / outputs, teams = spare < parts ? spare : parts;
  const int team = ex.thread() / outputs, o = ex.thread() - team * outputs;
  if (team < teams) {
    // Eight at a time, the last round too: a part may be a trip through memory away.
    constexpr int in_flight = 8;
    for (int p = team; p < parts; p += in_flight * teams) {
      S value[in_flight] = {};
#pragma unroll
      for (int u = 0; u < in_flight; ++u)
        if (p + u * teams < parts) value[u] = part(p + u * teams, o);
#pragma unroll
      for (int u = 0; u < in_flight; ++u)
        if (p + u * teams < parts) sum = sum + value[u];
    }
    if (team > 0) scratch.put(ex.thread(), sum);
  }
  ex.sync();
  if (team == 0) {
#pragma unroll 4
    for (int t = 1; t < teams; ++t) sum = sum + scratch.get(t * outputs + o);
  }
  return sum;
}

// y[i] = alpha sum + beta y[i]
template <class T, Form F, class X>
ONEPASS_DEVICE void write_y(X ex, const GemvArgs& g, std::int64_t b, std::int64_t i, Sum<T> alpha, Sum<T> sum) {
  using S = Sum<T>;
  const S beta = scalar<S, F>(ex, g.beta, g.beta_pointer);
  S value = alpha == S{} ? S{} : alpha * conjugate_if(g.conjugate, sum);
  const auto update = [&](auto* y) {
    using Y = std::remove_pointer_t<decltype(y)>;
    y += i * g.incy;
    if (!(beta == S{})) value = multiply_add(value, beta, static_cast<S>(widen(ex.read_own(y))));
    if constexpr (std::is_same_v<Y, S>) {
      ex.write(y, value);
    } else {
      ex.write(y, narrow<Y>(value));
    }
  };
  if constexpr (!std::is_same_v<T, S>) {
    if (g.wide_y) {
      update(vector_y<S, F>(ex, g, b));
      return;
    }
  }
  update(vector_y<T, F>(ex, g, b));
}

// From a block's parts to y. If the block has the whole sum, it writes y. Else its sums go to the
// workspace, and the block that draws the last ticket of the tile adds those of all splits in their
// order, whatever the order of arrival. part(p, o): part p of output o, readable by every thread since
// the last sync(); index(o): place in y, or -1; scratch: shared memory apart from the parts.
template <class T, Form F, class X, class Part, class Index>
ONEPASS_DEVICE void deliver(X ex, const GemvArgs& g, std::int64_t b, Sum<T> alpha,
                            typename X::template Shared<Sum<T>> scratch, int outputs, int parts, Part part,
                            Index index) {
  using S = Sum<T>;
  const int threads = ex.threads();
  // More outputs than threads come with few parts, so that sum_parts needs no scratch between rounds.
  const auto each_output = [&](int count, auto term, auto out) {
    for (int base = 0; base < outputs; base += threads) {
      const int round = outputs - base < threads ? outputs - base : threads;
      const S sum = sum_parts<S>(ex, scratch, round, count, [&](int p, int o) { return term(p, base + o); });
      if (ex.thread() < round) out(base + ex.thread(), sum);
    }
  };
  const auto to_y = [&](int o, S sum) {
    const std::int64_t i = index(o);
    if (i >= 0) write_y<T, F>(ex, g, b, i, alpha, sum);
  };
  const std::int64_t tile = b * ex.grid_x() + ex.block_x();
  S* partial = static_cast<S*>(g.partial) + tile * g.splits * outputs;
  each_output(parts, part, [&](int o, S sum) {
    if (g.splits == 1) {
      to_y(o, sum);
    } else {
      ex.write(partial + ex.block_y() * outputs + o, sum);
    }
  });
  if (g.splits == 1) return;
  ex.sync();
  const auto drawn = ex.template shared<unsigned>(0);
  if (ex.thread() == 0) drawn.put(0, ex.ticket(g.counters + tile, static_cast<unsigned>(g.splits)));
  ex.sync();
  if (drawn.get(0) != static_cast<unsigned>(g.splits - 1)) return;
  each_output(
      g.splits, [&](int split, int o) { return ex.read_fresh(partial + split * outputs + o); }, to_y);
}

}  // namespace onepass::kernels
