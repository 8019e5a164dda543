// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Step B of the tridiagonal panel kernel: the reflector of column j, and products with its v. Tiles of R give sums of
// their rows and columns, columns of V, W and the strip a dot product each.
#pragma once

#include "kernels/lapack/reductions/tridiagonal_panel_block.hpp"

namespace onepass::kernels {

template <class A, class Ex, PanelPart columns>
struct TridiagonalPanelProducts {
  using R = RealOf<A>;
  using Shape = TridiagonalPanelShape<A>;
  using Block = TridiagonalPanelBlock<A, Ex, columns>;
  static constexpr int tile = Shape::tile, slabs = Shape::slabs, threads = Shape::threads;
  static constexpr int rows_of = Shape::rows_of, columns_of = Shape::columns_of;
  static constexpr int groups = Shape::groups, of_group = Shape::of_group;
  // Columns of a thread that are summed together, as many as registers hold the sums of.
  static constexpr int together = sizeof(A) < 8 ? 8 : 4;
  static constexpr int slabs_together = together / columns_of;
  // Where the reflector lies in shared memory: in the room of step A's numbers, and behind the sums of warps.
  static constexpr int at_tau = Shape::at_t, at_scale = Shape::at_t + 1, at_power = 64;

  static ONEPASS_DEVICE Reflector<A> run(Block& s, int j) {
    // The first warp finds the reflector; what the others need is on its way meanwhile.
    if (s.warp == 0) find_reflector(s, j);
    const RowsX rows_x(s, j, true);
    const A x = column_x(s, j);
    const Reflector<A> h = store_v(s, j);
    multiply(s, j, h, rows_x, x);
    return h;
  }
  // Column 0, where the update before this panel has multiplied R by x: what is left of this step.
  static ONEPASS_DEVICE void run_first_column(const Block& s) {
    if (s.warp == 0) find_reflector(s, 0);
    const Reflector<A> h = store_v(s, 0);
    multiply_columns(s, 0, h);
    s.publish_sum(finish_first_product(s, h), 0, s.g.squares);
    if (s.block == 0 && s.t == 0) s.ex.store_fresh(s.x(0, 0), h.scale);  // x has no such element
  }
  // Its reflector, in the next launch.
  static ONEPASS_DEVICE Reflector<A> first_reflector(const Block& s) {
    Reflector<A> h;
    h.tau = s.ex.load_fresh(static_cast<const A*>(s.g.tau));
    h.scale = s.ex.load_fresh(s.x(0, 0));
    return h;
  }

 private:
  // The reflector, once it is found; v in the rows of the block.
  static ONEPASS_DEVICE Reflector<A> store_v(const Block& s, int j) {
    const int own = s.rows.first + s.t;  // rows of a block are at most its threads
    const A own_x = own < s.rows.end ? s.x_at(own, j) : A{};
    s.ex.sync();
    Reflector<A> h;
    h.tau = s.shared.get(at_tau);
    h.scale = s.shared.get(at_scale);
    h.power = s.sums.get(at_power);
    if (own < s.rows.end && own > j + 1) s.ex.store(s.element(own, j), h.apply(own_x));
    return h;
  }

  // x in the rows of the tile that is multiplied next, those of this thread.
  struct RowsX {
    A x[rows_of];
    ONEPASS_DEVICE RowsX(const Block& s, int j, bool wanted) {
      const A* const from = s.x(s.g.columns + s.at.row * tile, j);
#pragma unroll
      for (int q = 0; q < rows_of; ++q) x[q] = s.ex.load_fresh_if(wanted, from + s.tile_row(q));
    }
  };
  // In its columns: the first lanes of a warp have one each.
  static ONEPASS_DEVICE int own_column(const Block& s) {
    return s.g.columns + s.at.col * tile + s.group * of_group + s.lane;
  }
  static ONEPASS_DEVICE A column_x(const Block& s, int j) {
    return s.ex.load_fresh_if(s.lane < of_group, s.x(own_column(s), j));
  }

