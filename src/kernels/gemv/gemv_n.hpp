// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_n: y[r] = sum over c of A[r, c] x[c], outputs along the contiguous dimension of A.
//
//            columns c of one split
//          g0 g1 g2 g3 g0 g1 g2 g3 ...        A block owns a tile of rows. `lanes` threads side by side, a group,
//         +--+--+--+--+--+--+--+--+--         cover its rows in one column, each with one 16-byte vector; groups
//  lane 0 |  |  |  |  |  |  |  |  |           g0, g1, ... take the columns in turn. A thread has the vectors of
//  lane 1 |  |  |  |  |  |  |  |  |           several of its columns in flight and sums them in registers; the
//   ...   |  |  |  |  |  |  |  |  |           groups meet in shared memory. If the tiles do not fill the device,
//         +--+--+--+--+--+--+--+--+--         blockIdx.y splits the columns, and combine_splits() adds the parts.
//
// Any alignment: A is loaded in whole vectors on 16-byte boundaries, wherever its columns start. The columns of one
// group start at the same offset from such a boundary, because the number of groups is a multiple of the number of
// offsets (the plan sees to it). So all vectors of a thread cover the same rows, and what they hold of a neighbouring
// column only reaches sums that nobody reads.
#pragma once

#include <type_traits>

#include "kernels/blocks/anchored.hpp"
#include "kernels/blocks/combine.hpp"
#include "kernels/blocks/operand.hpp"

namespace onepass::kernels {

// early: where nothing that may still run writes A and x, all but the result comes before the grid-dependency wait, in
// the plain form.
template <class E, Form F, Loads L, bool early>
struct GemvN {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using XFactor = typename E::XFactor;
  using Scalar = typename E::Scalar;
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int in_flight = gemv_n_in_flight(L);
  static constexpr int max_threads = gemv_max_threads;
  // On an SM: 80 registers a thread, or 128. Sums with more digits are faster with two blocks that have their loads in
  // flight than with three: d 2048x2048 summed twice 10.2 us, and 11.1 (H200).
  static constexpr int min_blocks = F == Form::plain && std::is_same_v<S, Scalar> ? 3 : 2;
  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    each_product<F>(ex, g, [&](std::int64_t b) { product(ex, g, b); });
  }

 private:
  // Rows `from` to `to` - 1 of a block's tile. The vector of lane 0 starts `base` rows into it.
  struct Rows {
    int from, to, base;
    ONEPASS_DEVICE bool have(int r) const { return r >= from && r < to; }
  };

  // Elements in vectors that stick out of the matrix, which are loaded one by one. Such vectors lie in the first and
  // the last column of the matrix, and in more of them only where lda < V. Each element is for the thread that ends up
  // with the sum of its row.
  struct Edges {
    Span<A> span;
    const A* a;  // row 0 of the tile
    VectorPointer<X> x;
    std::int64_t first, last;  // columns of the block

    ONEPASS_DEVICE const A* at(const GemvArgs& g, int r, std::int64_t c) const { return a + (r + c * g.lda); }
    ONEPASS_DEVICE bool has_head(const GemvArgs& g, int r, const Rows& rows) const {
      return rows.have(r) && span.cuts(vector_of(at(g, r, first)));
    }
    ONEPASS_DEVICE bool has_tail(const GemvArgs& g, int r, const Rows& rows) const {
      return rows.have(r) && first != last && span.cuts(vector_of(at(g, r, last)));
    }
    // Those of the columns between the first and the last: lda < V.
    template <class Ex>
    ONEPASS_DEVICE S add_inner(Ex ex, const GemvArgs& g, int r, const Rows& rows, S sum) const {
      if (!rows.have(r)) return sum;
      const auto add = [&](std::int64_t c) {
        EdgeTerm<E> term;
        term.load(ex, span.cuts(vector_of(at(g, r, c))), at(g, r, c), x + c * g.incx);
        sum = term.add_to(sum, g.conjugate);
      };
#pragma unroll 1
      for (std::int64_t c = first + 1; c < last && c < first + V; ++c) add(c);
#pragma unroll 1
      for (std::int64_t c = last - V < first + V ? first + V : last - V; c < last; ++c) add(c);
      return sum;
    }
    template <class Ex>
    ONEPASS_DEVICE S add_all(Ex ex, const GemvArgs& g, int r, const Rows& rows, S sum) const {
      if constexpr (V > 1) {
        EdgeTerm<E> head, tail;
        head.load(ex, has_head(g, r, rows), at(g, r, first), x + first * g.incx);
        tail.load(ex, has_tail(g, r, rows), at(g, r, last), x + last * g.incx);
        sum = head.add_to(tail.add_to(sum, g.conjugate), g.conjugate);
        if (g.lda < V) sum = add_inner(ex, g, r, rows, sum);
      }
      return sum;
    }
  };

