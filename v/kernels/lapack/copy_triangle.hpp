// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// B := the upper triangle of A, with zeros below it.
#pragma once

#include "kernels/lapack/adjoint_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

template <class A>
struct CopyTriangle {
  static constexpr int max_threads = 256, min_blocks = 2;

  // A block takes column after column.
  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const MatrixCopy& g) {
    for (std::int64_t j = ex.block_x(); j < g.columns; j += ex.grid_x())
      for (std::int64_t i = ex.thread(); i < g.rows; i += max_threads)
        ex.store(static_cast<A*>(g.b) + i + j * g.ldb,
                 ex.load_once_if(i <= j, static_cast<const A*>(g.a) + i + j * g.lda));
  }
};

}  // namespace onepass::kernels
