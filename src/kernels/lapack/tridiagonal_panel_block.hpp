// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A block of the tridiagonal panel kernel: its rows, its part of the rest R of A, and the stream of that part's
// elements from memory to shared memory.
#pragma once

#include "kernels/lapack/reflector.hpp"
#include "kernels/lapack/tridiagonal_panel_args.hpp"
#include "kernels/lapack/tridiagonal_shared.hpp"

namespace onepass::kernels {

template <class A>
struct TridiagonalPanelShape {
  static constexpr int threads = panel_threads, warps = threads / 32;
  static constexpr int tile = panel_tile, stages = panel_stages;
  // A slab is 16 KB: some columns of a tile. A thread has `in_slab` elements of it: `rows_of` rows of `columns_of`
  // columns. Where columns are fewer than warps, several warps share one, each with a part of its rows.
  static constexpr int slab_columns = 16384 / (tile * static_cast<int>(sizeof(A)));
  static constexpr int in_slab = tile * slab_columns / threads;
  static constexpr int slabs = tile / slab_columns;
  static constexpr int rows_of = in_slab < 4 ? in_slab : 4, columns_of = in_slab / rows_of, row_parts = 4 / rows_of;
  static constexpr int groups = warps / row_parts;  // of warps: each has other columns

  // Shared memory, in elements of A.
  static constexpr int at_ring = 0, at_rows = stages * tile * slab_columns;  // 2 x groups x tile
  static constexpr int at_cols = at_rows + 2 * groups * tile;  // 2 x row_parts x tile, and at least the threads
  static constexpr int at_vj = at_cols + (2 * row_parts * tile < threads ? threads : 2 * row_parts * tile);
  static constexpr int at_t = at_vj + 2 * tile;  // 2 x tile; then t1, t2, row j of V and of W, v of the strip
  static constexpr int at_sums = at_t + 5 * panel_columns;
  static constexpr int elements = at_sums + 32;
  static constexpr std::size_t bytes = elements * sizeof(A) + 128 * sizeof(RealOf<A>);
  static_assert(bytes == panel_shared_bytes(sizeof(A), sizeof(RealOf<A>)));
};

template <class A, class Ex>
struct TridiagonalPanelBlock {
  using R = RealOf<A>;
  using Shape = TridiagonalPanelShape<A>;
  static constexpr int tile = Shape::tile, slabs = Shape::slabs, stages = Shape::stages;
  static constexpr int rows_of = Shape::rows_of, columns_of = Shape::columns_of;

  // A slab: of which tile, and which.
  struct Place {
    int row, col, slab;

    ONEPASS_DEVICE void advance(const PanelTiles& tiles) {
      if (++slab < slabs) return;
      slab = 0;
      if (++row < tiles.side) return;
      row = ++col;
    }
  };

  Ex ex;
  const TridiagonalPanelArgs& g;
  typename Ex::template Shared<A> shared;
  typename Ex::template Shared<R> sums;
  int t, lane, warp, group, part, block, blocks;
  PanelTiles tiles;
  int first, count;  // slabs of this block
  Place start;       // of the first of them
  Place next;        // what is loaded next, the `loading`th of them
  int loading = 0;
  const A* from;  // this thread's first element of it
  int left;       // slabs to load until the end of the panel
  int slot = 0;   // of the ring, which is used next and then filled again

  ONEPASS_DEVICE TridiagonalPanelBlock(Ex exec, const TridiagonalPanelArgs& args)
      : ex(exec),
        g(args),
        shared(exec.template shared<A>(0)),
        sums(exec.template shared<R>(Shape::elements * static_cast<int>(sizeof(A)))),
        t(exec.thread()),
        lane(t & 31),
        warp(t >> 5),
        group(warp / Shape::row_parts),
        part(warp % Shape::row_parts),
        block(static_cast<int>(exec.block_x())),
        blocks(static_cast<int>(exec.grid_x())),
        tiles(args.m - args.columns, slabs, blocks) {
    const std::int64_t all = std::int64_t{tiles.count()} * slabs, begin = std::int64_t{block} * tiles.of_block;
    first = static_cast<int>(begin < all ? begin : all);
    count = static_cast<int>(all - first < tiles.of_block ? all - first : tiles.of_block);
    start = place(count > 0 ? first : 0);
    next = start;
    from = first_element(next);
    left = count * g.columns;
#pragma unroll 1
    for (int i = 0; i < stages; ++i) load_slab();
  }

  // Row q of this thread, and its column e of a slab, in their tile.
  ONEPASS_DEVICE int tile_row(int q) const { return part * 32 * rows_of + q * 32 + lane; }
  ONEPASS_DEVICE int tile_column(int slab, int e) const {
    return slab * Shape::slab_columns + e * Shape::groups + group;
  }
  // Its element there, in the slot that is used next.
  ONEPASS_DEVICE A streamed(int e, int q) const {
    return shared.get(Shape::at_ring + (slot * Shape::in_slab + e * rows_of + q) * Shape::threads + t);
  }

