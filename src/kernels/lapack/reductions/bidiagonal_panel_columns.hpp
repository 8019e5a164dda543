// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Step 2 of the bidiagonal panel kernel, by columns: both products of a column of A from one pass.
#pragma once

#include <cstring>

#include "kernels/exec/vector16.hpp"
#include "kernels/lapack/reductions/bidiagonal_panel_block.hpp"

namespace onepass::kernels {

template <class A, class Ex, int vectors, int batch, bool in_parts>
class BidiagonalPanelColumns {
  using R = RealOf<A>;
  using Vector = ColumnVector<A>;
  using Shape = BidiagonalPanelShape<A>;
  using Block = BidiagonalPanelBlock<A, Ex, vectors, batch, in_parts>;
  static constexpr int size = Vector::size, warps = Shape::warps;

 public:
  // What a thread loads for 32 columns of the block: of Q, and of row j of A. A tile is 32 columns for each part.
  struct Tile {
    PanelStrip<A, 8> strip;
    A of_a;

    ONEPASS_DEVICE void load(const Block& s, int j, int l0, int count) {
      const int l = l0 + first_of_part(s) + s.lane;
      const bool live = l < s.stream.count();
      const int k = live ? s.stream.column_of_pass(l) : 0;
      strip.load(s.ex, s.q(k, 0), s.g.q_ld, live, count);
      of_a = conjugate(s.ex.load_fresh_if(live && s.warp == 0, s.a(j, k)));
    }
    // The first one, while the block waits behind step 1. In parts, V of the row before was written there by one block
    // of a team alone.
    ONEPASS_DEVICE void load_before_barrier(const Block& s, int j) { load(s, j, 0, in_parts ? 2 * j - 1 : 2 * j); }
    ONEPASS_DEVICE void load_behind_barrier(const Block& s, int j) {
      if (!in_parts) return;
      const int l = first_of_part(s) + s.lane;
      const bool live = l < s.stream.count();
      strip.load_one(s.ex, s.q(live ? s.stream.column_of_pass(l) : 0, 0), s.g.q_ld, live, 2 * j - 1);
    }
  };

  // Step 2: ends column j and begins row j. The first tile is loaded.
  static ONEPASS_DEVICE void run(Block& s, int j, Tile& tile) {
    const BidiagonalPanelArgs& g = s.g;
    typename Block::Stream& stream = s.stream;
    const int count = 2 * j;
    // All loads first.
    typename Block::Norm norm_of_column(s, true, s.column(j), g.column_norms, s.row_blocks);
    Vector x[vectors];
    load_column(s, j, x);
    typename Block::Coefficients coefficients(s, s.p(j, 0), g.p_ld, g.p_dots, count, s.row_blocks);
    const A own_b = s.first_row + s.t < s.end_row ? s.ex.load_fresh(s.column(s.first_row + s.t)) : A{};
    norm_of_column.put(s);
    coefficients.put(s);
    s.ex.sync();
    const Reflector<A> h = s.get_reflector();
    if (s.block == 0 && s.t == 0) {
      s.ex.store(static_cast<R*>(g.d) + j, h.beta * s.rescale());
      s.ex.store(static_cast<A*>(g.tauq) + j, h.tau);
    }
    if (const int i = s.first_row + s.t; i < s.end_row && i >= j)
      s.ex.store_fresh(s.p(i, 2 * j), i == j ? from_real<A>(R{1}) : h.apply(own_b));
#pragma unroll 1
    for (int i = s.first_row + s.t + stream_threads; i < s.end_row; i += stream_threads)
      if (i >= j) s.ex.store_fresh(s.p(i, 2 * j), i == j ? from_real<A>(R{1}) : h.apply(s.ex.load_fresh(s.column(i))));

    Vector sum[vectors] = {};
    A dot{}, y_dot{};  // summed up tile by tile: registers hold x and the sums
    R norm = 0;
#pragma unroll 1
    for (int l0 = 0; l0 < stream.count();) {
      s.put_sums(tile.strip.multiply(s.ex, s.shared, Shape::at_one, count),
                 tile.strip.multiply(s.ex, s.shared, Shape::at_two, count));
      s.ex.sync();
      if (in_parts && l0 > 0) s.ex.pass_cluster();
      if (s.warp == 0) put_tile(s, s.get_sum(0), tile.of_a - s.get_sum(1));
      if (in_parts) s.ex.wait_for_boxes(Shape::at_tile_box, s.tiles++, s.bytes_of_tile());
      const int behind = l0 + 32 * s.parts(), end = behind < stream.count() ? behind : stream.count();
      if constexpr (overlapped) {
        multiply_tile(s, j, l0, end, x, sum);
      } else {
#pragma unroll 1
        for (int l = l0; l < end; l += batch) multiply_batch(s, j, l, l - l0, end, x, sum);
      }
      s.ex.sync();
      stream.refill();
      // r without its first element, which belongs to column j + 1.
      const int own = first_of_part(s) + s.lane;
      const bool live = l0 + own < stream.count();
      const A r = live && stream.column_of_pass(l0 + own) != j + 1 ? s.shared.get(at_r + own) : A{};
      dot = dot + tile.strip.dot(s.ex, r);
      if (s.warp == 0) {
        norm += abs2(r);
        y_dot = multiply_add(y_dot, conjugate(live ? s.shared.get(at_y + own) : A{}), r);
      }
      l0 = behind;
      if (l0 >= stream.count()) break;
      if (in_parts) s.ex.reach_cluster();
      tile.load(s, j, l0, count);
      s.ex.sync();
    }
    store_row_sums(s, j, sum);
    publish_dot(s.ex, g.q_dots, s.blocks, s.block, count, dot);
    if (s.warp == 0) {
      norm = warp_sum(s.ex, norm);
      y_dot = warp_sum(s.ex, y_dot);
      if (s.lane == 0) {
        s.ex.store_fresh(static_cast<R*>(g.row_norms) + s.block, norm);
        s.ex.store_fresh(static_cast<A*>(g.q_dots) + count * s.blocks + s.block, y_dot);
      }
    }
  }

