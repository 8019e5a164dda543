// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// B := A^H, in tiles of 32 x 32 through shared memory: a warp loads and stores adjacent elements.
#pragma once

#include "kernels/lapack/adjoint_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

template <class A>
struct Adjoint {
  static constexpr int max_threads = adjoint_threads, min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const MatrixCopy& g) {
    constexpr int warps = max_threads / 32, columns_of_warp = adjoint_tile / warps, pitch = adjoint_tile + 1;
    const int lane = ex.thread() & 31, warp = ex.thread() >> 5;
    const auto tile = ex.template shared<A>(0);
    const std::int64_t tile_rows = (g.rows + adjoint_tile - 1) / adjoint_tile;
    for (std::int64_t index = ex.block_x(); index < g.tiles(); index += ex.grid_x()) {
      const std::int64_t row = index % tile_rows * adjoint_tile, column = index / tile_rows * adjoint_tile;
      A value[columns_of_warp];
#pragma unroll
      for (int k = 0; k < columns_of_warp; ++k) {
        const std::int64_t i = row + lane, j = column + warp + k * warps;
        value[k] = ex.load_once_if(i < g.rows && j < g.columns, static_cast<const A*>(g.a) + i + j * g.lda);
      }
#pragma unroll
      for (int k = 0; k < columns_of_warp; ++k) tile.put((warp + k * warps) * pitch + lane, value[k]);
      ex.sync();
#pragma unroll
      for (int k = 0; k < columns_of_warp; ++k) {
        const int of_tile = warp + k * warps;
        const std::int64_t i = row + of_tile, j = column + lane;
        if (i < g.rows && j < g.columns)
          ex.store(static_cast<A*>(g.b) + j + i * g.ldb, conjugate(tile.get(lane * pitch + of_tile)));
      }
      ex.sync();  // the next tile takes its place
    }
  }
};

}  // namespace onepass::kernels
