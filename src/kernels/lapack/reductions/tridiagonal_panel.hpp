// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces the first columns of a large symmetric or Hermitian matrix to tridiagonal form, with two grid barriers a
// column, and leaves V (in A) and W for the level-3 update A -= V W^H + W V^H of the rest.
//
//       0     columns        m     Column j, step by step; the rest R of A stays as it is during the panel, so its
//     0 +------+-------------+     elements are on their way from memory to shared memory all the time, also while
//       | panel|             |     the block waits at a barrier.
//       |      |             |       A. By rows, a share for each block: w of column j - 1, and then column j updated,
//  cols +------+             |          x = A_j - V W_j^H - W V_j^H; part of |x|^2.
//       |strip | \           |          -- barrier --
//       |      |   \         |       B. A warp of each block: beta, tau; v = x / (alpha - beta).
//       |      |     \       |          By columns: dot products with v of the columns of V, of W and of the rest of
//       |      |   R   \     |          the panel (strip).
//       |      |         \   |          By tiles of R, from its stored triangle alone: row sums A v, column sums
//     m +------+-------------+          A^H v, v^H A v.
//                                       -- barrier --
//
// Where a panel follows another, the update between them multiplies R by x of column 0 (rank_2k.hpp), which it has on
// the chip: what is left of that column is a launch without grid barriers, and this kernel's begins with column 1.
//
// Sums of a tile meet in step A of the next column, where the block that owns a row adds them up in a fixed order.
#pragma once

#include "kernels/lapack/reductions/tridiagonal_panel_products.hpp"
#include "kernels/lapack/reductions/tridiagonal_panel_rows.hpp"

namespace onepass::kernels {

template <class A, PanelPart columns = PanelPart::all>
struct TridiagonalPanel {
  using Shape = TridiagonalPanelShape<A>;
  static constexpr int max_threads = Shape::threads, min_blocks = 1, slabs = Shape::slabs;
  static constexpr std::size_t shared_bytes = Shape::bytes;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const TridiagonalPanelArgs& g) {
    using Rows = TridiagonalPanelRows<A, Ex, columns>;
    using Products = TridiagonalPanelProducts<A, Ex, columns>;
    TridiagonalPanelBlock<A, Ex, columns> s(ex, g);
    if (columns != PanelPart::others && g.unit != nullptr && s.block == 0 && s.t == 0)
      ex.store(static_cast<A*>(g.unit), from_real<A>(ex.load_matrix(static_cast<const RealOf<A>*>(g.unit_value))));

    if constexpr (columns == PanelPart::first_column) {
      Products::run_first_column(s);
    } else {
      GridBarrier<Ex> barrier{ex, g.barrier, g.timed_out};
      Reflector<A> h;
      if (columns == PanelPart::others) h = Products::first_reflector(s);
      for (int j = columns == PanelPart::others ? 1 : 0;; ++j) {
        Rows::run(s, j, h);
        if (j == g.columns) break;
        barrier.wait();
        h = Products::run(s, j);
        barrier.wait();
      }
    }
  }
};

}  // namespace onepass::kernels
