// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// ger_aligned: A += alpha x y^T for large matrices whose columns all begin on 32 bytes.
//
//   lanes ->  +--------+--------+--------+---   a block takes a tile of rows in a few columns; each lane has 16 bytes
//   of column 0  | vector | vector | vector |      a column, and the same rows in all of them: what it needs of x stays
//   in column 1  | vector | vector | vector |      registers. Groups of lanes take columns in turn, and a thread has
//   several
//   ...                                         of them in flight.
#pragma once

#include "kernels/blocks/ger_slot.hpp"

namespace onepass::kernels {

template <class E, Form F>
struct GerAligned {
  using A = typename E::A;
  using S = typename E::Sum;
  static constexpr int V = vector_length<A>;
  static constexpr int in_flight = ger_aligned_in_flight;
  static constexpr int max_threads = ger_threads;
  static constexpr int min_blocks = F == Form::plain ? 8 : 6;  // on an SM: 64 or 80 registers a thread
  struct alignas(16) Vector {
    A element[V];
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GerArgs& g) {
    wait_for_previous_launch(ex);
    const S alpha = scalar<S, F>(ex, g.alpha, g.alpha_pointer);
    if (alpha == S{}) return;
    if constexpr (F == Form::plain) {
      update(ex, g, ger_operands<E, F>(ex, g, 0, alpha));
    } else {
#pragma unroll 1
      for (std::int64_t b = ex.block_z(); b < g.batch; b += ex.grid_z())
        update(ex, g, ger_operands<E, F>(ex, g, b, alpha));
    }
  }

 private:
  template <class Ex>
  static ONEPASS_DEVICE void update(Ex ex, const GerArgs& g, const GerOperands<E>& o) {
    const int lanes = 1 << g.log2_lanes, groups = ex.threads() >> g.log2_lanes;
    const int lane = ex.thread() & (lanes - 1), group = ex.thread() >> g.log2_lanes;
    const std::int64_t row = (ex.block_x() * lanes + lane) * V, first = ex.block_y() * g.columns;
    const std::int64_t end = first + at_most(g.cols - first, static_cast<int>(g.columns));
    if (row >= g.rows) return;
    if (row + V > g.rows) return update_end(ex, g, o, row, first + group, end, groups);

    S term[V];
#pragma unroll
    for (int v = 0; v < V; ++v) term[v] = o.term(ex, g, row + v);
    const std::int64_t step = groups * g.lda;
    A* at = o.a + (first + group) * g.lda + row;
    std::int64_t c = first + group;
#pragma unroll 1
    for (; c + (in_flight - 1) * groups < end; c += in_flight * groups, at += in_flight * step) {
      Vector vector[in_flight];
      S factor[in_flight];
#pragma unroll
      for (int u = 0; u < in_flight; ++u) vector[u] = ex.load_own(reinterpret_cast<const Vector*>(at + u * step));
#pragma unroll
      for (int u = 0; u < in_flight; ++u) factor[u] = o.factor(ex, g, c + u * groups);
#pragma unroll
      for (int u = 0; u < in_flight; ++u) add(ex, at + u * step, vector[u], term, factor[u]);
    }
#pragma unroll 1
    for (; c < end; c += groups, at += step)
      add(ex, at, ex.load_own(reinterpret_cast<const Vector*>(at)), term, o.factor(ex, g, c));
  }

  template <class Ex>
  static ONEPASS_DEVICE void add(Ex ex, A* at, Vector vector, const S (&term)[V], S factor) {
#pragma unroll
    for (int v = 0; v < V; ++v) vector.element[v] = updated<E>(vector.element[v], term[v], factor);
    ex.store_streaming(reinterpret_cast<Vector*>(at), vector);
  }

  // The last rows, fewer than a vector.
  template <class Ex>
  static ONEPASS_DEVICE void update_end(Ex ex, const GerArgs& g, const GerOperands<E>& o, std::int64_t row,
                                        std::int64_t column, std::int64_t end, int groups) {
#pragma unroll 1
    for (std::int64_t c = column; c < end; c += groups) {
      const S factor = o.factor(ex, g, c);
#pragma unroll 1
      for (std::int64_t r = row; r < g.rows; ++r) {
        A* const p = o.a + c * g.lda + r;
        ex.store(p, updated<E>(ex.load_own(p), o.term(ex, g, r), factor));
      }
    }
  }
};

}  // namespace onepass::kernels