  ONEPASS_DEVICE A* element(int i, int j) const { return static_cast<A*>(g.a) + i * g.row_step + j * g.col_step; }
  ONEPASS_DEVICE A* w(int i, int c) const { return static_cast<A*>(g.w) + i * g.row_step + c * g.w_col_step; }
  // Of column j; that of the column before is still read by others.
  ONEPASS_DEVICE A* x(int i, int j) const { return static_cast<A*>(g.x) + (j & 1) * g.m + i; }
  // x before row j + 1 and after the last is 0.
  ONEPASS_DEVICE A x_at(int i, int j) const { return i > j && i < g.m ? ex.load_fresh(x(i, j)) : A{}; }
  static ONEPASS_DEVICE A v_of(int i, int j, const Reflector<A>& h, A x) {
    return i == j + 1 ? from_real<A>(R{1}) : h.apply(x);
  }
  ONEPASS_DEVICE A v_at(int i, int j, const Reflector<A>& h) const { return v_of(i, j, h, x_at(i, j)); }
  // The reciprocal of what A was multiplied by.
  ONEPASS_DEVICE R scale_back() const {
    return g.scale == nullptr ? R{1} : ex.load_matrix(static_cast<const R*>(g.scale) + 1);
  }

  // Sets a thread's elements of the next slab on their way to its own place in the slot, where it alone reads them, and
  // goes on to the next slot.
  ONEPASS_DEVICE void load_slab() {
    if (left > 0) {
      const int to = Shape::at_ring + slot * Shape::in_slab * Shape::threads + t;
      const std::int64_t down = 32 * g.row_step, right = Shape::groups * g.col_step;
      const bool inside = next.row > next.col && g.columns + (next.row + 1) * tile <= g.m;
      if (inside) {
#pragma unroll
        for (int e = 0; e < columns_of; ++e)
#pragma unroll
          for (int q = 0; q < rows_of; ++q)
            ex.copy_element_if(true, shared, to + (e * rows_of + q) * Shape::threads, from + e * right + q * down);
      } else {
        const int i0 = next.row * tile, c0 = next.col * tile;
#pragma unroll
        for (int e = 0; e < columns_of; ++e)
#pragma unroll
          for (int q = 0; q < rows_of; ++q) {
            const int i = i0 + tile_row(q), c = c0 + tile_column(next.slab, e);
            const bool wanted = g.columns + i < g.m && i >= c;
            ex.copy_element_if(wanted, shared, to + (e * rows_of + q) * Shape::threads,
                               wanted ? from + e * right + q * down : element(0, 0));
          }
      }
      if (++loading == count) {
        loading = 0;
        next = start;
        from = first_element(next);
      } else if (next.slab + 1 < slabs) {
        ++next.slab;
        from += Shape::slab_columns * g.col_step;
      } else {
        next.advance(tiles);
        from = first_element(next);
      }
      --left;
    }
    slot = slot + 1 == stages ? 0 : slot + 1;
    ex.commit_copies();
  }

  // The rows of a block in step A.
  struct Rows {
    int first, end, padded;

    ONEPASS_DEVICE explicit Rows(const TridiagonalPanelBlock& s) {
      const int share = (s.g.m + s.blocks - 1) / s.blocks;
      first = s.block * share;
      end = first + share < s.g.m ? first + share : s.g.m;
      padded = 1;
      while (padded < share) padded *= 2;
    }
  };

  // A number of this block, published at numbers[block]: the sum of all threads' values. `at` is where `sums` has room
  // for a value of each warp.
  ONEPASS_DEVICE void publish_sum(R value, int at, void* numbers) const {
    for (int mask = 16; mask > 0; mask /= 2) value += ex.shuffle_xor(value, mask);
    if (lane == 0) sums.put(at + warp, value);
    ex.sync();
    if (t == 0) {
      R all = 0;
#pragma unroll
      for (int w = 0; w < Shape::warps; ++w) all += sums.get(at + w);
      ex.store_fresh(static_cast<R*>(numbers) + block, all);
    }
  }
  // This lane's part of the sum of what each block has published.
  ONEPASS_DEVICE R sum_over_blocks(const void* numbers) const {
    R sum = 0;
    for (int b = lane; b < blocks; b += 8 * 32) {
      R number[8];
#pragma unroll
      for (int q = 0; q < 8; ++q)
        number[q] = b + q * 32 < blocks ? ex.load_fresh(static_cast<const R*>(numbers) + b + q * 32) : R{0};
#pragma unroll
      for (int q = 0; q < 8; ++q) sum += number[q];
    }
    return sum;
  }

 private:
  ONEPASS_DEVICE Place place(int number) const {
    const int index = number / slabs;
    // The column whose first index is the last one not above.
    int low = 0, high = tiles.side - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (tiles.index(middle, middle) <= index)
        low = middle;
      else
        high = middle - 1;
    }
    return {.row = low + index - tiles.index(low, low), .col = low, .slab = number % slabs};
  }
  ONEPASS_DEVICE const A* first_element(const Place& p) const {
    return element(g.columns + p.row * tile + tile_row(0), g.columns + p.col * tile + tile_column(p.slab, 0));
  }
};

}  // namespace onepass::kernels
