// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces the first columns of a large symmetric or Hermitian matrix to tridiagonal form, with two grid barriers a
// column, and leaves V (in A) and W for the level-3 update A -= V W^H + W V^H of the rest.
//
//      0      columns       m        Column j, step by step; the rest R of A stays as it is during the panel, so its
//    0 +------+-------------+        elements are on their way from memory to shared memory all the time, also while
//      |panel |             |        the block waits at a barrier.
//  nb  +------+                        A. By rows, a share for each block: w of column j - 1 and then
//      |strip | \                         x = A_j - V W_j^H - W V_j^H, which is column j updated; part of |x|^2.
//      |      |   \                       -- barrier --
//      |      |  R  \                  B. Everyone: beta, tau and v = x / (alpha - beta). By tiles of R, from its
//      stored |      |       \                   triangle alone: row sums A v, column sums A^H v, v^H A v. By columns:
//      dot
//   m  +------+--------+                  products with v of the columns of V, of W and of the rest of the panel
//   (strip).
//                                         -- barrier --
//
// Sums of a tile meet in step A of the next column, where the block that owns a row adds them up in a fixed order.
#pragma once

#include "kernels/lapack/reflector.hpp"
#include "kernels/lapack/tridiagonal_panel_args.hpp"
#include "kernels/lapack/tridiagonal_shared.hpp"

namespace onepass::kernels {

template <class A>
struct TridiagonalPanel {
  using R = RealOf<A>;
  static constexpr int max_threads = panel_threads, min_blocks = 1, warps = max_threads / 32;
  static constexpr int tile = PanelTiles::tile, nb = panel_columns;
  // A slab is 16 KB: some columns of a tile. A thread has `in_slab` elements of it: `rows_of` rows of `columns_of`
  // columns. Where columns are fewer than warps, several warps share one, each with a part of its rows.
  static constexpr int slab_columns = 16384 / (tile * static_cast<int>(sizeof(A)));
  static constexpr int in_slab = tile * slab_columns / max_threads;
  static constexpr int slabs = tile / slab_columns;
  static constexpr int rows_of = in_slab < 4 ? in_slab : 4, columns_of = in_slab / rows_of, row_parts = 4 / rows_of;
  static constexpr int groups = warps / row_parts;  // of warps: each has other columns
  // Columns of a thread that are summed together: all of a tile's, or as many as registers hold the sums of.
  static constexpr int together = columns_of * slabs < 8 ? columns_of * slabs : 8;
  static constexpr int slabs_together = together / columns_of;
  static constexpr int stages = panel_stages;
  static constexpr int batch_of_rows =
      sizeof(A) == 16 ? 2 : 4;  // loads at once in step A: more of 16 bytes would spill

  // Shared memory, in elements of A.
  static constexpr int at_ring = 0, at_rows = stages * tile * slab_columns;  // 2 x groups x tile
  static constexpr int at_cols = at_rows + 2 * groups * tile;  // 2 x row_parts x tile, and at least the threads
  static constexpr int at_vj = at_cols + (2 * row_parts * tile < max_threads ? max_threads : 2 * row_parts * tile);
  static constexpr int at_t = at_vj + 2 * tile;  // 2 x tile; then t1, t2, row j of V and of W, v of the strip
  static constexpr int at_sums = at_t + 5 * nb;
  static constexpr int shared_elements = at_sums + 32;
  static constexpr std::size_t shared_bytes = shared_elements * sizeof(A) + 128 * sizeof(R);
  static_assert(shared_bytes == panel_shared_bytes(sizeof(A), sizeof(R)));

  struct Place {
    int row, col, slab;

    ONEPASS_DEVICE void advance(const PanelTiles& tiles) {
      if (++slab < slabs) return;
      slab = 0;
      if (++row < tiles.side) return;
      row = ++col;
    }
  };

  template <class Ex>
  struct Panel {
    Ex ex;
    const TridiagonalPanelArgs& g;
    typename Ex::template Shared<A> shared;
    typename Ex::template Shared<R> sums;
    PanelTiles tiles;
    int t, lane, warp, group, part, block, blocks;
    int first, count;  // slabs of this block
    Place start;       // of the first of them
    Place next;        // what is loaded next, the `loading`th of them
    int loading;
    const A* from;  // this thread's first element of it
    int left;       // slabs to load until the end of the panel
    int slot = 0;   // of the ring, which is used next and then filled again

