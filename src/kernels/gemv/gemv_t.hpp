// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_t: y[c] = sum over r of A[r, c] x[r], dot products along the contiguous dimension of A.
//
//             columns of one bundle           A group of `lanes` threads owns a bundle of four columns and
//             c0    c1    c2    c3            walks down them: lane l has the 16-byte vectors l, l + lanes, ...
//           +-----+-----+-----+-----+         of each column (V elements each), one or two rounds of them in
//  lane 0   |  V  |  V  |  V  |  V  |         flight. The V elements of x at the same rows are loaded once and
//  lane 1   |  V  |  V  |  V  |  V  |         used for the four columns. A block holds threads / lanes groups.
//   ...     |     |     |     |     |         If the bundles do not fill the device, blockIdx.y splits the
//           +-----+-----+-----+-----+         columns, and combine_splits() adds the parts.
//
// Any alignment: A is loaded in whole vectors on 16-byte boundaries, wherever its columns start. The columns of a
// bundle start at the same offset from such a boundary (the plan chooses their distance so): a lane's vectors cover the
// same rows in all four, and need the same elements of x. What the first and last vector of a column hold of its
// neighbours is masked off before it is used.
//
// Before the grid-dependency wait (programmatic dependent launch) a thread computes its addresses and prefetches its
// first vectors into the L2; it loads nothing, since the previous launch may still write A or x, unless A is settled
// (`early`). Loads are predicated, not branched around: the compiler would wait for one load at the end of
// its branch before it issues the next.
#pragma once

#include <type_traits>

