// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A := B^T and B := A^T in one pass, in tiles of 32 x 32 through shared memory: a tile of A and the tile of B that lies
// across the diagonal are one block's alone, so that both can stay where they are.
#pragma once

#include "kernels/lapack/exchange_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

template <class A>
struct Exchange {
  static constexpr int max_threads = adjoint_threads, min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const ExchangeArgs& g) {
    constexpr int warps = max_threads / 32, columns_of_warp = adjoint_tile / warps, pitch = adjoint_tile + 1;
    const int lane = ex.thread() & 31, warp = ex.thread() >> 5;
    const auto tile_a = ex.template shared<A>(0), tile_b = ex.template shared<A>(adjoint_shared_bytes(sizeof(A)));
    const std::int64_t side = (g.n + adjoint_tile - 1) / adjoint_tile;
    A* const a = static_cast<A*>(g.a);
    A* const b = static_cast<A*>(g.b);
    for (std::int64_t index = ex.block_x(); index < g.tiles(); index += ex.grid_x()) {
      const std::int64_t row = index % side * adjoint_tile, column = index / side * adjoint_tile;
      A of_a[columns_of_warp], of_b[columns_of_warp];
#pragma unroll
      for (int k = 0; k < columns_of_warp; ++k) {
        const std::int64_t i = row + lane, j = column + warp + k * warps;
        of_a[k] = i < g.n && j < g.n ? ex.load_matrix(a + i + j * g.lda) : A{};
        const std::int64_t p = column + lane, q = row + warp + k * warps;
        of_b[k] = p < g.n && q < g.n ? ex.load_matrix(b + p + q * g.ldb) : A{};
      }
#pragma unroll
      for (int k = 0; k < columns_of_warp; ++k) {
        tile_a.put((warp + k * warps) * pitch + lane, of_a[k]);
        tile_b.put((warp + k * warps) * pitch + lane, of_b[k]);
      }
      ex.sync();
#pragma unroll
      for (int k = 0; k < columns_of_warp; ++k) {
        const int of_tile = warp + k * warps;
        const std::int64_t i = row + lane, j = column + of_tile;
        if (i < g.n && j < g.n) ex.store(a + i + j * g.lda, tile_b.get(lane * pitch + of_tile));
        const std::int64_t p = column + lane, q = row + of_tile;
        if (p < g.n && q < g.n) ex.store(b + p + q * g.ldb, tile_a.get(lane * pitch + of_tile));
      }
      ex.sync();  // the next tiles take their places
    }
  }
};

}  // namespace onepass::kernels