 private:
  static constexpr int at_base = Shape::at_tile + Shape::most_in_tile, at_r = at_base + Shape::most_in_tile,
                       at_y = at_r + Shape::most_in_tile;
  static constexpr int parts_of_number = is_complex<A> ? 2 : 1;
  // Of elements of 16 bytes both products of a column take as long as memory. Others wait for memory in any case.
  static constexpr bool overlapped = in_parts && sizeof(A) == 16 && batch == 1 && Block::Stream::slots > 2;

  // Of the tile, the first column that this block loads Q for.
  static ONEPASS_DEVICE int first_of_part(const Block& s) { return in_parts ? 32 * s.stream.part : 0; }
  // Dot products and bases of a lane's column: for all, behind the barrier of the first batch, where a team has one
  // block.
  static ONEPASS_DEVICE void put_tile(const Block& s, A dot, A base) {
    const int own = first_of_part(s) + s.lane;
    if constexpr (in_parts) {
#pragma unroll 1
      for (int rank = 0; rank < s.parts(); ++rank) {
        s.ex.put_in_box(s.shared, Shape::at_tile + own, Shape::at_tile_box, rank, dot);
        s.ex.put_in_box(s.shared, at_base + own, Shape::at_tile_box, rank, base);
      }
    } else {
      s.shared.put(Shape::at_tile + own, dot);
      s.shared.put(at_base + own, base);
    }
  }

  // The columns of a tile. While the blocks of a team exchange the sums of a column, the column before is added up; and
  // its coefficient, a long chain, is found while the next column is multiplied.
  static ONEPASS_DEVICE void multiply_tile(Block& s, int j, int l0, int end, const Vector (&x)[vectors],
                                           Vector (&sum)[vectors]) {
    A product[batch];
    multiply(s, l0, false, x, product);
    A coefficient[batch];
    send(s, product);
#pragma unroll 1
    for (int l = l0; l + 1 < end; ++l) {
      const int buffer = receive(s);
      multiply(s, l + 1, true, x, product);
      const Found found = find(s, l - l0, buffer);
      send(s, product);
      keep(s, j, l, l - l0, end, found, coefficient);
      add(s, coefficient, sum);
    }
    const int buffer = receive(s);
    keep(s, j, end - 1, end - 1 - l0, end, find(s, end - 1 - l0, buffer), coefficient);
    add(s, coefficient, sum);
  }
  static ONEPASS_DEVICE void multiply_batch(Block& s, int j, int l, int in_tile, int end, const Vector (&x)[vectors],
                                            Vector (&sum)[vectors]) {
    A product[batch], coefficient[batch];
    multiply(s, l, false, x, product);
    send(s, product);
    const int buffer = receive(s);
    s.stream.refill();
    keep(s, j, l, in_tile, end, find(s, in_tile, buffer), coefficient);
    s.stream.add_columns(coefficient, sum);
    s.stream.release();
    if constexpr (Block::Stream::slots == 2) {  // only one other batch is on its way
      s.ex.sync();
      s.stream.refill();
    }
  }

