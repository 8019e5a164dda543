// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Step 2 of the bidiagonal panel kernel, by columns: both products of a column of A from one pass.
#pragma once

#include <cstring>

#include "kernels/exec/vector16.hpp"
#include "kernels/lapack/bidiagonal_panel_block.hpp"

namespace onepass::kernels {

template <class A, class Ex, int vectors, int batch>
class BidiagonalPanelColumns {
  using R = RealOf<A>;
  using Vector = ColumnVector<A>;
  using Shape = BidiagonalPanelShape<A>;
  using Block = BidiagonalPanelBlock<A, Ex, vectors, batch>;
  static constexpr int size = Vector::size, warps = Shape::warps;

 public:
  // What a thread loads for 32 columns of the block: of Q, and of row j of A.
  struct Tile {
    PanelStrip<A, 8> strip;
    A of_a;

    ONEPASS_DEVICE void load(const Block& s, int j, int l0) {
      const bool live = l0 + s.lane < s.stream.count();
      const int k = live ? s.stream.column_of_pass(l0 + s.lane) : 0;
      strip.load(s.ex, s.q(k, 0), s.g.q_ld, live, 2 * j);
      of_a = conjugate(s.ex.load_fresh_if(live && s.warp == 0, s.a(j, k)));
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
      if (s.warp == 0) {  // for all, behind the barrier of the first batch, where it has one
        s.shared.put(Shape::at_tile + s.lane, s.get_sum(0));
        s.shared.put(Shape::at_tile + 32 + s.lane, tile.of_a - s.get_sum(1));
      }
      if (parts(s) > 1) s.ex.sync();
      const int end = l0 + 32 < stream.count() ? l0 + 32 : stream.count();
#pragma unroll 1
      for (int l = l0; l < end; l += batch) multiply_batch(s, j, l, l - l0, end, x, sum);
      s.ex.sync();
      stream.refill();
      // r without its first element, which belongs to column j + 1.
      const bool live = l0 + s.lane < stream.count();
      const A r =
          live && stream.column_of_pass(l0 + s.lane) != j + 1 ? s.shared.get(Shape::at_tile + 64 + s.lane) : A{};
      dot = dot + tile.strip.dot(s.ex, r);
      if (s.warp == 0) {
        norm += abs2(r);
        y_dot = multiply_add(y_dot, conjugate(live ? s.shared.get(Shape::at_tile + 96 + s.lane) : A{}), r);
      }
      l0 += 32;
      if (l0 >= stream.count()) break;
      tile.load(s, j, l0);
      s.ex.sync();
    }
    store_row_sums(s, j, sum);
    if (stream.part > 0) return;  // the others of the team have the same
    publish_dot(s.ex, g.q_dots, stream.teams, stream.team, count, dot);
    if (s.warp == 0) {
      norm = warp_sum(s.ex, norm);
      y_dot = warp_sum(s.ex, y_dot);
      if (s.lane == 0) {
        s.ex.store_fresh(static_cast<R*>(g.row_norms) + stream.team, norm);
        s.ex.store_fresh(static_cast<A*>(g.q_dots) + count * stream.teams + stream.team, y_dot);
      }
    }
  }

 private:
  // Only columns of these shapes have more than one.
  static ONEPASS_DEVICE int parts(const Block& s) {
    return vectors >= 12 && vectors <= stream_vectors ? s.stream.parts : 1;
  }

  // y and r of a batch of columns, number `in_tile` and on of the tile, and sum += A_k r_k. The blocks of a team, a
  // cluster, put the sums of their parts into boxes in the shared memory of each of them: two in turn, since whoever
  // puts something into the first again has seen the second one full, and nobody fills that before it has read the
  // first. A barrier of the cluster in place of boxes would wait until y and r are in the L2.
  static ONEPASS_DEVICE void multiply_batch(Block& s, int j, int l, int in_tile, int end, const Vector (&x)[vectors],
                                            Vector (&sum)[vectors]) {
    typename Block::Stream& stream = s.stream;
    A product[batch] = {};
    stream.wait(l);
    stream.for_each_element(
        [&](A a, int i, int r, int e) { product[i] = multiply_add(product[i], conjugate(a), x[r].element[e]); });
    const A total = transposed_sum<batch>(s.ex, product);
    constexpr int width = 32 / batch;
    const int buffer = s.batches & 1;
    const auto sums_at = [&](int part, int i) {
      return Shape::at_batch + (buffer * stream_most_sums + part * batch + i) * warps;
    };
    if (parts(s) > 1) {
      const int box = Shape::at_boxes + 8 * buffer;
      if (s.lane % width < parts(s))
        s.ex.put_in_box(s.shared, sums_at(stream.part, s.lane / width) + s.warp, box, s.lane % width, total);
      s.ex.wait_for_boxes(box, s.batches >> 1, s.bytes_of_sums());
    } else {
      if (s.lane % width == 0) s.shared.put(sums_at(0, s.lane / width) + s.warp, total);
      s.ex.sync();
    }
    ++s.batches;
    stream.refill();
    A coefficient[batch];
    const Reflector<A> h = s.get_reflector();  // again: registers hold x and the sums
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      A all{};
#pragma unroll
      for (int w = 0; w < warps; ++w) all = all + s.shared.get(sums_at(0, i) + w);
#pragma unroll 1
      for (int p = 1; p < parts(s); ++p) {
#pragma unroll
        for (int w = 0; w < warps; ++w) all = all + s.shared.get(sums_at(p, i) + w);
      }
      coefficient[i] = A{};
      if (l + i < end) {
        const int k = stream.column_of_pass(l + i);
        const A base = s.shared.get(Shape::at_tile + 32 + in_tile + i);
        const A y = h.tau * multiply_add(base, h.scale, all - s.shared.get(Shape::at_tile + in_tile + i));
        const A r = base - y;
        if (k != j + 1) coefficient[i] = r;
        if (s.t == i) {
          if (stream.part == 0) {
            s.ex.store_fresh(s.q(k, 2 * j), y);
            s.ex.store_fresh(s.row(k), r);
          }
          s.shared.put(Shape::at_tile + 64 + in_tile + i, r);
          s.shared.put(Shape::at_tile + 96 + in_tile + i, y);
        }
      }
    }
    stream.add_columns(coefficient, sum);
    stream.release();
    if constexpr (Block::Stream::slots == 2) {  // only one other batch is on its way
      s.ex.sync();
      stream.refill();
    }
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
