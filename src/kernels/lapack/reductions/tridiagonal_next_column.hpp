// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Between a panel of the tridiagonalisation and the update behind it: the first column that the update will leave,
//   x = A_0 - V W_0^H - W V_0^H,
// its diagonal element and parts of |x|^2, as step A of the next panel finds them; so that the update can multiply what
// it makes of A by x (rank_2k.hpp).
#pragma once

#include "kernels/lapack/reductions/tridiagonal_panel_block.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

// Threads are rows x parts of the sums, as in step A.
template <class A>
struct TridiagonalNextColumn {
  using R = RealOf<A>;
  static constexpr int max_threads = panel_threads, min_blocks = 1, warps = max_threads / 32, nb = panel_columns;
  // Shared memory, in elements of A: row 0 of W and of V, conjugate; a sum of each thread. Then sums of the warps.
  static constexpr int at_sums = 2 * nb, elements = at_sums + max_threads;
  static constexpr std::size_t shared_bytes = next_column_shared_bytes(sizeof(A), sizeof(R));
  static_assert(shared_bytes == elements * sizeof(A) + 2 * warps * sizeof(R));

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const TridiagonalNextColumnArgs& g) {
    constexpr int batch = 8;  // columns of V and W that are loaded at once
    const auto shared = ex.template shared<A>(0);
    const int t = ex.thread(), block = static_cast<int>(ex.block_x());
    const PanelRows rows(g.m, block, static_cast<int>(ex.grid_x()), t);
    const int i = rows.first + rows.row, parts = rows.parts();
    const auto row_of = [&](const void* matrix, int row) { return static_cast<const A*>(matrix) + row * g.row_step; };

    // All loads first.
    const A *of_v = row_of(g.v, i) + rows.part * g.col_step, *of_w = row_of(g.w, i) + rows.part * g.w_col_step;
    A v[batch], w[batch];
    int c = rows.part;
    const auto load = [&] {
#pragma unroll
      for (int q = 0; q < batch; ++q, c += parts, of_v += parts * g.col_step, of_w += parts * g.w_col_step) {
        v[q] = ex.load_fresh_if(rows.live && c < g.terms, of_v);
        w[q] = ex.load_fresh_if(rows.live && c < g.terms, of_w);
      }
    };
    load();
    A x = ex.load_fresh_if(rows.live && rows.part == 0, row_of(g.a, i));
    const int of_lane = t % nb;
    const A first = t < 2 * nb && of_lane < g.terms ? ex.load_fresh(t < nb ? row_of(g.w, 0) + of_lane * g.w_col_step
                                                                           : row_of(g.v, 0) + of_lane * g.col_step)
                                                    : A{};
    if (t < 2 * nb) shared.put(t, conjugate(first));
    ex.sync();
    for (int from = rows.part;;) {
#pragma unroll
      for (int q = 0; q < batch; ++q, from += parts) {
        const int at = from & (nb - 1);  // behind the last one v and w are 0
        x = subtract_product(subtract_product(x, v[q], shared.get(at)), w[q], shared.get(nb + at));
      }
      if (from >= g.terms) break;
      load();
    }
    shared.put(at_sums + t, x);
    ex.sync();
    R norm[1] = {};
    if (rows.live && rows.part == 0) {
#pragma unroll 4
      for (int q = 1; q < parts; ++q) x = x + shared.get(at_sums + q * rows.padded() + t);
      if (i == 0)
        ex.store_fresh(static_cast<R*>(g.d), real_part(x) * scale_back<R>(ex, g.scale));
      else
        ex.store_fresh(static_cast<A*>(g.x) + i, x);
      if (i > 1) norm[0] = abs2(x);
    }
    // There are zeros behind the last row of a matrix that ends within a tile.
    for (int q = g.m + t; block == 0 && q < g.x_end; q += max_threads) ex.store_fresh(static_cast<A*>(g.x) + q, A{});
    block_sums<warps>(ex, ex.template shared<R>(elements * static_cast<int>(sizeof(A))), 0, norm);
    if (t == 0) ex.store_fresh(static_cast<R*>(g.norms) + block, norm[0]);
  }
};

}  // namespace onepass::kernels