  // This thread's part of A_k^H b of the next batch, or of the one behind it.
  static ONEPASS_DEVICE void multiply(Block& s, int l, bool behind_next, const Vector (&x)[vectors],
                                      A (&product)[batch]) {
#pragma unroll
    for (int i = 0; i < batch; ++i) product[i] = A{};
    const int slot = s.stream.wait(l, behind_next);
    s.stream.for_each_element(
        slot, [&](A a, int i, int r, int e) { product[i] = multiply_add(product[i], conjugate(a), x[r].element[e]); });
  }
  static ONEPASS_DEVICE int sums_at(int buffer, int part, int i) {
    return Shape::at_batch + (buffer * stream_most_sums + part * batch + i) * warps;
  }
  // The sums of the warps. The blocks of a team, a cluster, put those of their parts into boxes in the shared memory of
  // each of them: two in turn, since whoever puts something into the first again has seen the second one full, and
  // nobody fills that before it has read the first. A barrier of the cluster in place of boxes would wait until y and r
  // are in the L2.
  static ONEPASS_DEVICE void send(Block& s, A (&product)[batch]) {
    constexpr int width = 32 / batch;
    const int buffer = s.batches & 1;
    if constexpr (in_parts && batch == 1) {
      // Lanes have real and imaginary parts in turn, and so has the box.
      const int which = s.lane % parts_of_number, rank = s.lane / parts_of_number;
      const R total = sum_of_parts(s.ex, which, product[0]);
      if (rank < s.parts())
        s.ex.put_in_box(s.ex.template shared<R>(0),
                        (sums_at(buffer, s.stream.part, 0) + s.warp) * parts_of_number + which,
                        Shape::at_boxes + 8 * buffer, rank, total);
    } else {
      const A total = transposed_sum<batch>(s.ex, product);
      if (in_parts) {
        if (s.lane % width < s.parts())
          s.ex.put_in_box(s.shared, sums_at(buffer, s.stream.part, s.lane / width) + s.warp,
                          Shape::at_boxes + 8 * buffer, s.lane % width, total);
      } else if (s.lane % width == 0) {
        s.shared.put(sums_at(buffer, 0, s.lane / width) + s.warp, total);
      }
    }
  }
  static ONEPASS_DEVICE R sum_of_parts(Ex ex, int which, A number) {
    R total = real_part(number);
    if constexpr (is_complex<A>) {
      total = which == 0 ? real_part(number) : imaginary_part(number);
      total += ex.shuffle_xor(which == 0 ? imaginary_part(number) : real_part(number), 1);
    }
#pragma unroll
    for (int mask = parts_of_number; mask < 32; mask *= 2) total += ex.shuffle_xor(total, mask);
    return total;
  }
  // Waits for them; which of the two.
  static ONEPASS_DEVICE int receive(Block& s) {
    const int buffer = s.batches & 1;
    if (in_parts)
      s.ex.wait_for_boxes(Shape::at_boxes + 8 * buffer, s.batches >> 1, s.bytes_of_sums());
    else
      s.ex.sync();
    ++s.batches;
    return buffer;
  }
  static ONEPASS_DEVICE A sum_of_warps(const Block& s, int buffer, int i) {
    A all{};
    if constexpr (in_parts) {
      // A lane has a number of each second or fourth part.
      constexpr int numbers = 32 / parts_of_number;
      const int which = s.lane % parts_of_number, first = s.lane / parts_of_number;
      const auto sums = s.ex.template shared<R>(0);
      R total = 0;
#pragma unroll
      for (int p = 0; p < stream_most_parts; p += numbers / warps) {
        const int part = p + first / warps;
        if (part < s.parts()) total += sums.get((sums_at(buffer, part, i) + first % warps) * parts_of_number + which);
      }
#pragma unroll
      for (int mask = parts_of_number; mask < 32; mask *= 2) total += s.ex.shuffle_xor(total, mask);
      if constexpr (is_complex<A>) {
        const R other = s.ex.shuffle_xor(total, 1);
        all = which == 0 ? A{total, other} : A{other, total};
      } else {
        all = total;
      }
    } else {
#pragma unroll
      for (int w = 0; w < warps; ++w) all = all + s.shared.get(sums_at(buffer, 0, i) + w);
    }
    return all;
  }
  // y and r of a batch of columns, number `in_tile` and on of the tile; anything where the batch has fewer.
  struct Found {
    A y[batch], r[batch];
  };
  static ONEPASS_DEVICE Found find(const Block& s, int in_tile, int buffer) {
    const Reflector<A> h = s.get_reflector();  // again: registers hold x and the sums
    Found found;
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      const A all = sum_of_warps(s, buffer, i), base = s.shared.get(at_base + in_tile + i);
      found.y[i] = h.tau * multiply_add(base, h.scale, all - s.shared.get(Shape::at_tile + in_tile + i));
      found.r[i] = base - found.y[i];
    }
    return found;
  }
  // For all blocks; and what the columns are to be multiplied by.
  static ONEPASS_DEVICE void keep(const Block& s, int j, int l, int in_tile, int end, const Found& found,
                                  A (&coefficient)[batch]) {
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      coefficient[i] = A{};
      if (l + i >= end) continue;
      const int k = s.stream.column_of_pass(l + i);
      if (k != j + 1) coefficient[i] = found.r[i];
      if (s.t != 32 + i) continue;  // the first warp fills slots
      if (s.stream.part == 0) {
        s.ex.store_fresh(s.q(k, 2 * j), found.y[i]);
        s.ex.store_fresh(s.row(k), found.r[i]);
      }
      s.shared.put(at_r + in_tile + i, found.r[i]);
      s.shared.put(at_y + in_tile + i, found.y[i]);
    }
  }
  // sum += A_k r_k of the batch.
  static ONEPASS_DEVICE void add(Block& s, const A (&coefficient)[batch], Vector (&sum)[vectors]) {
    s.stream.add_columns(coefficient, sum);
    s.stream.release();
    s.ex.sync();
    s.stream.refill();
  }

  // The updated column in the rows of this thread, 0 up to row j.
  static ONEPASS_DEVICE void load_column(const Block& s, int j, Vector (&x)[vectors]) {
    const int first = s.stream.shift + j + 1, end = s.stream.from + s.stream.end;
    const A* const from = static_cast<const A*>(s.g.column);
#pragma unroll
    for (int r = 0; r < vectors; ++r) {
      const int at = s.stream.place_in_column(r);
      x[r] = {};
      if (at >= first && at + size <= end) {
        const exec::Vector16 bits = s.ex.load_fresh(reinterpret_cast<const exec::Vector16*>(from + at));
        std::memcpy(static_cast<void*>(&x[r]), &bits, sizeof bits);
      } else if (at + size > first && at < end) {
#pragma unroll
        for (int e = 0; e < size; ++e)
          if (at + e >= first && at + e < end) x[r].element[e] = s.ex.load_fresh(from + at + e);
      }
    }
  }
  static ONEPASS_DEVICE void store_row_sums(const Block& s, int j, const Vector (&sum)[vectors]) {
    const int first = s.stream.shift + j + 1, end = s.stream.from + s.stream.end;
    A* const to = static_cast<A*>(s.g.row_sums) + s.stream.team * stream_pitch(s.g.m);
#pragma unroll
    for (int r = 0; r < vectors; ++r) {
      const int at = s.stream.place_in_column(r);
      if (at >= first && at + size <= end) {
        exec::Vector16 bits;
        std::memcpy(&bits, &sum[r], sizeof bits);
        s.ex.store_fresh(reinterpret_cast<exec::Vector16*>(to + at), bits);
      } else if (at + size > first && at < end) {
#pragma unroll
        for (int e = 0; e < size; ++e)
          if (at + e >= first && at + e < end) s.ex.store_fresh(to + at + e, sum[r].element[e]);
      }
    }
  }
};

}  // namespace onepass::kernels
