// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From partial sums to y: sums within a block, and sums of several blocks, in an order that is fixed.
#pragma once

#include <cstdint>

#include "kernels/args.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// sum[o] = part(0, o) + part(1, o) + ... for each output, all threads of the block at work: thread
// (p, o) adds every P-th part, then P sums are added in order. `scratch` is shared memory that
// nobody uses any more; the sums end in its first `outputs` places, behind a sync().
template <class S, class X, class Part>
ONEPASS_DEVICE void sum_parts(X ex, typename X::template Shared<S> scratch, int outputs, int parts, Part part) {
  const int threads = ex.threads();
  if (2 * outputs > threads || parts < 4) {
    for (int o = ex.thread(); o < outputs; o += threads) {
      S sum{};
      for (int p = 0; p < parts; ++p) sum = sum + part(p, o);
      scratch.put(o, sum);
    }
    ex.sync();
    return;
  }
  const int teams = threads / outputs < parts ? threads / outputs : parts;
  const int team = ex.thread() / outputs, o = ex.thread() % outputs;
  if (team < teams) {
    S sum{};
#pragma unroll 4
    for (int p = team; p < parts; p += teams) sum = sum + part(p, o);
    scratch.put(ex.thread(), sum);
  }
  ex.sync();
  S sum{};
  if (team == 0)
    for (int t = 0; t < teams; ++t) sum = sum + scratch.get(t * outputs + o);
  ex.sync();
  if (team == 0) scratch.put(o, sum);
  ex.sync();
}

// y[i] = alpha sum + beta y[i]
template <class T, class X>
ONEPASS_DEVICE void write_y(X ex, const GemvArgs& g, std::int64_t b, std::int64_t i, Sum<T> alpha, Sum<T> sum) {
  using S = Sum<T>;
  const S beta = scalar<S>(ex, g.beta);
  const S product = alpha == S{} ? S{} : alpha * conjugate_if(g.conjugate, sum);
  const auto update = [&](auto* y) {
    using Y = std::remove_pointer_t<decltype(y)>;
    y += g.first_y + i * g.incy;
    S value = product;
    if (!(beta == S{})) value = multiply_add(value, beta, static_cast<S>(widen(ex.read_own(y))));
    if constexpr (std::is_same_v<Y, S>) {
      ex.write(y, value);
    } else {
      ex.write(y, narrow<Y>(value));
    }
  };
  if constexpr (!std::is_same_v<T, S>) {
    if (g.wide_y) {
      update(const_cast<S*>(input<S>(ex, g.y, g.pointer_array, g.stride_y, b)));
      return;
    }
  }
  update(const_cast<T*>(input<T>(ex, g.y, g.pointer_array, g.stride_y, b)));
}

// Delivers a block's sums, which lie in shared memory behind a sync(): to y, or, where several
// blocks share them, to the workspace; the block that draws the last ticket of the tile adds all of
// them in the order of the splits, whatever the order of arrival. index(o): place in y, or -1.
template <class T, class X, class Index>
ONEPASS_DEVICE void deliver(X ex, const GemvArgs& g, std::int64_t b, Sum<T> alpha,
                            typename X::template Shared<Sum<T>> sums, int outputs, Index index) {
  using S = Sum<T>;
  if (g.splits > 1) {
    const std::int64_t tile = b * ex.grid_x() + ex.block_x();
    S* partial = static_cast<S*>(g.partial) + tile * g.splits * outputs;
    for (int o = ex.thread(); o < outputs; o += ex.threads())
      ex.write(partial + ex.block_y() * outputs + o, sums.get(o));
    ex.sync();
    const auto drawn = ex.template shared<unsigned>(0);
    if (ex.thread() == 0) drawn.put(0, ex.ticket(g.counters + tile, static_cast<unsigned>(g.splits)));
    ex.sync();
    if (drawn.get(0) != static_cast<unsigned>(g.splits - 1)) return;
    sum_parts<S>(ex, sums, outputs, g.splits, [&](int split, int o) {
      return ex.read_fresh(partial + static_cast<std::int64_t>(split) * outputs + o);
    });
  }
  for (int o = ex.thread(); o < outputs; o += ex.threads()) {
    const std::int64_t i = index(o);
    if (i >= 0) write_y<T>(ex, g, b, i, alpha, sums.get(o));
  }
}

}  // namespace onepass::kernels