    // Row q of this thread, and its column e of a slab, in their tile.
    ONEPASS_DEVICE int tile_row(int q) const { return part * 32 * rows_of + q * 32 + lane; }
    ONEPASS_DEVICE int tile_column(int slab, int e) const { return slab * slab_columns + e * groups + group; }

    ONEPASS_DEVICE A* element(int i, int j) const { return static_cast<A*>(g.a) + i * g.row_step + j * g.col_step; }
    ONEPASS_DEVICE A* w(int i, int c) const { return static_cast<A*>(g.w) + i * g.row_step + c * g.w_col_step; }
    // Of column j; that of the column before is still read by others.
    ONEPASS_DEVICE A* x(int i, int j) const { return static_cast<A*>(g.x) + (j & 1) * g.m + i; }
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const TridiagonalPanelArgs& g) {
    const int blocks = static_cast<int>(ex.grid_x());
    Panel<Ex> s{.ex = ex,
                .g = g,
                .shared = ex.template shared<A>(0),
                .sums = ex.template shared<R>(shared_elements * static_cast<int>(sizeof(A))),
                .tiles = PanelTiles(g.m - g.columns, slabs, blocks),
                .t = ex.thread(),
                .lane = ex.thread() & 31,
                .warp = ex.thread() >> 5,
                .group = (ex.thread() >> 5) / row_parts,
                .part = (ex.thread() >> 5) % row_parts,
                .block = static_cast<int>(ex.block_x()),
                .blocks = blocks,
                .first = 0,
                .count = 0,
                .start = {},
                .next = {},
                .loading = 0,
                .from = nullptr,
                .left = 0};
    const std::int64_t all = std::int64_t{s.tiles.count()} * slabs, begin = std::int64_t{s.block} * s.tiles.of_block;
    s.first = static_cast<int>(begin < all ? begin : all);
    s.count = static_cast<int>(all - s.first < s.tiles.of_block ? all - s.first : s.tiles.of_block);
    s.start = place(s.tiles, s.count > 0 ? s.first : 0);
    s.next = s.start;
    s.from = first_element(s, s.next);
    s.left = s.count * g.columns;
#pragma unroll 1
    for (int i = 0; i < stages; ++i) load_slab(s);
    if (g.unit != nullptr && s.block == 0 && s.t == 0)
      ex.store(static_cast<A*>(g.unit), from_real<A>(ex.load_matrix(static_cast<const R*>(g.unit_value))));

    GridBarrier<Ex> barrier{ex, g.barrier, g.timed_out};
    Reflector<A> h;
    for (int j = 0;; ++j) {
      update_column(s, j, h);
      if (j == g.columns) break;
      barrier.wait();
      const FirstX x(s, j);
      h = find_reflector(s, j);
      multiply(s, j, h, x);
      dot_products(s, j, h);
      barrier.wait();
    }
  }

 private:
  // The slab at a number: of which tile, and which.
  static ONEPASS_DEVICE Place place(const PanelTiles& tiles, int number) {
    int index = number / slabs;
    Place p{.row = 0, .col = 0, .slab = number % slabs};
    // The column whose first index is the last one not above.
    int low = 0, high = tiles.side - 1;
    while (low < high) {
      const int middle = (low + high + 1) / 2;
      if (tiles.index(middle, middle) <= index)
        low = middle;
      else
        high = middle - 1;
    }
    p.col = low;
    p.row = low + index - tiles.index(low, low);
    return p;
  }

  template <class Ex>
  static ONEPASS_DEVICE const A* first_element(const Panel<Ex>& s, const Place& p) {
    return s.element(s.g.columns + p.row * tile + s.tile_row(0), s.g.columns + p.col * tile + s.tile_column(p.slab, 0));
  }