  template <class Ex>
  static ONEPASS_DEVICE void product(Ex ex, const GemvArgs& g, std::int64_t b) {
    const std::int64_t row0 = ex.block_x() * g.tile;
    const int rows = static_cast<int>(g.rows - row0 < g.tile ? g.rows - row0 : g.tile);
    const Scalar alpha = alpha_of<Scalar, F>(ex, g);
    if (alpha == Scalar{}) {
      wait_for_previous_launch(ex);
      return scale_y<E, F>(ex, g, b, rows, [&](int o) { return row0 + o; });
    }
    const Operands<E> operands = operands_of<E, F>(ex, g, b);
    if constexpr (F == Form::plain) {
      multiply(ex, g, operands, alpha, row0, {.from = 0, .to = rows, .base = 0});
    } else {
      // A plan assumes that matrices behind pointers start on a 16-byte boundary. One that does not has rows, fewer
      // than a vector of them, which the lanes do not reach: they take a second pass.
      const int reach = 1 << (g.log2_lanes + log2_v),
                first = at_most(rows, reach - offset_in_vector(operands.a + row0));
      Rows pass{.from = 0, .to = first, .base = 0};
#pragma unroll 1
      while (true) {
        multiply(ex, g, operands, alpha, row0, pass);
        if (pass.to == rows) break;
        ex.sync();
        pass = {.from = first, .to = rows, .base = reach};
      }
    }
  }

  template <class Ex>
  static ONEPASS_DEVICE void multiply(Ex ex, const GemvArgs& g, const Operands<E>& operands, Scalar alpha,
                                      std::int64_t row0, const Rows& rows) {
    const A* const a = operands.a;
    const VectorPointer<X> x = operands.x;
    const int lane = ex.thread() & ((1 << g.log2_lanes) - 1), group = ex.thread() >> g.log2_lanes;
    const std::int64_t col0 = ex.block_y() * g.chunk;
    const auto index = [&](int o) { return rows.have(o) ? row0 + o : std::int64_t{-1}; };

    // This thread's vectors: rows slot to slot + V - 1 of columns c, c + groups, ...: `left` of them, without those
    // that stick out of the matrix.
    const Span<A> span(g, a);
    const A* const tile = a + (row0 + col0 * g.lda);
    const A* vector = tile + group * g.lda;
    const int slot = rows.base + (lane << log2_v) - offset_in_vector(vector);
    vector += slot;
    const std::int64_t cols = g.cols - col0 < g.chunk ? g.cols - col0 : g.chunk;
    const std::int64_t step_a = g.lda << g.log2_groups, step_x = g.incx << g.log2_groups;
    std::int64_t left = slot < rows.to ? (cols + (1 << g.log2_groups) - 1 - group) >> g.log2_groups : 0;
    std::int64_t c = col0 + group;
    if (left > 0 && span.cuts_tail(vector + (left - 1) * step_a)) --left;
    if (left > 0 && span.cuts_head(vector)) {
      --left;
      vector += step_a;
      c += 1 << g.log2_groups;
    }
    VectorPointer<X> x_next = x + c * g.incx;

    // Whether this thread has elements of those, in the row whose sum it ends up with.
    const int log2_outputs = g.log2_lanes + log2_v, log2_teams = g.log2_groups - log2_v;
    const Edges edges{.span = span, .a = a + row0, .x = x, .first = col0, .last = col0 + cols - 1};
    const bool has_edges = V > 1 && log2_teams >= 0;
    const bool has_head = has_edges && edges.has_head(g, ex.thread(), rows);
    const bool has_tail = has_edges && edges.has_tail(g, ex.thread(), rows);

    // While the previous launch ends, the first vectors travel to the L2. Two of them share a sector: every other lane
    // prefetches.
    if constexpr (F == Form::plain) {
      if (prefetches(ex, g)) {
        const A* ahead = vector;
        const int vectors = (lane & 1) == 0 ? at_most(left, g.prefetch_vectors) : 0;
#pragma unroll 4
        for (int u = 0; u < vectors; ++u) {
          ex.prefetch_if(true, ahead);
          ahead += step_a;
        }
        prefetch_x(ex, g, col0);
      }
    }
    WaitForPreviousLaunch<early, Ex> wait(ex, g, true);
    EdgeTerm<E> head, tail;
    if constexpr (V > 1) {
      head.load(ex, has_head, edges.at(g, ex.thread(), edges.first), x + edges.first * g.incx);
      tail.load(ex, has_tail, edges.at(g, ex.thread(), edges.last), x + edges.last * g.incx);
    }

    S sum[V] = {};
    for (; left > 0; left -= in_flight) {
      const int reach = at_most(left, in_flight);
      // sum[v] += A[slot + v, c] x[c] for the next columns; all loads are issued before the first is used.
      exec::Vector16 vectors[in_flight];
      X xs[in_flight];
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        vectors[u] = ex.load_vector_if(u < reach, vector, rows.from - slot, rows.to - slot);
        vector += step_a;
      }
#pragma unroll
      for (int u = 0; u < in_flight; ++u) {
        xs[u] = load_cached_if(ex, u < reach, x_next);
        x_next += step_x;
      }
      if constexpr (has_anchor<E>) {
        sum[0] = add_terms<in_flight, false>(
            sum[0], g.cols >= least_anchored, [&](int u) { return element_of(vectors[u]); },
            [&](int u) { return conjugate_if(g.conjugate, xs[u]); }, [&](int u) { return high_word(xs[u]); });
      } else {
#pragma unroll
        for (int u = 0; u < in_flight; ++u) {
          const XFactor x_c = conjugate_if(g.conjugate, as<XFactor>(xs[u]));
          A element[V];
          unpack(vectors[u], element);
#pragma unroll
          for (int v = 0; v < V; ++v) sum[v] = multiply_add(sum[v], as<Factor>(element[v]), x_c);
        }
#pragma unroll
        for (int v = 0; v < V; ++v) sum[v] = settled(sum[v]);
      }
    }
    // A group alone has whole sums; without edges each thread writes those of its rows.
    const bool is_whole = V == 1 || (is_on_vector(a) && ((g.lda | g.rows) & (V - 1)) == 0);
    if (g.log2_groups == 0 && g.splits == 1 && is_whole) {
      wait.before_result();
#pragma unroll
      for (int v = 0; v < V; ++v)
        if (rows.have(slot + v)) write_y<E, F>(ex, g, operands.target, row0 + slot + v, alpha, sum[v]);
      return;
    }
    put_sums(ex, sum);
    ex.sync();

