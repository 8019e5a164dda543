// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A block of the tridiagonal panel kernel: its rows, its part of the rest R of A, and the stream of that part's
// elements from memory to shared memory.
#pragma once

#include "kernels/lapack/rank_2k_args.hpp"
#include "kernels/lapack/reductions/panel_block.hpp"
#include "kernels/lapack/reductions/tridiagonal_args.hpp"
#include "kernels/lapack/reductions/tridiagonal_shared.hpp"
#include "kernels/lapack/reflector.hpp"

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
  static constexpr int of_group = tile / groups;    // columns of a tile, adjacent ones; a slab has some of each group

  // Shared memory, in elements of A.
  static constexpr int at_ring = 0, at_rows = stages * tile * slab_columns;  // 2 x groups x tile
  static constexpr int at_cols = at_rows + 2 * groups * tile;                // one of each thread
  static constexpr int at_t = at_cols + threads;  // t1, t2, row j of V and of W, v of the strip
  static constexpr int at_sums = at_t + 5 * panel_columns;
  static constexpr int elements = at_sums + 32;
  static constexpr int at_slots = elements * static_cast<int>(sizeof(A)) + 128 * static_cast<int>(sizeof(RealOf<A>));
  static constexpr std::size_t bytes = at_slots + threads * sizeof(int);  // the sums of each thread's row
  static_assert(bytes == panel_shared_bytes(sizeof(A), sizeof(RealOf<A>)));
};

// The reciprocal of what A was multiplied by.
template <class R, class Ex>
ONEPASS_DEVICE R scale_back(Ex ex, const void* scale) {
  return scale == nullptr ? R{1} : ex.load_matrix(static_cast<const R*>(scale) + 1);
}

// The rows of a block in step A, and this thread's: it has a part of the sums of one row.
struct PanelRows {
  int first, end, shift, row, part;
  bool live;

  ONEPASS_DEVICE PanelRows(int m, int block, int blocks, int t) {
    const int share = (m + blocks - 1) / blocks;
    first = block * share;
    end = first + share < m ? first + share : m;
    shift = 0;
    while (padded() < share) ++shift;
    row = t & (padded() - 1);
    part = t >> shift;
    live = first + row < end;
  }
  ONEPASS_DEVICE int padded() const { return 1 << shift; }
  ONEPASS_DEVICE int parts() const { return panel_threads >> shift; }
};

template <class A, class Ex, PanelPart columns>
struct TridiagonalPanelBlock {
  using R = RealOf<A>;
  using Shape = TridiagonalPanelShape<A>;
  static constexpr int tile = Shape::tile, slabs = Shape::slabs, stages = Shape::stages;
  static constexpr int rows_of = Shape::rows_of, columns_of = Shape::columns_of;

  // A tile and its number.
  struct Place {
    int row, col, index;
  };

  Ex ex;
  const TridiagonalPanelArgs& g;
  typename Ex::template Shared<A> shared;
  typename Ex::template Shared<R> sums;
  int t, lane, warp, group, part, block, blocks;
  PanelTiles tiles;
  PanelRows rows;
  int first, end;             // slabs of this block, of all
  int first_tile, last_tile;  // that they belong to
  int first_row, next_row;    // of a thread's elements in a column of a tile, and how far it is to the next
  Place at;                   // of the tile that is multiplied next
  // What is loaded next: a tile, the direction in which the block goes through its tiles, and of the tile's slabs the
  // next and the end. One column's pass ends where the next one's begins, so that what was read last, and is still in
  // the L2, is read first.
  Place next;
  bool backward = false, whole;
  int next_slab, slab_end;
  typename Ex::StreamPolicy policy;
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
        tiles(args.m - args.columns, slabs, Shape::row_parts, blocks),
        rows(args.m, block, blocks, t),
        policy(exec.stream_policy(args.kept_sixteenths)) {
    const std::int64_t all = std::int64_t{tiles.count()} * slabs, begin = std::int64_t{block} * tiles.of_block;
    first = static_cast<int>(begin < all ? begin : all);
    end = static_cast<int>(all - first < tiles.of_block ? all : first + tiles.of_block);
    first_tile = first / slabs;
    last_tile = (end - 1) / slabs;
    // In memory the next one is always 32 elements on.
    next_row = g.row_step > 0 ? 32 : -32;
    first_row = part * 32 * rows_of + lane + (g.row_step > 0 ? 0 : 32 * (rows_of - 1));
    if constexpr (columns == PanelPart::first_column)
      add_up();
    else
      begin_stream();
    for (int i = g.m + t; block == 0 && i < tiles.x_pitch(g.columns); i += Shape::threads) {
      if (columns == PanelPart::all) ex.store_fresh(x(i, 0), A{});
      ex.store_fresh(x(i, 1), A{});
    }
    const int own = rows.first + rows.row - g.columns;
    slots().put(t, rows.live && own >= 0 ? tiles.slots_of(own / tile) : 0);
  }