  // Sets a thread's elements of the next slab on their way to its own place in the slot, where it alone reads them, and
  // goes on to the next slot.
  template <class Ex>
  static ONEPASS_DEVICE void load_slab(Panel<Ex>& s) {
    if (s.left > 0) {
      const int to = at_ring + s.slot * in_slab * max_threads + s.t;
      const std::int64_t down = 32 * s.g.row_step, right = groups * s.g.col_step;
      const bool inside = s.next.row > s.next.col && s.g.columns + (s.next.row + 1) * tile <= s.g.m;
      if (inside) {
#pragma unroll
        for (int e = 0; e < columns_of; ++e)
#pragma unroll
          for (int q = 0; q < rows_of; ++q)
            s.ex.copy_element_if(true, s.shared, to + (e * rows_of + q) * max_threads, s.from + e * right + q * down);
      } else {
        const int i0 = s.next.row * tile, c0 = s.next.col * tile;
#pragma unroll
        for (int e = 0; e < columns_of; ++e)
#pragma unroll
          for (int q = 0; q < rows_of; ++q) {
            const int i = i0 + s.tile_row(q), c = c0 + s.tile_column(s.next.slab, e);
            const bool wanted = s.g.columns + i < s.g.m && i >= c;
            s.ex.copy_element_if(wanted, s.shared, to + (e * rows_of + q) * max_threads,
                                 wanted ? s.from + e * right + q * down : s.element(0, 0));
          }
      }
      if (++s.loading == s.count) {
        s.loading = 0;
        s.next = s.start;
        s.from = first_element(s, s.next);
      } else if (s.next.slab + 1 < slabs) {
        ++s.next.slab;
        s.from += slab_columns * s.g.col_step;
      } else {
        s.next.advance(s.tiles);
        s.from = first_element(s, s.next);
      }
      --s.left;
    }
    s.slot = s.slot + 1 == stages ? 0 : s.slot + 1;
    s.ex.commit_copies();
  }

  // The rows of a block in step A.
  struct Rows {
    int first, end, padded;
    template <class Ex>
    ONEPASS_DEVICE explicit Rows(const Panel<Ex>& s) {
      const int share = (s.g.m + s.blocks - 1) / s.blocks;
      first = s.block * share;
      end = first + share < s.g.m ? first + share : s.g.m;
      padded = 1;
      while (padded < share) padded *= 2;
    }
  };

  // Lane l's part of the sum of a number that each block has published.
  template <class Ex>
  static ONEPASS_DEVICE R sum_over_blocks(const Panel<Ex>& s, const void* numbers) {
    R sum = 0;
    for (int b = s.lane; b < s.blocks; b += 8 * 32) {
      R number[8];
#pragma unroll
      for (int q = 0; q < 8; ++q)
        number[q] = b + q * 32 < s.blocks ? s.ex.load_fresh(static_cast<const R*>(numbers) + b + q * 32) : R{0};
#pragma unroll
      for (int q = 0; q < 8; ++q) sum += number[q];
    }
    return sum;
  }

  // Step B: beta, tau and the scale of v from x, by everyone with the same bits; and what row owners keep of v.
  template <class Ex>
  static ONEPASS_DEVICE Reflector<A> find_reflector(Panel<Ex>& s, int j) {
    const TridiagonalPanelArgs& g = s.g;
    R sum = 0;
    const Rows rows(s);
    const int own = rows.first + s.t;  // rows of a block are at most its threads
    const A x = own < rows.end ? x_at(s, own, j) : A{};
    const A alpha = s.ex.load_fresh(s.x(j + 1, j));
    sum = sum_over_blocks(s, g.norms);
    for (int mask = 16; mask > 0; mask /= 2) sum += s.ex.shuffle_xor(sum, mask);
    Reflector<A> h;
    if (sum + abs2(alpha) < smallest_square<R>()) {
      h = scaled_reflector(s, j, alpha);
    } else {
      h = reflector(s.ex, alpha, sum);
    }
    const R scale = g.scale == nullptr ? R{1} : s.ex.load_matrix(static_cast<const R*>(g.scale) + 1);
    if (s.block == 0 && s.t == 0) {
      s.ex.store(static_cast<R*>(g.e) + j * g.vector_step, h.beta * scale);
      s.ex.store(static_cast<A*>(g.tau) + j * g.vector_step, h.tau);
      // Only now has everyone read the diagonal.
      s.ex.store(s.element(j, j), from_real<A>(s.ex.load_fresh(static_cast<const R*>(g.d) + j * g.vector_step)));
      s.ex.store(s.element(j + 1, j), j + 1 == g.columns ? from_real<A>(R{1}) : from_real<A>(h.beta * scale));
    }
    if (own < rows.end && own > j + 1) s.ex.store(s.element(own, j), h.apply(x));
    return h;
  }

