// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Matrices copied, turned, exchanged, and made complex.
#pragma once

#include "kernels/lapack/matrices_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

// B := A^H, in tiles of 32 x 32 through shared memory: a warp loads and stores adjacent elements.
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

// B := the upper triangle of A, with zeros below it.
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

// A := B^T and B := A^T in one pass, in tiles of 32 x 32 through shared memory: a tile of A and the tile of B that lies
// across the diagonal are one block's alone, so that both can stay where they are.
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

// B := A, of a real matrix A and a complex one.
template <class A>
struct Widen {
  static constexpr int max_threads = 256, min_blocks = 2;

  // A block takes column after column.
  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const MatrixCopy& g) {
    for (std::int64_t j = ex.block_x(); j < g.columns; j += ex.grid_x())
      for (std::int64_t i = ex.thread(); i < g.rows; i += max_threads) {
        const RealOf<A> value = ex.load_once_if(true, static_cast<const RealOf<A>*>(g.a) + i + j * g.lda);
        ex.store(static_cast<A*>(g.b) + i + j * g.ldb, from_real<A>(value));
      }
  }
};

}  // namespace onepass::kernels