    // The sum of row r in group p stands r + shift_p places into the group's part.
    const int shift0 = offset_in_vector(tile), shift_step = static_cast<int>(g.lda & (V - 1));
    const auto shared = ex.template shared<S>(0);
    const auto part = [&](int p, int r) {
      return shared.get((p << log2_outputs) + r - rows.base + ((shift0 + p * shift_step) & (V - 1)));
    };
    const auto scratch = ex.template shared<S>(ex.threads() * V * static_cast<int>(sizeof(S)));
    if (log2_teams < 0) {
      // More outputs than threads, and no split.
      wait.before_result();
#pragma unroll 1
      for (int r = ex.thread(); r < rows.to; r += ex.threads()) {
        if (!rows.have(r)) continue;
        S total{};
#pragma unroll
        for (int p = 0; p < V; ++p)
          if (p >> g.log2_groups == 0) total = total + part(p, r);
        write_y<E, F>(ex, g, operands.target, row0 + r, alpha, edges.add_all(ex, g, r, rows, total));
      }
      return;
    }
    // A team: as many threads as the tile has outputs. Each team adds V groups' sums of every output.
    const int r = ex.thread() & ((1 << log2_outputs) - 1), team = ex.thread() >> log2_outputs;
    S total{};
    if (rows.have(r)) {
#pragma unroll
      for (int p = 0; p < V; ++p) total = total + part(team + (p << log2_teams), r);
    }
    total = sum_teams(ex, scratch, log2_outputs, total);
    if constexpr (V > 1) {
      total = head.add_to(tail.add_to(total, g.conjugate), g.conjugate);
      if (g.lda < V) total = edges.add_inner(ex, g, ex.thread(), rows, total);
    }
    wait.before_result();
    combine_splits<E, F>(ex, g, operands.target, alpha, scratch, log2_outputs, total, index);
  }

  // Of a vector that has one.
  static ONEPASS_DEVICE A element_of(const exec::Vector16& vector) {
    A element[V];
    unpack(vector, element);
    return element[0];
  }

  // The chunk's part of x if its elements are contiguous, a sector of 32 bytes per thread.
  template <class Ex>
  static ONEPASS_DEVICE void prefetch_x(Ex ex, const GemvArgs& g, std::int64_t col0) {
    constexpr int sector = 32 / static_cast<int>(sizeof(X));
    const std::int64_t c = ex.thread() * sector;
    ex.prefetch_if(g.incx == 1 && c < g.chunk && col0 + c < g.cols, static_cast<const X*>(g.x) + col0 + c);
  }

  // Thread t's sums, from place t V on, in stores of 16 bytes.
  template <class Ex>
  static ONEPASS_DEVICE void put_sums(Ex ex, const S (&sum)[V]) {
    constexpr int vectors = static_cast<int>(sizeof(sum)) / 16;
    const auto out = ex.template shared<exec::Vector16>(0);
#pragma unroll
    for (int w = 0; w < vectors; ++w) {
      exec::Vector16 vector;
      std::memcpy(&vector, reinterpret_cast<const char*>(sum) + 16 * w, 16);
      out.put(ex.thread() * vectors + w, vector);
    }
  }
};

}  // namespace onepass::kernels