  // Of each thread in step A, the number of sums that its row is made of.
  ONEPASS_DEVICE typename Ex::template Shared<int> slots() const { return ex.template shared<int>(Shape::at_slots); }

  // Row q of this thread, and its column e of a slab, in their tile.
  ONEPASS_DEVICE int tile_row(int q) const { return first_row + q * next_row; }
  ONEPASS_DEVICE int tile_column(int slab, int e) const { return group * Shape::of_group + slab * columns_of + e; }
  // Where its element there is, in the slot that is used next.
  ONEPASS_DEVICE int streamed(int e, int q) const {
    return Shape::at_ring + (slot * Shape::in_slab + e * rows_of + q) * Shape::threads + t;
  }

  ONEPASS_DEVICE A* element(int i, int j) const { return static_cast<A*>(g.a) + i * g.row_step + j * g.col_step; }
  ONEPASS_DEVICE A* w(int i, int c) const { return static_cast<A*>(g.w) + i * g.row_step + c * g.w_col_step; }
  // Of column j; that of the column before is still read by others. There are zeros behind the last row of a matrix
  // that ends within a tile.
  ONEPASS_DEVICE A* x(int i, int j) const { return static_cast<A*>(g.x) + (j & 1) * tiles.x_pitch(g.columns) + i; }
  // x before row j + 1 and after the last is 0.
  ONEPASS_DEVICE A x_at(int i, int j) const { return ex.load_fresh_if(i > j && i < g.m, x(i, j)); }
  static ONEPASS_DEVICE A v_of(int i, int j, const Reflector<A>& h, A x) {
    return i == j + 1 ? from_real<A>(R{1}) : h.apply(x);
  }
  ONEPASS_DEVICE A v_at(int i, int j, const Reflector<A>& h) const { return v_of(i, j, h, x_at(i, j)); }
  ONEPASS_DEVICE R scale_back() const { return kernels::scale_back<R>(ex, g.scale); }

  // Of a tile, the slabs that this block has: from, and to the end.
  ONEPASS_DEVICE int slabs_from(int index) const { return index > first_tile ? 0 : first - index * slabs; }
  ONEPASS_DEVICE int slabs_to(int index) const { return index < last_tile ? slabs : end - index * slabs; }
  // The block's next tile in a direction.
  ONEPASS_DEVICE Place neighbour(Place p, bool back) const {
    if (back) {
      if (--p.col < 0) p.col = --p.row;
      --p.index;
    } else {
      if (++p.col > p.row) {
        ++p.row;
        p.col = 0;
      }
      ++p.index;
    }
    return p;
  }

  // Sets a thread's elements of the next slab on their way to its own place in the slot, where it alone reads them, and
  // goes on to the next slot.
  ONEPASS_DEVICE void load_slab() {
    if (left > 0) {
      const std::int64_t right = g.col_step;
      if (whole) {
#pragma unroll
        for (int e = 0; e < columns_of; ++e)
#pragma unroll
          for (int q = 0; q < rows_of; ++q)
            ex.stream_element_if(true, shared, streamed(e, q), from + e * right + q * 32, policy);
      } else {
        const int rows = g.m - g.columns - next.row * tile, diagonal = (next.col - next.row) * tile;
#pragma unroll
        for (int e = 0; e < columns_of; ++e)
#pragma unroll
          for (int q = 0; q < rows_of; ++q) {
            const bool wanted = tile_row(q) < rows && tile_row(q) >= diagonal + tile_column(next_slab, e);
            ex.stream_element_if(wanted, shared, streamed(e, q), from + e * right + q * 32, policy);
          }
      }
      --left;
      if (++next_slab < slab_end) {
        from += columns_of * g.col_step;
      } else {
        if (next.index == (backward ? first_tile : last_tile))
          backward = !backward;
        else
          next = neighbour(next, backward);
        enter_tile();
      }
    }
    slot = slot + 1 == stages ? 0 : slot + 1;
    ex.commit_copies();
  }

