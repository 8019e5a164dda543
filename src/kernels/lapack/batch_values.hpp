// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of many tridiagonal matrices by bisection, a warp for each.
#pragma once

#include "kernels/lapack/batch_args.hpp"
#include "kernels/lapack/bisection.hpp"

namespace onepass::kernels {

template <class R>
struct BatchValues {
  static constexpr int max_threads = bisection_threads, min_blocks = 8;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchValuesArgs& g) {
    const int n = g.batch.n, blocks = (n + bisection_warps - 1) / bisection_warps;
    const std::int64_t matrix = ex.block_x() / blocks;
    const BisectionArgs one = {.d = static_cast<const R*>(g.d) + matrix * g.rows,
                               .e = static_cast<const R*>(g.e) + matrix * g.rows,
                               .w = static_cast<R*>(g.batch.w) + matrix * g.batch.stride_w,
                               .n = n,
                               .first = 0,
                               .count = n,
                               .info = g.batch.info + matrix};
    Bisection<R>::run(ex, one, static_cast<int>(ex.block_x() % blocks));
  }
};

}  // namespace onepass::kernels