#include "kernels/blocks/bundle.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// early: the first loads come before the grid-dependency wait, in the plain form.
template <class E, Form F, Loads L, bool early>
struct GemvT {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using XFactor = typename E::XFactor;
  using Scalar = typename E::Scalar;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int bundle = gemv_t_bundle;
  static constexpr int in_flight = gemv_t_in_flight(L);
  static constexpr int max_threads = gemv_max_threads;
  // On an SM: 80 registers a thread, or 128 where they do not suffice. z with few loads would make do with 80, but
  // three places for grids of two blocks an SM get them unevenly: 68x13674 takes 8.1 us, not 6.0 (H200). Sums with more
  // digits need more registers, too.
  static constexpr bool accurate = !std::is_same_v<S, Scalar>;
  static constexpr int min_blocks = sizeof(S) > 16 && F == Form::general                                     ? 1
                                    : F == Form::general || accurate || (sizeof(A) == 2 && L == Loads::many) ? 2
                                    : sizeof(S) < 16                                                         ? 3
                                    : L == Loads::few                                                        ? 1
                                                                                                             : 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    each_product<F>(ex, g, [&](std::int64_t b) { product(ex, g, b); });
  }

 private:
  template <class Ex>
  static ONEPASS_DEVICE void product(Ex ex, const GemvArgs& g, std::int64_t b) {
    const int lanes = 1 << g.log2_lanes;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const std::int64_t bundle0 = ex.block_x() << g.log2_groups;
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    const auto index = [&](int o) { return column_of_output(g, bundle0, o); };
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      return scale_y<E, F>(ex, g, b, bundle << g.log2_groups, index);
    }

    // This lane's vectors lane, lane + lanes, ... of the block's share of each column of the bundle: `count` of them,
    // `stride` elements apart, the first at `row`. `shift`: elements of column 0's first vector in front of the column.
    const Bundle columns(g, bundle0 + group);
    const Operands<E> operands = operands_of<E, F>(ex, g, b);
    const A* const column0 = operands.a + columns.first * g.lda;
    const std::int64_t step = g.lda << g.log2_step;
    const int shift = offset_in_vector(column0);
    const std::int64_t vector0 = ex.block_y() * g.chunk;
    const std::int64_t share = vectors_of_share(ex, g, shift, vector0, columns.count);
    const std::int64_t count = share > lane ? (share - lane + lanes - 1) >> g.log2_lanes : 0;
    const int stride = lanes << log2_v;
    const std::int64_t row0 = (vector0 << log2_v) - shift, row = row0 + (lane << log2_v);
    const VectorPointer<X> x = operands.x;
    VectorPointer<X> x_at = x + row * g.incx;
    const A* at = column0 + row;

    // Column 0's first vector and the last column's last one may stick out of the matrix, where memory need not exist.
    // Then the vector is left out, and its elements are loaded one by one.
    const Span<A> span(g, operands.a);
    const std::int64_t last_row = row0 + ((share - 1) << log2_v);
    const A* const last_column = column0 + (columns.count - 1) * step;
    const bool cut_head = V > 1 && share > 0 && span.cuts_head(column0 + row0);
    const bool cut_tail = V > 1 && share > 0 && span.cuts_tail(last_column + last_row);
    const bool one_vector = cut_head && share == 1 && columns.count == 1;
    const int cut_last = cut_tail && ((share - 1) & (lanes - 1)) == lane ? 1 : 0;
    const bool skip_first = cut_head && lane == 0;
    // Elements 0 to 2 V - 1 of those two vectors: lane e loads element e before the loop; where lanes are fewer, they
    // load the others after it. x of element e is loaded after the loop where many vectors are in flight: registers are
    // scarce there, and a load into a spilled one is waited for; and with Half, whose loop the compiler otherwise makes
    // a fifth slower (H200, 4096x14336 T).
    constexpr bool preload_x = L == Loads::few && !std::is_same_v<A, Half>;
    const auto row_of_edge = [&](int e) { return e < V ? row0 + e : last_row + (e - V); };
    const auto has_edge = [&](int e) {
      const std::int64_t r = row_of_edge(e);
      return r >= 0 && r < g.rows && e < 2 * V && (e < V ? cut_head : cut_tail && !one_vector);
    };
    const auto load_edge = [&](int e) {
      return ex.load_once_if(has_edge(e), (e < V ? column0 : last_column) + row_of_edge(e));
    };
    const auto load_x_of_edge = [&](int e) { return load_cached_if(ex, has_edge(e), x + row_of_edge(e) * g.incx); };

    // Two vectors share a sector of 32 bytes: every other lane prefetches. x is the same for all groups.
    if constexpr (F == Form::plain) {
      if (prefetches(ex, g)) {
        const int vectors = (lane & 1) == 0 ? at_most(count - cut_last, g.prefetch_vectors) : 0;
        const A* ahead = at;
        const X* x_ahead = x_at;
        const bool wants_x = group == 0 && g.incx == 1;
#pragma unroll 1
        for (int u = 0; u < vectors; ++u) {
          ex.prefetch_if(wants_x && (u > 0 || row >= 0), x_ahead);
#pragma unroll
          for (int q = 0; q < bundle; ++q)
            ex.prefetch_if(q < columns.count && (u > 0 || !skip_first), ahead + q * step);
          ahead += stride;
          x_ahead += stride;
        }
      }
    }
    // A lane with such an element waits first: its x may be loaded with it.
    WaitForPreviousLaunch<early, Ex> wait(ex, g, V > 1 && has_edge(lane));
    A edge{};
    X x_edge{};
    if constexpr (V > 1) edge = load_edge(lane);
    if constexpr (V > 1 && preload_x) x_edge = load_x_of_edge(lane);

    // sum[q] += A[row + v, q] x[row + v]; all loads are issued before the first is used. Elements `from` to `to` - 1 of
    // a vector belong to its column.
    S sum[bundle] = {};
    const bool x_aligned = g.incx == 1 && is_on_vector(x_at);
    std::int64_t rows_left = g.rows - row;
    int first_row = at_most(row, 1), from0 = row < 0 ? shift : 0, skip = skip_first ? 1 : 0;
    for (std::int64_t left = count; left > 0; left -= in_flight) {
      const int reach = at_most(left, in_flight), reach_last = at_most(left - cut_last, in_flight);
      const int rows = at_most(rows_left, 1 << 30);
      exec::Vector16 vectors[in_flight][bundle];
      X xs[in_flight][V] = {};
      const auto wanted = [&](int u, int q) {
        const int end = q == columns.count - 1 ? reach_last : reach;
        return q < columns.count && u < end && !(q == 0 && u == 0 && skip != 0);
      };
      const auto from = [&](int u) { return u == 0 ? from0 : 0; };
      const auto to = [&](int u) { return rows - u * stride < V ? rows - u * stride : V; };
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        const A* vector = at + u * stride;
#pragma unroll
        for (int q = 0; q < bundle; ++q) {
          vectors[u][q] = ex.load_vector_or_garbage(wanted(u, q), vector, from(u), to(u));
          vector += step;
        }
      }
      wait.loads_issued(left <= in_flight);
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        const bool inside = (first_row > 0 || u > 0) && rows - u * stride > V;
        if (u < reach) load_x(ex, g, x_at + u * stride * g.incx, x_aligned, inside, from(u), to(u), xs[u]);
      }
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        if (from(u) != 0 || to(u) != V) {
#pragma unroll
          for (int q = 0; q < bundle; ++q) vectors[u][q] = keep<A>(vectors[u][q], from(u), to(u));
        }
        XFactor x_r[V];