  // beta, tau and the scale of v from x, the latter two into shared memory.
  static ONEPASS_DEVICE void find_reflector(const Block& s, int j) {
    const TridiagonalPanelArgs& g = s.g;
    const A alpha = s.ex.load_fresh(s.x(j + 1, j));
    typename Block::FromBlocks norms;
    norms.load(s, g.norms);
    R d = 0, scale = 0;
    const bool writer = s.block == 0 && s.t == 0;
    if (writer) {
      d = s.ex.load_fresh(static_cast<const R*>(g.d) + j * g.vector_step);
      scale = s.scale_back();
    }
    R sum = norms.sum(s, g.norms);
    for (int mask = 16; mask > 0; mask /= 2) sum += s.ex.shuffle_xor(sum, mask);
    Reflector<A> h;
    if (sum + abs2(alpha) < smallest_square<R>()) {
      h = scaled_reflector(s, j, alpha);
    } else {
      h = reflector(s.ex, alpha, sum);
    }
    if (s.t == 0) {
      s.shared.put(at_tau, h.tau);
      s.shared.put(at_scale, h.scale);
      s.sums.put(at_power, h.power);
    }
    if (writer) {
      s.ex.store(static_cast<R*>(g.e) + j * g.vector_step, h.beta * scale);
      s.ex.store(static_cast<A*>(g.tau) + j * g.vector_step, h.tau);
      // Only now has everyone read the diagonal.
      s.ex.store(s.element(j, j), from_real<A>(d));
      s.ex.store(s.element(j + 1, j), j + 1 == g.columns ? from_real<A>(R{1}) : from_real<A>(h.beta * scale));
    }
  }

  // Where squares may underflow: all of x, scaled by a power of two. If R x is there already it may have underflowed;
  // then x, far below what rounding does to A, is taken for zero.
  static ONEPASS_DEVICE Reflector<A> scaled_reflector(const Block& s, int j, A alpha) {
    R largest = larger(absolute(real_part(alpha)), absolute(imaginary_part(alpha)));
    constexpr bool multiplied = columns == PanelPart::first_column;
    const int end = multiplied ? 0 : s.g.m;
#pragma unroll 1
    for (int i = j + 2 + s.lane; i < end; i += 32) {
      const A x = s.ex.load_fresh(s.x(i, j));
      largest = larger(largest, larger(absolute(real_part(x)), absolute(imaginary_part(x))));
    }
    for (int mask = 16; mask > 0; mask /= 2) largest = larger(largest, s.ex.shuffle_xor(largest, mask));
    const R power = s.ex.power_of_two_near_reciprocal(largest);
    R sum = 0;
#pragma unroll 1
    for (int i = j + 2 + s.lane; i < end; i += 32) sum += abs2(from_real<A>(power) * s.ex.load_fresh(s.x(i, j)));
    for (int mask = 16; mask > 0; mask /= 2) sum += s.ex.shuffle_xor(sum, mask);
    Reflector<A> h = reflector(s.ex, from_real<A>(power) * alpha, sum);
    h.beta = h.beta * s.ex.power_of_two_near_reciprocal(power);
    h.power = power;
    if (multiplied) {
      h.power = 1;
      h.scale = A{};
    }
    return h;
  }

  // A thread's elements of v and sums of its rows, as long as the block is in one row of tiles.
  struct Tile {
    A vi[rows_of], vj;  // of the columns of its warp in a tile the first lanes have one each
    A row_sum[rows_of] = {};
    R square = 0;    // its part of v^H A v, over all tiles
    int buffer = 0;  // of shared memory; the other one's sums are still read
    int from, to;    // slabs of the tile that this block has
  };

