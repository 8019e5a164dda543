// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The leaves of divide and conquer of many matrices, a warp for each. As DivideLeaf, but made for as many of them as
// the device holds: d and e are in registers, and shared memory has Z alone, so that a multiprocessor has three times
// as many.
#pragma once

#include "kernels/lapack/batch_small_values.hpp"
#include "kernels/lapack/divide_args.hpp"

namespace onepass::kernels {

template <class R>
struct BatchLeaf {
  static constexpr int max_threads = 32, min_blocks = 16;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const DivideLeafArgs& g) {
    const int lane = ex.thread(), rows = g.leaf;
    const std::int64_t leaf = ex.block_x(), base = leaf * rows;
    const bool there = lane < rows, coupled = lane + 1 < rows;
    const R d = ex.load_cached_if(there, static_cast<const R*>(g.d) + base + (there ? lane : 0));
    const R e = ex.load_cached_if(coupled, static_cast<const R*>(g.e) + base + (coupled ? lane : 0));
    BatchSmallValues<R, 32, Ex> values{ex, rows, true, d, e, ex.template shared<R>(0)};
    const bool converged = values.solve();
    const int rank = values.rank();
    if (lane == 0) ex.store(g.failed + leaf, converged ? 0 : 1);
    if (there) ex.store(static_cast<R*>(g.values) + base + rank, values.d);
    R* const to = static_cast<R*>(g.q) + leaf * g.q_stride;
    for (int i = 0; i < rows; ++i) {
      const int column = ex.shuffle_from(rank, i);
      if (there) ex.store(to + lane + column * g.q_ld, values.z.get(i * batch_small_stride + lane));
    }
  }
};

}  // namespace onepass::kernels