#pragma unroll
        for (int v = 0; v < V; ++v) x_r[v] = conjugate_if(g.conjugate, as<XFactor>(xs[u][v]));
#pragma unroll
        for (int q = 0; q < bundle; ++q) {
          A element[V];
          unpack(vectors[u][q], element);
          S more = sum[q];
#pragma unroll
          for (int v = 0; v < V; ++v) more = multiply_add(more, as<Factor>(element[v]), x_r[v]);
          // What was not loaded is garbage.
          sum[q] = wanted(u, q) ? more : sum[q];
        }
      }
      if ((left & (3 * in_flight)) == 0) {  // every eight terms, or four
#pragma unroll
        for (int q = 0; q < bundle; ++q) sum[q] = settled(sum[q]);
      }
      at += in_flight * stride;
      x_at += in_flight * stride * g.incx;
      rows_left -= in_flight * stride;
      from0 = skip = 0;
      first_row = 1;
    }
    wait.loads_issued(true);  // also of a lane that has none
    if (V > 1 && (cut_head || cut_tail)) {
      S last{};
#pragma unroll 1
      for (int e = lane;;) {
        if constexpr (!preload_x) x_edge = load_x_of_edge(e);
        const S value = product_of<S>(as<Factor>(edge), conjugate_if(g.conjugate, as<XFactor>(x_edge)));
        sum[0] = sum[0] + (e < V ? value : S{});
        last = last + (e < V ? S{} : value);
        e += lanes;
        if (e >= 2 * V) break;
        edge = load_edge(e);
        if constexpr (preload_x) x_edge = load_x_of_edge(e);
      }
#pragma unroll
      for (int q = 0; q < bundle; ++q) sum[q] = sum[q] + (q == columns.count - 1 ? last : S{});
    }

    // Sum over the lanes of a group: within a warp by shuffles, among its warps through shared memory.
    const int log2_width = g.log2_lanes < 5 ? g.log2_lanes : 5;
    if (g.log2_lanes <= 5 && g.splits == 1) {
      const S total = sum_bundle<S>(ex, log2_width, sum);
      const int q = column_of_lane(lane, log2_width);
      wait.before_result();
      if (log2_width >= gemv_t_log2_bundle) {
        if (q >= 0 && q < columns.count) write_y<E, F>(ex, g, operands.target, columns.column(g, q), alpha, total);
      } else if (lane == 0) {
#pragma unroll
        for (int i = 0; i < bundle; ++i)
          if (i < columns.count) write_y<E, F>(ex, g, operands.target, columns.column(g, i), alpha, sum[i]);
      }
      return;
    }
    // Output o = q groups + group. The part of the group's warp w stands at w outputs + o.
    const int log2_outputs = g.log2_groups + gemv_t_log2_bundle, log2_warps = g.log2_lanes - log2_width;
    const auto shared = ex.template shared<S>(0);
    const S mine = sum_bundle<S>(ex, log2_width, sum);
    const int q = column_of_lane(lane & ((1 << log2_width) - 1), log2_width);
    if (q >= 0) shared.put((lane >> log2_width << log2_outputs) + (q << g.log2_groups) + group, mine);
    ex.sync();
    S total{};
    if (ex.thread() >> log2_outputs == 0) {
#pragma unroll 4
      for (int w = 0; w < 1 << log2_warps; ++w) total = total + shared.get((w << log2_outputs) + ex.thread());
    }
    const auto scratch = ex.template shared<S>((ex.threads() >> log2_width) * bundle * static_cast<int>(sizeof(S)));
    wait.before_result();
    combine_splits<E, F>(ex, g, operands.target, alpha, scratch, log2_outputs, total, index);
  }

  // Vectors of the block's share of a column that starts `shift` elements into its first vector. Behind pointers a
  // column may have one vector more than the plan knows: it belongs to the last share.
  template <class Ex>
  static ONEPASS_DEVICE std::int64_t vectors_of_share(Ex ex, const GemvArgs& g, int shift, std::int64_t vector0,
                                                      int columns) {
    const std::int64_t left = ((g.rows + shift + V - 1) >> log2_v) - vector0;
    const bool all = F == Form::general && ex.block_y() == g.splits - 1;
    return columns == 0 ? 0 : left < g.chunk || all ? left : g.chunk;
  }

  // xs[v] = x[v] for v from `from` to `to` - 1. aligned: contiguous, on a 16-byte boundary; inside: both neighbours
  // exist.
  template <class Ex, class T>
  static ONEPASS_DEVICE void load_x(Ex ex, const GemvArgs& g, const T* at, bool aligned, bool inside, int from, int to,
                                    T (&xs)[V]) {
    constexpr bool fills_vectors = sizeof(xs) % 16 == 0, in_pairs = sizeof(T) == 2 && V > 1;
    const bool whole = from == 0 && to == V;
    if (fills_vectors && whole && aligned) {
      load_x_vectors(ex, at, xs);
    } else if (whole && g.incx == 1 && (!in_pairs || inside)) {
      if constexpr (in_pairs) {
        load_x_pairs(ex, at, xs);
      } else {
#pragma unroll
        for (int v = 0; v < V; ++v) xs[v] = ex.load_cached(at + v);
      }
    } else {
#pragma unroll
      for (int v = 0; v < V; ++v) xs[v] = ex.load_cached_if(v >= from && v < to, at + v * g.incx);
    }
  }

  template <class Ex, class T>
  static ONEPASS_DEVICE void load_x(Ex ex, const GemvArgs& g, HeadTailPointer<T> at, bool aligned, bool inside,
                                    int from, int to, HeadTail<T> (&xs)[V]) {
    T head[V], tail[V];
    load_x(ex, g, at.head, aligned, inside, from, to, head);
    load_x(ex, g, at.tail, aligned, inside, from, to, tail);
#pragma unroll
    for (int v = 0; v < V; ++v) xs[v] = {head[v], tail[v]};
  }

  template <class Ex, class T>
  static ONEPASS_DEVICE void load_x_vectors(Ex ex, const T* at, T (&xs)[V]) {
    constexpr int per_vector = vector_length<T>;
#pragma unroll
    for (int i = 0; i < V / per_vector; ++i) {
      const exec::Vector16 vector = ex.load_cached(reinterpret_cast<const exec::Vector16*>(at) + i);
      std::memcpy(static_cast<void*>(xs + i * per_vector), &vector, sizeof(vector));
    }
  }

  // Elements of two bytes, two at a time, from the pair that the first one lies in.
  template <class Ex, class T>
  static ONEPASS_DEVICE void load_x_pairs(Ex ex, const T* at, T (&xs)[V]) {
    const int odd = offset_in_vector(at) & 1;
    const auto* pair = reinterpret_cast<const std::uint32_t*>(at - odd);
    std::uint32_t bits[V / 2 + 1];
#pragma unroll
    for (int i = 0; i < V / 2; ++i) bits[i] = ex.load_cached(pair + i);
    bits[V / 2] = ex.load_cached_if(odd != 0, pair + V / 2);
#pragma unroll
    for (int i = 0; i < V / 2; ++i) {
      const std::uint32_t two = odd != 0 ? (bits[i] >> 16) | (bits[i + 1] << 16) : bits[i];
      std::memcpy(static_cast<void*>(xs + 2 * i), &two, 4);
    }
  }
};

}  // namespace onepass::kernels