  // A number of this block, published at numbers[block]: the sum of the values of its first `threads`. `at` is where
  // `sums` has room for a value of each warp.
  ONEPASS_DEVICE void publish_sum(R value, int at, void* numbers, int threads = Shape::threads) const {
    for (int mask = 16; mask > 0; mask /= 2) value += ex.shuffle_xor(value, mask);
    if (threads > 32) {
      if (lane == 0) sums.put(at + warp, value);
      ex.sync();
      if (t == 0)
#pragma unroll
        for (int w = 1; w < Shape::warps; ++w) value += sums.get(at + w);
    }
    if (t == 0) ex.store_fresh(static_cast<R*>(numbers) + block, value);
  }
  // What each block has published: loaded by a warp, and this lane's part of the sum.
  struct FromBlocks {
    static constexpr int batch = 5;  // the 132 blocks of an H200
    R number[batch];
    ONEPASS_DEVICE void load(const TridiagonalPanelBlock& s, const void* numbers, int first = 0) {
      const int b = first + s.lane;
      const R* const from = static_cast<const R*>(numbers) + b;
#pragma unroll
      for (int q = 0; q < batch; ++q) number[q] = s.ex.load_fresh_if(b + q * 32 < s.blocks, from + q * 32);
    }
    ONEPASS_DEVICE R sum(const TridiagonalPanelBlock& s, const void* numbers) {
      R sum = 0;
      for (int first = batch * 32;; first += batch * 32) {
#pragma unroll
        for (int q = 0; q < batch; ++q) sum += number[q];
        if (first >= s.blocks) return sum;
        load(s, numbers, first);
      }
    }
  };

 private:
  ONEPASS_DEVICE void begin_stream() {
    constexpr int first_column = columns == PanelPart::others ? 1 : 0;
    backward = first_column == 1;
    at = place(first < end ? (backward ? last_tile : first_tile) : 0);
    next = at;
    enter_tile();
    left = (end - first) * (g.columns - first_column);
#pragma unroll 1
    for (int i = 0; i < stages; ++i) load_slab();
  }

  // R x of the update before this panel, in the rows of the block: the sum of its parts, in the place of the first.
  ONEPASS_DEVICE void add_up() const {
    const int i = rows.first + rows.row, parts = rows.parts(), padded = rows.padded();
    const bool live = rows.live && i >= g.columns, lower = g.row_step > 0;
    A* const to = static_cast<A*>(g.sums) + i - g.columns;
    A sum = sum_of_vectors(
        ex, to, tiles.pitch(),
        live ? Rank2kTiles(g.m, {sizeof(A), sizeof(RealOf<A>)}, lower).slots_of(lower ? i : g.m - 1 - i) : 0, 0,
        rows.part, parts);
    shared.put(Shape::at_rows + t, sum);
    ex.sync();
    if (!live || rows.part > 0) return;
#pragma unroll 4
    for (int q = 1; q < parts; ++q) sum = sum + shared.get(Shape::at_rows + q * padded + t);
    ex.store_fresh(to, sum);
  }

  ONEPASS_DEVICE Place place(int index) const {
    // The row whose first index is the last one not above.
    int low = 0, high = tiles.side - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (tiles.index(middle, 0) <= index)
        low = middle;
      else
        high = middle - 1;
    }
    return {.row = low, .col = index - tiles.index(low, 0), .index = index};
  }
  // The loads go on at the first slab of the next tile.
  ONEPASS_DEVICE void enter_tile() {
    next_slab = slabs_from(next.index);
    slab_end = slabs_to(next.index);
    whole = next.row > next.col && g.columns + (next.row + 1) * tile <= g.m;
    from = element(g.columns + next.row * tile + tile_row(0), g.columns + next.col * tile + tile_column(next_slab, 0));
  }
};

}  // namespace onepass::kernels
