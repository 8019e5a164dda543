// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gemv_n_rows_canonical: very many rows of up to 256 columns in the canonical order (problem/canonical_order.hpp). A
// thread owns a row: its partial sums and their tree stay in registers, and nothing is shared.
//
// As many partial sums at a time as there are registers for: all 32, or the even ones, which are half of the tree, and
// then the odd ones; and as many loads are in flight. Single elements are loaded, those of neighbouring rows by
// neighbouring threads, so that any alignment will do.
#pragma once

#include "kernels/blocks/canonical.hpp"

namespace onepass::kernels {

// Single products (the plain form), no split.
template <class E>
struct GemvNRowsCanonical {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  static constexpr Form F = Form::plain;
  static_assert(sizeof(S) <= 8);
  static constexpr int partial_sums = canonical::partial_sums, leaves = sizeof(S) == 4 ? 32 : 16;
  static constexpr int step = partial_sums / leaves;  // from column to column of a round
  static constexpr int max_threads = gemv_max_threads;
  static constexpr int min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const GemvArgs& g) {
    const std::int64_t row = ex.block_x() * ex.threads() + ex.thread();
    open_first(ex, g);
    const S alpha = alpha_of<S, F>(ex, g);
    if (alpha == S{}) {
      wait_for_previous_launch(ex);
      if (row < g.rows) write_canonical<E, F>(ex, g, {}, row, {}, {});
      return;
    }
    const A* const at = static_cast<const A*>(g.a) + row;
    const X* const x = static_cast<const X*>(g.x);
    const int cols = row < g.rows ? static_cast<int>(g.cols) : 0;
    // Into the L2: what the first round loads, a thread for each sector.
    if (prefetches(ex, g) && !g.settled_x) {
      constexpr int sector = 32 / static_cast<int>(sizeof(A));
#pragma unroll
      for (int i = 0; i < leaves; ++i)
        ex.prefetch_if(ex.thread() % sector == 0 && i * step < cols, at + i * step * g.lda);
    }
    wait_to_read(ex, g);
    S sum = part(ex, g, at, x, cols);
    if constexpr (step == 2) sum = sum + part(ex, g, at + g.lda, x + g.incx, cols - 1);
    wait_to_write(ex, g);
    if (row < g.rows) write_canonical<E, F>(ex, g, {}, row, alpha, sum);
  }

 private:
  // The tree over every `step`th partial sum, of `cols` columns.
  template <class Ex>
  static ONEPASS_DEVICE S part(Ex ex, const GemvArgs& g, const A* at, const X* x, int cols) {
    S leaf[leaves] = {};
#pragma unroll 1
    for (int left = cols; left > 0; left -= partial_sums) {
      A element[leaves];
      X xs[leaves];
#pragma unroll
      for (int i = 0; i < leaves; ++i) element[i] = ex.load_once_predicated(i * step < left, at + i * step * g.lda);
#pragma unroll
      for (int i = 0; i < leaves; ++i) xs[i] = ex.load_cached_predicated(i * step < left, x + i * step * g.incx);
#pragma unroll
      for (int i = 0; i < leaves; ++i)
        leaf[i] = canonical::add_product(leaf[i], element[i], conjugate_if(g.conjugate, as<S>(xs[i])));
      at += partial_sums * g.lda;
      x += partial_sums * g.incx;
    }
    return tree<leaves / 2>(leaf);
  }
  // A template: a loop over the levels is not unrolled, and its array goes to local memory.
  template <int width>
  static ONEPASS_DEVICE S tree(S (&leaf)[leaves]) {
#pragma unroll
    for (int i = 0; i < width; ++i) leaf[i] = leaf[i] + leaf[i + width];
    if constexpr (width > 1) tree<width / 2>(leaf);
    return leaf[0];
  }
};

}  // namespace onepass::kernels