  // Slab number `first_slab + i`: the `i`th of those whose columns are summed together.
  template <bool diagonal>
  static ONEPASS_DEVICE void multiply_slab(Block& s, Tile& p, int first_slab, int i, A (&column_sum)[together]) {
    const int slab = first_slab + i;
    if (slab < p.from || slab >= p.to) return;
    s.ex.template wait_for_copies_but<Shape::stages - 1>();
    A a[columns_of][rows_of], vj[columns_of];
#pragma unroll
    for (int e = 0; e < columns_of; ++e) {
      vj[e] = s.ex.shuffle_from(p.vj, slab * columns_of + e);
#pragma unroll
      for (int q = 0; q < rows_of; ++q) a[e][q] = s.shared.get(s.streamed(e, q));
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
            p.square -= real_part(a[e][q]) * abs2(vj[e]);
          }
        }
        p.row_sum[q] = multiply_add(p.row_sum[q], a[e][q], vj[e]);
        column_sum[i * columns_of + e] = multiply_add(column_sum[i * columns_of + e], below, p.vi[q]);
      }
    s.load_slab();
  }

  // Column sums go to the others at once, those of adjacent columns together.
  template <bool diagonal>
  static ONEPASS_DEVICE void multiply_tile(Block& s, Tile& p, const typename Block::Place& at) {
    A* const sums =
        static_cast<A*>(s.g.sums) + s.tiles.column_slot(at.row, at.col, s.part) * s.tiles.pitch() + at.col * tile;
#pragma unroll 1
    for (int first_slab = 0; first_slab < slabs; first_slab += slabs_together) {
      A column_sum[together] = {};
#pragma unroll
      for (int i = 0; i < slabs_together; ++i) multiply_slab<diagonal>(s, p, first_slab, i, column_sum);
      const A total = transposed_sum<together>(s.ex, column_sum);
      constexpr int width = 32 / together;
      const int slab = first_slab + s.lane / width / columns_of, e = s.lane / width % columns_of;
      if (s.lane % width == 0 && slab >= p.from && slab < p.to) s.ex.store_fresh(sums + s.tile_column(slab, e), total);
    }
  }

  // The sums of the block's piece of a row of tiles, by the first threads.
  static ONEPASS_DEVICE void publish_row_sums(const Block& s, Tile& p, int row) {
#pragma unroll
    for (int q = 0; q < rows_of; ++q) {
      p.square += 2 * real_part(conjugate(p.vi[q]) * p.row_sum[q]);
      s.shared.put(Shape::at_rows + (p.buffer * groups + s.group) * tile + s.tile_row(q), p.row_sum[q]);
      p.row_sum[q] = A{};
    }
    s.ex.sync();
    if (s.t < tile) {
      A sum{};
#pragma unroll
      for (int w = 0; w < groups; ++w) sum = sum + s.shared.get(Shape::at_rows + (p.buffer * groups + w) * tile + s.t);
      s.ex.store_fresh(static_cast<A*>(s.g.sums) + s.tiles.row_slot(row, s.block) * s.tiles.pitch() + row * tile + s.t,
                       sum);
    }
    p.buffer = 1 - p.buffer;
  }

  // R v from R x, in the place of its first sum. Returns the thread's part of v^H R v.
  static ONEPASS_DEVICE R finish_first_product(const Block& s, const Reflector<A>& h) {
    const int i = s.rows.first + s.rows.row;
    if (!s.rows.live || s.rows.part > 0 || i < s.g.columns) return 0;
    A* const sum = static_cast<A*>(s.g.sums) + i - s.g.columns;
    const A y = h.apply(s.ex.load_fresh(sum));
    s.ex.store_fresh(sum, y);
    return real_part(conjugate(s.v_at(i, 0, h)) * y);
  }

  // The products of this block's slabs with v.
  static ONEPASS_DEVICE void multiply(Block& s, int j, const Reflector<A>& h, const RowsX& rows_x, A x) {
    const bool backward = (j & 1) != 0;
    int tiles_left = s.first < s.end ? s.last_tile - s.first_tile + 1 : 0;
    Tile p;
    enter_rows(s, p, j, h, rows_x);
    p.vj = s.v_of(own_column(s), j, h, x);
    // Dot products behind the first tile, whose room is filled again meanwhile.
    const int left_behind_first = tiles_left > 1 ? tiles_left - 1 : 0;
    for (; tiles_left > 0; --tiles_left) {
      if (tiles_left == left_behind_first) multiply_columns(s, j, h);
      const typename Block::Place at = s.at;
      p.from = s.slabs_from(at.index);
      p.to = s.slabs_to(at.index);
      // x of the next tile is loaded while this one is multiplied. The last one is the first of the next column.
      if (tiles_left > 1) s.at = s.neighbour(at, backward);
      const A next = column_x(s, j);

      if (at.row == at.col)
        multiply_tile<true>(s, p, at);
      else
        multiply_tile<false>(s, p, at);
      p.vj = s.v_of(own_column(s), j, h, next);
      if (tiles_left == 1 || s.at.row != at.row) {
        const RowsX next_rows(s, j, tiles_left > 1);
        publish_row_sums(s, p, at.row);
        enter_rows(s, p, j, h, next_rows);
      }
    }
    if (left_behind_first == 0) multiply_columns(s, j, h);
    s.publish_sum(p.square, 0, s.g.squares);
  }
  static ONEPASS_DEVICE void enter_rows(const Block& s, Tile& p, int j, const Reflector<A>& h, const RowsX& rows) {
#pragma unroll
    for (int q = 0; q < rows_of; ++q) p.vi[q] = s.v_of(s.g.columns + s.at.row * tile + s.tile_row(q), j, h, rows.x[q]);
  }

  // The dot products that are this block's.
  static ONEPASS_DEVICE void multiply_columns(const Block& s, int j, const Reflector<A>& h) {
    for (DotProduct dot(s, j); dot.item < dot.items; dot.begin(s, j)) {
      dot.load(s, j);
      dot.multiply(s, j, h);
      dot.item += s.blocks;
    }
  }

  // A dot product with v, by two blocks, each with one half: of the columns of W and V before j, and of the panel's
  // columns after j.
  //   number c < j: W_c;  j + c: V_c;  2 j + c - j - 1: A_c
  struct DotProduct {
    static constexpr int batch = 4;
    int item, items;  // this half, and all of them
    int c, i, to;     // a column of A; this thread's next row; the end
    bool of_strip;
    const A* column;
    A a[batch], x[batch];

    ONEPASS_DEVICE DotProduct(const Block& s, int j) : item(s.blocks - 1 - s.block), items(2 * (s.g.columns - 1 + j)) {
      begin(s, j);
    }
    ONEPASS_DEVICE void begin(const Block& s, int j) {
      const int dot = item / 2, half = (s.g.m - j) / 2;
      c = dot < j ? dot : dot < 2 * j ? dot - j : dot - j + 1;
      of_strip = dot >= 2 * j;
      const bool second = item % 2 != 0;
      to = item < items ? (second ? s.g.m : j + 1 + half) : 0;
      i = j + 1 + (second ? half : 0) + s.t;
      column = dot < j ? s.w(0, c) : s.element(0, c);
    }
    ONEPASS_DEVICE void load(const Block& s, int j) {
      const int least = of_strip ? c : 0;  // what lies above the diagonal is not stored
      const A *from = column + i * s.g.row_step, *const from_x = s.x(i, j);
#pragma unroll
      for (int q = 0; q < batch; ++q, from += threads * s.g.row_step) {
        const int row = i + q * threads;
        a[q] = s.ex.load_fresh_if(row < to && row >= least, from);
        x[q] = s.ex.load_fresh_if(row < to, from_x + q * threads);
      }
    }
    // Once the first rows are loaded.
    ONEPASS_DEVICE void multiply(const Block& s, int j, const Reflector<A>& h) {
      A sum[1] = {};
      for (;;) {
#pragma unroll
        for (int q = 0; q < batch; ++q, i += threads) {
          if (of_strip && i == c) a[q] = from_real<A>(real_part(a[q]));
          sum[0] = multiply_add(sum[0], conjugate(a[q]), s.v_of(i, j, h, x[q]));
        }
        if (i - s.t >= to) break;
        load(s, j);
      }
      const A total = transposed_sum<1>(s.ex, sum);
      s.ex.sync();
      if (s.lane == 0) s.shared.put(Shape::at_sums + s.warp, total);
      s.ex.sync();
      if (s.t == 0) {
        A all{};
#pragma unroll
        for (int w = 0; w < Shape::warps; ++w) all = all + s.shared.get(Shape::at_sums + w);
        s.ex.store_fresh(static_cast<A*>(s.g.dots) + item, all);
      }
    }
  };
};

}  // namespace onepass::kernels