  // Where squares may underflow: all of x, scaled by a power of two.
  template <class Ex>
  static ONEPASS_DEVICE Reflector<A> scaled_reflector(Panel<Ex>& s, int j, A alpha) {
    R largest = larger(absolute(real_part(alpha)), absolute(imaginary_part(alpha)));
    for (int i = j + 2 + s.lane; i < s.g.m; i += 32) {
      const A x = s.ex.load_fresh(s.x(i, j));
      largest = larger(largest, larger(absolute(real_part(x)), absolute(imaginary_part(x))));
    }
    for (int mask = 16; mask > 0; mask /= 2) largest = larger(largest, s.ex.shuffle_xor(largest, mask));
    const R power = s.ex.power_of_two_near_reciprocal(largest);
    R sum = 0;
    for (int i = j + 2 + s.lane; i < s.g.m; i += 32) sum += abs2(from_real<A>(power) * s.ex.load_fresh(s.x(i, j)));
    for (int mask = 16; mask > 0; mask /= 2) sum += s.ex.shuffle_xor(sum, mask);
    Reflector<A> h = reflector(s.ex, from_real<A>(power) * alpha, sum);
    h.beta = h.beta * s.ex.power_of_two_near_reciprocal(power);
    h.power = power;
    return h;
  }

  // x before row j + 1 and after the last is 0.
  template <class Ex>
  static ONEPASS_DEVICE A x_at(const Panel<Ex>& s, int i, int j) {
    return i > j && i < s.g.m ? s.ex.load_fresh(s.x(i, j)) : A{};
  }
  static ONEPASS_DEVICE A v_of(int i, int j, const Reflector<A>& h, A x) {
    return i == j + 1 ? from_real<A>(R{1}) : h.apply(x);
  }
  template <class Ex>
  static ONEPASS_DEVICE A v_at(const Panel<Ex>& s, int i, int j, const Reflector<A>& h) {
    return v_of(i, j, h, x_at(s, i, j));
  }

  // x of the block's first tile, on its way while the reflector is computed.
  struct FirstX {
    A of_row[rows_of], of_column;
    template <class Ex>
    ONEPASS_DEVICE FirstX(const Panel<Ex>& s, int j) {
#pragma unroll
      for (int q = 0; q < rows_of; ++q) of_row[q] = x_at(s, s.g.columns + s.start.row * tile + s.tile_row(q), j);
      of_column = s.t < tile ? x_at(s, s.g.columns + s.start.col * tile + s.t, j) : A{};
    }
  };

