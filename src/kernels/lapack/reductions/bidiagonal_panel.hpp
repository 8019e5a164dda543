// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces the first columns and rows of a matrix to bidiagonal form, with two grid barriers a column and A read once a
// column, and leaves P = (U, X) and Q = (Y, V) for the level-3 update A -= U Y^H + X V^H of the rest.
//
// Column j; A stays as it is during the panel (column_stream.hpp), j' is the column before:
//   1. By rows i, a share for each block: x of column j', and column j updated,
//        x_i = taup (A_i v - U_i (Y^H v) - X_i (V^H v)),   b_i = A_ij - U_i Y_j^H - X_i V_j^H;
//      parts of |b|^2 and of U^H b, X^H b.
//      -- barrier --
//   2. Everyone: beta, tauq and u from b. By columns k of A, a share for each block: once a column is on the chip,
//        y_k = tauq (A_k^H u - Y_k (U^H u) - V_k (X^H u)),   r_k = conj(A_jk) - Y_k U_j^H - V_k X_j^H,
//      and with r_k, not yet scaled, the column is multiplied: row sums += A_k r_k. Parts of |r|^2 and of Y^H r, V^H r.
//      -- barrier --
// v = r scale but for its first element, which is 1: A v = scale (A r) + A_{j+1}, where A r leaves column j + 1 out.
// The same for u and the dot products.
#pragma once

#include "kernels/lapack/reductions/bidiagonal_panel_columns.hpp"
#include "kernels/lapack/reductions/bidiagonal_panel_rows.hpp"

namespace onepass::kernels {

template <class A, int vectors, bool in_parts = false,
          int batch = in_parts ? stream_batch_in_parts(vectors, sizeof(A)) : stream_batch(vectors)>
struct BidiagonalPanel {
  using R = RealOf<A>;
  static constexpr int max_threads = stream_threads, min_blocks = 1;
  static constexpr std::size_t shared_bytes = BidiagonalPanelShape<A>::bytes;
  static_assert(batch <= stream_most_sums);

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BidiagonalPanelArgs& g) {
    BidiagonalPanelBlock<A, Ex, vectors, batch, in_parts> s(ex, g);
    if (in_parts) {
      ex.open_boxes(BidiagonalPanelShape<A>::at_boxes, 2, s.bytes_of_sums());
      ex.open_boxes(BidiagonalPanelShape<A>::at_tile_box, 1, s.bytes_of_tile());
      ex.cluster_barrier();  // nobody writes into the shared memory of a block that has not begun
    }
    GridBarrier<Ex> barrier{ex, g.barrier, g.timed_out};
    using Rows = BidiagonalPanelRows<A, Ex, vectors, batch, in_parts>;
    using Columns = BidiagonalPanelColumns<A, Ex, vectors, batch, in_parts>;
    // What a block has of P, Q and A is on its way while it waits.
    typename Rows::Tiles rows;
    typename Columns::Tile columns;
    s.stream.begin_pass(0);
    rows.load(s, 0, s.first_row);
    for (int j = 0;; ++j) {
      Rows::run(s, j, rows);
      if (j == g.columns) break;
      barrier.wait([&] { columns.load_before_barrier(s, j); });
      columns.load_behind_barrier(s, j);
      Columns::run(s, j, columns);
      barrier.wait([&] {
        s.stream.begin_pass(j + 1);
        rows.load(s, j + 1, s.first_row);
      });
    }
    write_back(s);
  }

 private:
  // U, V, d and e into the matrix. All of it was read.
  template <class Ex>
  static ONEPASS_DEVICE void write_back(const BidiagonalPanelBlock<A, Ex, vectors, batch, in_parts>& s) {
    const BidiagonalPanelArgs& g = s.g;
    s.ex.sync();
    for (int i = s.first_row + s.t; i < s.end_row; i += stream_threads)
      for (int c = 0; c < g.columns && c < i; ++c) s.ex.store(s.a(i, c), s.ex.load_fresh(s.p(i, 2 * c)));
    for (int l = s.t; l < s.stream.own && s.stream.part == 0; l += stream_threads) {
      const int k = s.stream.column(l);
      for (int c = 0; c < g.columns && c + 1 < k; ++c)
        s.ex.store(s.a(c, k), conjugate(s.ex.load_fresh(s.q(k, 2 * c + 1))));
    }
    if (s.block == 0 && s.t == 0)
      for (int c = 0; c < g.columns; ++c) {
        s.ex.store(s.a(c, c), from_real<A>(s.ex.load_fresh(static_cast<const R*>(g.d) + c)));
        if (c + 1 < g.n) s.ex.store(s.a(c, c + 1), from_real<A>(s.ex.load_fresh(static_cast<const R*>(g.e) + c)));
      }
  }
};

}  // namespace onepass::kernels
