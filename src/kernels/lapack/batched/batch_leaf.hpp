// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The leaves of divide and conquer of many matrices, two to a warp. As DivideLeaf, but made for as many of them as the
// device holds: d and e are in registers, and shared memory has Z alone, so that a multiprocessor has three times as
// many. Lanes of a leaf compute the same rotations: of 16 rows they are a quarter of those of 32, and serve two.
#pragma once

#include "kernels/lapack/batched/batch_small_values.hpp"
#include "kernels/lapack/solvers/divide_args.hpp"

namespace onepass::kernels {

template <class R>
struct BatchLeaf {
  static constexpr int max_threads = 32, min_blocks = 16, lanes = batch_leaf_lanes;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const DivideLeafArgs& g) {
    const int row = ex.thread() % lanes, rows = g.leaf;
    const std::int64_t leaf = ex.block_x() * (max_threads / lanes) + ex.thread() / lanes, base = leaf * rows;
    const bool is_leaf = base < g.n, there = is_leaf && row < rows, coupled = is_leaf && row + 1 < rows;
    const R d = ex.load_cached_if(there, static_cast<const R*>(g.d) + (there ? base + row : 0));
    const R e = ex.load_cached_if(coupled, static_cast<const R*>(g.e) + (coupled ? base + row : 0));
    BatchSmallValues<R, lanes, Ex> values{ex, rows, true, d, e, ex.template shared<R>(0)};
    const bool converged = values.solve();
    const int rank = values.rank();
    if (is_leaf && row == 0) ex.store(g.failed + leaf, converged ? 0 : 1);
    if (there) ex.store(static_cast<R*>(g.values) + base + rank, values.d);
    R* const to = static_cast<R*>(g.q) + (is_leaf ? leaf * g.q_stride : 0);
    for (int i = 0; i < rows; ++i) {
      const int column = ex.shuffle_each(rank, ex.thread() - row + i);
      if (there) ex.store(to + row + column * g.q_ld, values.z.get(i * batch_small_stride + ex.thread()));
    }
  }
};

}  // namespace onepass::kernels