  // The products of this block's slabs with v.
  template <class Ex>
  static ONEPASS_DEVICE void multiply(Panel<Ex>& s, int j, const Reflector<A>& h, const FirstX& x) {
    const TridiagonalPanelArgs& g = s.g;
    int number = s.first, buffer = 0;
    const int end = s.first + s.count;
    R square = 0;
    Place p = s.start;
    A vi[rows_of];
#pragma unroll
    for (int q = 0; q < rows_of; ++q) vi[q] = v_of(g.columns + p.row * tile + s.tile_row(q), j, h, x.of_row[q]);
    if (s.t < tile) s.shared.put(at_vj + s.t, v_of(g.columns + p.col * tile + s.t, j, h, x.of_column));
    s.ex.sync();
    while (number < end) {
      const int index = number / slabs, stop = (index + 1) * slabs < end ? (index + 1) * slabs : end;
      const int from = p.slab, to = p.slab + stop - number;
      // x of the next tile is loaded while this one is multiplied.
      Place next = p;
      next.slab = slabs - 1;
      next.advance(s.tiles);
      if (stop == end) next = p;
      const int next_row = g.columns + next.row * tile, next_column = g.columns + next.col * tile;
      A next_x[rows_of];
#pragma unroll
      for (int q = 0; q < rows_of; ++q) next_x[q] = x_at(s, next_row + s.tile_row(q), j);
      const A next_xj = s.t < tile ? x_at(s, next_column + s.t, j) : A{};

      A row_sum[rows_of] = {};
      // Slab `number` of those that are summed together.
      const auto multiply_slab = [&]<bool diagonal>(int slab, int number, A(&column_sum)[together]) {
        if (slab < from || slab >= to) return;
        s.ex.template wait_for_copies_but<stages - 1>();
        A a[columns_of][rows_of], vj[columns_of];
#pragma unroll
        for (int e = 0; e < columns_of; ++e) {
          vj[e] = s.shared.get(at_vj + buffer * tile + s.tile_column(slab, e));
#pragma unroll
          for (int q = 0; q < rows_of; ++q)
            a[e][q] = s.shared.get(at_ring + (s.slot * in_slab + e * rows_of + q) * max_threads + s.t);
        }
#pragma unroll
        for (int e = 0; e < columns_of; ++e)
#pragma unroll
          for (int q = 0; q < rows_of; ++q) {
            A below = conjugate(a[e][q]);
            if constexpr (diagonal) {
              if (s.tile_column(slab, e) == s.tile_row(q)) {
                a[e][q] = from_real<A>(real_part(below));
                below = A{};
                square -= real_part(a[e][q]) * abs2(vj[e]);
              }
            }
            row_sum[q] = multiply_add(row_sum[q], a[e][q], vj[e]);
            column_sum[number * columns_of + e] = multiply_add(column_sum[number * columns_of + e], below, vi[q]);
          }
        load_slab(s);
      };
      const auto multiply_tile = [&]<bool diagonal>() {
#pragma unroll 1
        for (int first_slab = 0; first_slab < slabs; first_slab += slabs_together) {
          A column_sum[together] = {};
#pragma unroll
          for (int i = 0; i < slabs_together; ++i)
            multiply_slab.template operator()<diagonal>(first_slab + i, i, column_sum);
          const A total = transposed_sum<together>(s.ex, column_sum);
          constexpr int width = 32 / together;
          const int mine = s.lane / width;
          if (s.lane % width == 0)
            s.shared.put(at_cols + (buffer * row_parts + s.part) * tile +
                             s.tile_column(first_slab + mine / columns_of, mine % columns_of),
                         total);
        }
      };
      if (p.row == p.col)
        multiply_tile.template operator()<true>();
      else
        multiply_tile.template operator()<false>();
#pragma unroll
      for (int q = 0; q < rows_of; ++q) {
        square += 2 * real_part(conjugate(vi[q]) * row_sum[q]);
        s.shared.put(at_rows + (buffer * groups + s.group) * tile + s.tile_row(q), row_sum[q]);
      }
      if (s.t < tile) s.shared.put(at_vj + (1 - buffer) * tile + s.t, v_of(next_column + s.t, j, h, next_xj));
      s.ex.sync();
      // Sums of the piece: rows by the first threads, columns by the next.
      if (s.t < tile) {
        A sum{};
#pragma unroll
        for (int w = 0; w < groups; ++w) sum = sum + s.shared.get(at_rows + (buffer * groups + w) * tile + s.t);
        const int piece = s.block - s.tiles.first_block(index);
        s.ex.store_fresh(static_cast<A*>(g.row_sums) + (std::int64_t{index} * s.tiles.pieces() + piece) * tile + s.t,
                         sum);
      } else if (s.t < 2 * tile) {
        const int c = s.t - tile;
        if (c >= from * slab_columns && c < to * slab_columns) {
          A sum{};
#pragma unroll
          for (int w = 0; w < row_parts; ++w) sum = sum + s.shared.get(at_cols + (buffer * row_parts + w) * tile + c);
          s.ex.store_fresh(static_cast<A*>(g.column_sums) + std::int64_t{index} * tile + c, sum);
        }
      }
#pragma unroll
      for (int q = 0; q < rows_of; ++q) vi[q] = v_of(next_row + s.tile_row(q), j, h, next_x[q]);
      p = next;
      p.slab = 0;
      number = stop;
      buffer = 1 - buffer;
    }
    for (int mask = 16; mask > 0; mask /= 2) square += s.ex.shuffle_xor(square, mask);
    if (s.lane == 0) s.sums.put(s.warp, square);
    s.ex.sync();
    if (s.t == 0) {
      R all = 0;
#pragma unroll
      for (int w = 0; w < warps; ++w) all += s.sums.get(w);
      s.ex.store_fresh(static_cast<R*>(g.squares) + s.block, all);
    }
  }

  // Dot products with v, each by two blocks: of the columns of W and V before j, and of the panel's columns after j.
  //   number c < j: W_c;  j + c: V_c;  2 j + c - j - 1: A_c
  template <class Ex>
  static ONEPASS_DEVICE void dot_products(Panel<Ex>& s, int j, const Reflector<A>& h) {
    const TridiagonalPanelArgs& g = s.g;
    const int count = 2 * (2 * j + g.columns - 1 - j), half = (g.m - j) / 2;
    for (int item = s.blocks - 1 - s.block; item < count; item += s.blocks) {
      const int dot = item / 2, c = dot < j ? dot : dot < 2 * j ? dot - j : dot - j + 1;
      const bool of_strip = dot >= 2 * j;
      const int from = item % 2 == 0 ? j + 1 : j + 1 + half, to = item % 2 == 0 ? j + 1 + half : g.m;
      const A* const column = of_strip || dot >= j ? s.element(0, c) : s.w(0, c);
      const int least = of_strip ? c : 0;  // what lies above the diagonal is not stored
      A sum[1] = {};
      constexpr int batch = 4;
      for (int i0 = from + s.t; i0 < to; i0 += batch * max_threads) {
        A a[batch], x[batch];
#pragma unroll
        for (int q = 0; q < batch; ++q) {
          const int i = i0 + q * max_threads;
          a[q] = i < to && i >= least ? s.ex.load_fresh(column + i * g.row_step) : A{};
          x[q] = i < to ? x_at(s, i, j) : A{};
        }
#pragma unroll
        for (int q = 0; q < batch; ++q) {
          const int i = i0 + q * max_threads;
          if (of_strip && i == c) a[q] = from_real<A>(real_part(a[q]));
          sum[0] = multiply_add(sum[0], conjugate(a[q]), v_of(i, j, h, x[q]));
        }
      }
      const A total = transposed_sum<1>(s.ex, sum);
      s.ex.sync();
      if (s.lane == 0) s.shared.put(at_sums + s.warp, total);
      s.ex.sync();
      if (s.t == 0) {
        A all{};
#pragma unroll
        for (int w = 0; w < warps; ++w) all = all + s.shared.get(at_sums + w);
        s.ex.store_fresh(static_cast<A*>(g.dots) + item, all);
      }
    }
  }

  // Of a row of R: the sums of its tiles, every `parts`th of them.
  template <class Ex>
  static ONEPASS_DEVICE A sum_of_tiles(const Panel<Ex>& s, int i, int part, int parts) {
    const int of = i / tile, in = i % tile, pieces = s.tiles.pieces();
    const A* const row_sums = static_cast<const A*>(s.g.row_sums) + in;
    const A* const column_sums = static_cast<const A*>(s.g.column_sums) + in;
    A sum{};
    constexpr int batch = batch_of_rows;
    for (int b0 = part; b0 < s.tiles.side; b0 += batch * parts) {
      A first[batch], second[batch], below[batch];
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        const int b = b0 + q * parts;
        const bool to_left = b <= of, under = b >= of && b < s.tiles.side;
        const int index = to_left ? s.tiles.index(of, b) : 0;
        const bool shared_tile = to_left && s.tiles.last_block(index) > s.tiles.first_block(index);
        const A* const at = row_sums + std::int64_t{index} * pieces * tile;
        first[q] = to_left ? s.ex.load_fresh(at) : A{};
        second[q] = shared_tile ? s.ex.load_fresh(at + tile) : A{};
        below[q] = under ? s.ex.load_fresh(column_sums + std::int64_t{s.tiles.index(b, of)} * tile) : A{};
      }
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        sum = sum + (first[q] + second[q]) + below[q];
        const int b = b0 + q * parts;
        if (pieces > 2 && b <= of) {
          const int index = s.tiles.index(of, b), count = s.tiles.last_block(index) - s.tiles.first_block(index) + 1;
#pragma unroll 1
          for (int n = 2; n < count; ++n)
            sum = sum + s.ex.load_fresh(row_sums + (std::int64_t{index} * pieces + n) * tile);
        }
      }
    }
    return sum;
  }

  // Step A: w of column j - 1 in the rows of this block, and x of column j. Threads are rows x parts of the sums.
  template <class Ex>
  static ONEPASS_DEVICE void update_column(Panel<Ex>& s, int j, const Reflector<A>& h) {
    const TridiagonalPanelArgs& g = s.g;
    const Rows rows(s);
    const bool has_w = j > 0, has_x = j < g.columns;
    const int k = j - 1;  // the column whose w is found
    const auto t1 = [&](int c) { return s.shared.get(at_t + c); };
    const auto t2 = [&](int c) { return s.shared.get(at_t + nb + c); };
    const auto row_v = [&](int c) { return s.shared.get(at_t + 2 * nb + c); };
    const auto row_w = [&](int c) { return s.shared.get(at_t + 3 * nb + c); };
    const auto strip_v = [&](int c) { return s.shared.get(at_t + 4 * nb + c); };
    const auto dot = [&](int number) {
      const A* const halves = static_cast<const A*>(g.dots) + 2 * number;
      return s.ex.load_fresh(halves) + s.ex.load_fresh(halves + 1);
    };
    const bool in_strip = s.lane > k && s.lane < g.columns;
    const int row = s.t & (rows.padded - 1), part = s.t / rows.padded, parts = max_threads / rows.padded;
    const int i = rows.first + row;
    const bool live = row < rows.end - rows.first && i >= j;

    // All loads first. What the first warps find for everyone: sums of v^H A v; t1 and t2; row j of V and W; v of the
    // strip.
    A one{}, other{};
    R square = 0, on_diagonal = 0;
    if (has_w && s.warp == 0) {
      square = sum_over_blocks(s, g.squares);
      if (in_strip) {
        one = dot(2 * k + s.lane - j);
        other = v_at(s, s.lane, k, h);
        on_diagonal = real_part(s.ex.load_matrix(s.element(s.lane, s.lane)));
      }
    } else if (has_w && s.warp == 1) {
      if (s.lane < k) {
        one = dot(s.lane);
        other = dot(k + s.lane);
      }
    } else if (has_w && s.warp == 2) {
      if (s.lane < k && has_x) {
        one = s.ex.load_fresh(s.element(j, s.lane));
        other = s.ex.load_fresh(s.w(j, s.lane));
      }
    } else if (has_w && s.warp == 3) {
      if (in_strip) one = v_at(s, s.lane, k, h);
    }
    // Of the rows: the first elements of V, W and strip; those of A and x; the sums of tiles.
    constexpr int batch = batch_of_rows;
    A v_part[batch], w_part[batch], strip_part[batch];
    const int last = i < g.columns ? i : g.columns;
    const auto load_parts = [&](int c0) {
#pragma unroll
      for (int q = 0; q < batch; ++q) {
        const int c = c0 + part + q * parts;
        const bool wanted = live && c < k;
        v_part[q] = wanted ? s.ex.load_fresh(s.element(i, c)) : A{};
        w_part[q] = wanted ? s.ex.load_fresh(s.w(i, c)) : A{};
        strip_part[q] = live && has_w && j + c < last ? s.ex.load_fresh(s.element(i, j + c)) : A{};
      }
    };
    load_parts(0);
    const A of_a = live && has_x && part == 0 ? s.ex.load_fresh(s.element(i, j)) : A{};
    const A old_x = live && has_w && part == 0 ? x_at(s, i, k) : A{};
    A for_w{}, for_x = of_a;
    if (live && has_w)
      for_w = i < g.columns ? (part == 0 ? dot(2 * k + i - j) : A{}) : sum_of_tiles(s, i - g.columns, part, parts);

    R half = 0;
    A w_j{};  // element j of w, which everyone needs
    if (has_w) {
      if (s.warp == 1 && s.lane < k) {
        s.shared.put(at_t + s.lane, one);
        s.shared.put(at_t + nb + s.lane, other);
      }
      if (s.warp == 2 && s.lane < k) {
        s.shared.put(at_t + 2 * nb + s.lane, one);
        s.shared.put(at_t + 3 * nb + s.lane, other);
      }
      if (s.warp == 3 && in_strip) s.shared.put(at_t + 4 * nb + s.lane, one);
      s.ex.sync();
      // - |tau|^2 / 2 (v^H A v - 2 Re t1^H t2), with the strip's part of v^H A v.
      if (s.warp == 0) {
        A y{};
        if (in_strip) square += 2 * real_part(conjugate(other) * one) - on_diagonal * abs2(other);
        if (s.lane == j) y = one;
        if (s.lane < k) {
          square -= 2 * real_part(conjugate(t1(s.lane)) * t2(s.lane));
          if (has_x) y = A{} - (row_v(s.lane) * t1(s.lane) + row_w(s.lane) * t2(s.lane));
        }
        for (int mask = 16; mask > 0; mask /= 2) {
          square += s.ex.shuffle_xor(square, mask);
          y = y + s.ex.shuffle_xor(y, mask);
        }
        if (s.lane == 0) {
          const R part_of_v = -R{0.5} * abs2(h.tau) * square;
          s.sums.put(0, part_of_v);
          s.shared.put(at_sums, h.tau * y + from_real<A>(part_of_v));
        }
      }
      const auto add_parts = [&](int c0) {
#pragma unroll
        for (int q = 0; q < batch; ++q) {
          const int c = c0 + part + q * parts;
          if (c < k) {
            for_w = subtract_product(subtract_product(for_w, v_part[q], t1(c)), w_part[q], t2(c));
            if (has_x)
              for_x = subtract_product(subtract_product(for_x, v_part[q], conjugate(row_w(c))), w_part[q],
                                       conjugate(row_v(c)));
          }
          if (j + c < g.columns) for_w = multiply_add(for_w, strip_part[q], strip_v(j + c));
        }
      };
      add_parts(0);
      for (int c0 = batch * parts; c0 < g.columns; c0 += batch * parts) {
        load_parts(c0);
        add_parts(c0);
      }
    }
    // Sums over the parts, in the room of the tiles' row sums.
    s.shared.put(at_rows + s.t, for_w);
    s.shared.put(at_cols + s.t, for_x);
    s.ex.sync();
    if (has_w) {
      half = s.sums.get(0);
      w_j = s.shared.get(at_sums);
    }
    R norm = 0;
    if (live && part == 0) {
#pragma unroll 8
      for (int q = 1; q < parts; ++q) {
        for_w = for_w + s.shared.get(at_rows + q * rows.padded + row);
        for_x = for_x + s.shared.get(at_cols + q * rows.padded + row);
      }
      A x = for_x;
      if (has_w) {
        const A v = v_of(i, k, h, old_x), w = h.tau * for_w + from_real<A>(half) * v;
        s.ex.store_fresh(s.w(i, k), w);
        x = x - v * conjugate(w_j) - w;
      }
      if (has_x) {
        if (i > j) {
          s.ex.store_fresh(s.x(i, j), x);
          if (i > j + 1) norm = abs2(x);
        } else {
          const R scale = g.scale == nullptr ? R{1} : s.ex.load_matrix(static_cast<const R*>(g.scale) + 1);
          s.ex.store_fresh(static_cast<R*>(g.d) + j * g.vector_step, real_part(x) * scale);
        }
      }
    }
    if (!has_x) return;
    for (int mask = 16; mask > 0; mask /= 2) norm += s.ex.shuffle_xor(norm, mask);
    if (s.lane == 0) s.sums.put(32 + s.warp, norm);
    s.ex.sync();
    if (s.t == 0) {
      R all = 0;
#pragma unroll
      for (int w = 0; w < warps; ++w) all += s.sums.get(32 + w);
      s.ex.store_fresh(static_cast<R*>(g.norms) + s.block, all);
    }
  }
};

}  // namespace onepass::kernels
