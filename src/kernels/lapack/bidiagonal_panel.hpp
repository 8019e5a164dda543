// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduces the first columns and rows of a matrix to bidiagonal form, with two grid barriers a column and A read once a
// column, and leaves P = (U, X) and Q = (Y, V) for the level-3 update A -= U Y^H + X V^H of the rest.
//
// Column j; A stays as it is during the panel (column_stream.hpp), j' is the column before:
//   1. By rows i, a share for each block: x of column j', and column j updated,
//        x_i = taup (A_i v - U_i (Y^H v) - X_i (V^H v)),   b_i = A_ij - U_i Y_j^H - X_i V_j^H;
//      parts of |b|^2 and of U^H b, X^H b.
//      -- barrier --
//   2. Everyone: beta, tauq and u from b. By columns k of A, a share for each block: once a column is on the chip,
//        y_k = tauq (A_k^H u - Y_k (U^H u) - V_k (X^H u)),   r_k = conj(A_jk) - Y_k U_j^H - V_k X_j^H,
//      and with r_k, not yet scaled, the column is multiplied: row sums += A_k r_k. Parts of |r|^2 and of Y^H r, V^H r.
//      -- barrier --
// v = r scale but for its first element, which is 1: A v = scale (A r) + A_{j+1}, where A r leaves column j + 1 out.
// The same for u and the dot products.
#pragma once

#include "kernels/lapack/bidiagonal_panel_args.hpp"
#include "kernels/lapack/column_stream.hpp"
#include "kernels/lapack/panel_block.hpp"
#include "kernels/lapack/panel_strip.hpp"

namespace onepass::kernels {

template <class A, int vectors, int batch = stream_batch(vectors)>
struct BidiagonalPanel {
  using R = RealOf<A>;
  using Vector = ColumnVector<A>;
  static constexpr int max_threads = stream_threads, min_blocks = 1, warps = stream_warps, nb = stream_columns;
  static constexpr int size = Vector::size;
  static_assert(warps == 8 && batch <= stream_most_sums);

  // Shared memory behind the slots, in elements of A. Of 32 rows or columns of the block: sums of the warps, three
  // each; then `corrections`, `bases`, r or b, x or y. Coefficients of two sums. Sums of a batch, twice.
  static constexpr int at_sums = stream_slots * stream_vectors * stream_threads * size;
  static constexpr int at_tile = at_sums + 3 * warps * 32, at_one = at_tile + 4 * 32, at_two = at_one + 2 * nb;
  static constexpr int at_batch = at_two + 2 * nb, shared_elements = at_batch + 2 * stream_most_sums * warps;
  static constexpr int at_reals = shared_elements * static_cast<int>(sizeof(A));
  static constexpr int at_slots = at_reals + 2 * warps * static_cast<int>(sizeof(R));
  static constexpr std::size_t shared_bytes = stream_shared_bytes(sizeof(A), sizeof(R));
  static_assert(at_slots + 8 * stream_most_slots <= shared_bytes && at_slots % 8 == 0);

  template <class Ex>
  struct Panel {
    Ex ex;
    const BidiagonalPanelArgs& g;
    typename Ex::template Shared<A> shared;
    typename Ex::template Shared<R> reals;
    ColumnStream<A, Ex, vectors, batch> stream;
    int t, lane, warp, block, blocks;
    // Where work goes by rows: those of this block, and the blocks that have any.
    int first_row, end_row, row_blocks;

    ONEPASS_DEVICE A* a(int i, int k) const { return static_cast<A*>(g.a) + i + k * g.lda; }
    // Column c of U is column 2 c of P, that of X is 2 c + 1; likewise Y and V in Q.
    ONEPASS_DEVICE A* p(int i, int e) const { return static_cast<A*>(g.p) + i + e * g.p_ld; }
    ONEPASS_DEVICE A* q(int k, int e) const { return static_cast<A*>(g.q) + k + e * g.q_ld; }
    ONEPASS_DEVICE A* column(int i) const { return static_cast<A*>(g.column) + stream.shift + i; }
    ONEPASS_DEVICE A* row(int k) const { return static_cast<A*>(g.row) + k; }
    ONEPASS_DEVICE R rescale() const {
      return g.scale == nullptr ? R{1} : ex.load_matrix(static_cast<const R*>(g.scale) + 1);
    }
  };

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BidiagonalPanelArgs& g) {
    const int t = ex.thread(), block = static_cast<int>(ex.block_x()), blocks = static_cast<int>(ex.grid_x());
    const int tiles = (g.m + 31) / 32, share = (tiles + blocks - 1) / blocks * 32;
    Panel<Ex> s{
        .ex = ex,
        .g = g,
        .shared = ex.template shared<A>(0),
        .reals = ex.template shared<R>(at_reals),
        .stream = {ex, at_slots, static_cast<const A*>(g.a), g.lda, g.m, g.n, g.columns, g.parts, g.kept_sixteenths},
        .t = t,
        .lane = t & 31,
        .warp = t >> 5,
        .block = block,
        .blocks = blocks,
        .first_row = block * share < g.m ? block * share : g.m,
        .end_row = (block + 1) * share < g.m ? (block + 1) * share : g.m,
        .row_blocks = (g.m + share - 1) / share};
    if (g.parts > 1) ex.cluster_barrier();  // nobody writes into the shared memory of a block that has not begun
    GridBarrier<Ex> barrier{ex, g.barrier, g.timed_out};
    for (int j = 0;; ++j) {
      by_rows(s, j);
      if (j == g.columns) break;
      barrier.wait();
      by_columns(s, j);
      barrier.wait();
    }
    write_back(s);
  }

 private:
  // Coefficients of the sums of a strip, of column e of P from column e of Q or the other way round: an element of it,
  // conjugated, and its dot product with the vector behind h.
  struct Coefficients {
    NumbersOfBlocks<A> dots;
    int e;      // of this thread, or -1
    A element;  // likewise

    template <class Ex>
    ONEPASS_DEVICE Coefficients(const Panel<Ex>& s, const A* row, std::int64_t ld, const void* published, int count,
                                int publishers)
        : dots(s.ex, published, count, publishers), e(s.warp + 8 * (s.lane >> 2)), element() {
      if ((s.lane & 3) == 0 && e < count)
        element = conjugate(s.ex.load_fresh(row + e * ld));
      else
        e = -1;
    }
    template <class Ex>
    ONEPASS_DEVICE void put(const Panel<Ex>& s, const Reflector<A>& h) {
      const A raw = dots.sum(s.ex);
      if (e < 0) return;
      s.shared.put(at_one + e, multiply_add(element, raw, h.scale));
      s.shared.put(at_two + e, element);
    }
  };

  // Sums of the warps of three numbers of each lane; for the first warp.
  template <class Ex>
  static ONEPASS_DEVICE void put_sums(const Panel<Ex>& s, A one, A two, A three) {
    s.shared.put(at_sums + s.t, one);
    s.shared.put(at_sums + stream_threads + s.t, two);
    s.shared.put(at_sums + 2 * stream_threads + s.t, three);
  }
  template <class Ex>
  static ONEPASS_DEVICE A get_sum(const Panel<Ex>& s, int which) {
    return sum_of_lane<A>(s.ex, s.shared, at_sums + which * stream_threads);
  }

  // Step 1, which ends the row before and begins column j.
  template <class Ex>
  static ONEPASS_DEVICE void by_rows(Panel<Ex>& s, int j) {
    const BidiagonalPanelArgs& g = s.g;
    const bool has_x = j > 0 && j < g.n, has_b = j < g.columns, has_rows = s.first_row < s.end_row;
    const int last = j - 1, count = has_x ? 2 * j - 1 : 0;  // columns of P and Q but for the last of X and V
    if (j == g.n && s.block == 0 && s.t == 0) s.ex.store(static_cast<A*>(g.taup) + last, A{});
    if (!has_b && !has_x) return;
    // All loads first.
    const int k = has_x && s.stream.part == 0 && s.t < s.stream.own ? s.stream.column(s.t) : -1;
    const A alpha = has_x ? s.ex.load_fresh(s.row(j)) : A{}, r = k > j ? s.ex.load_fresh(s.row(k)) : A{};
    NumberOfBlocks<R> norms(s.ex, g.row_norms, has_x ? s.stream.teams : 0);
    Coefficients coefficients(s, s.q(j, 0), g.q_ld, g.q_dots, has_rows ? count : 0, s.stream.teams);
    RowTile tile;
    if (has_rows) tile.load(s, j, s.first_row);
    Reflector<A> h;
    if (has_x) {
      h = reflector_of_column(s.ex, alpha, norms.sum(s.ex));
      if (s.block == 0 && s.t == 0) {
        s.ex.store(static_cast<R*>(g.e) + last, h.beta * s.rescale());
        s.ex.store(static_cast<A*>(g.taup) + last, h.tau);
      }
      if (k >= j) s.ex.store_fresh(s.q(k, 2 * last + 1), k == j ? from_real<A>(R{1}) : h.apply(r));
      if (s.stream.part == 0) store_more_of_v(s, j, h);
    }
    if (!has_rows) return;
    if (has_x) coefficients.put(s, h);
    s.ex.sync();

    A dots[8] = {}, x_dot{};
    R norm = 0;
#pragma unroll 1
    for (int i0 = s.first_row;;) {
      const int i = i0 + s.lane;
      const A one = tile.strip.multiply(s.ex, s.shared, at_one, count);
      const A two = tile.strip.multiply(s.ex, s.shared, at_two, count);
      put_sums(s, one, two, tile.row_sum);
      s.ex.sync();
      if (s.warp == 0) {
        A b{}, x{};
        if (i < s.end_row && i >= j) {
          if (has_x) {
            x = h.tau * (multiply_add(tile.of_a, get_sum(s, 2), h.scale) - get_sum(s, 0));
            s.ex.store_fresh(s.p(i, 2 * last + 1), x);
          }
          b = tile.of_a - get_sum(s, 1) - x;
          if (has_b) s.ex.store_fresh(s.column(i), b);
          if (i == j) b = A{};
        }
        norm += abs2(b);
        x_dot = multiply_add(x_dot, conjugate(x), b);
        s.shared.put(at_tile + s.lane, b);
      }
      s.ex.sync();
      tile.strip.add_dots(s.shared.get(at_tile + s.lane), dots);
      i0 += 32;
      if (i0 >= s.end_row) break;
      tile.load(s, j, i0);
      s.ex.sync();
    }
    if (!has_b) return;
    // Those of the columns of P, and of the column of X that was made last.
    publish_dots(s.ex, g.p_dots, s.row_blocks, s.block, count, dots);
    if (s.warp == 0) {
      norm = warp_sum(s.ex, norm);
      x_dot = warp_sum(s.ex, x_dot);
      if (s.lane == 0) {
        s.ex.store_fresh(static_cast<R*>(g.column_norms) + s.block, norm);
        if (has_x) s.ex.store_fresh(static_cast<A*>(g.p_dots) + count * s.row_blocks + s.block, x_dot);
      }
    }
  }

  // Of column k of the team, v, where the team has more columns than a block threads.
  template <class Ex>
  static ONEPASS_DEVICE void store_more_of_v(const Panel<Ex>& s, int j, const Reflector<A>& h) {
#pragma unroll 1
    for (int l = s.t + stream_threads; l < s.stream.own; l += stream_threads)
      if (const int k = s.stream.column(l); k >= j)
        s.ex.store_fresh(s.q(k, 2 * j - 1), k == j ? from_real<A>(R{1}) : h.apply(s.ex.load_fresh(s.row(k))));
  }

  // What a thread loads for 32 rows: of P, of column j of A, and of the blocks' sums A r.
  struct RowTile {
    PanelStrip<A, 8> strip;
    A of_a, row_sum;

    template <class Ex>
    ONEPASS_DEVICE void load(const Panel<Ex>& s, int j, int i0) {
      const int i = i0 + s.lane;
      const bool live = i < s.end_row && i >= j, has_x = j > 0 && j < s.g.n;
      strip.load(s.ex, s.p(i, 0), s.g.p_ld, live, has_x ? 2 * j - 1 : 0);
      of_a = live && s.warp == 0 && j < s.g.n ? s.ex.load_fresh(s.a(i, j)) : A{};
      row_sum = live && has_x ? sum_of_vectors(s.ex, static_cast<const A*>(s.g.row_sums), stream_pitch(s.g.m),
                                               s.stream.teams, s.stream.shift + i, s.warp, warps)
                              : A{};
    }
  };

  // Step 2: ends column j and begins row j.
  template <class Ex>
  static ONEPASS_DEVICE void by_columns(Panel<Ex>& s, int j) {
    const BidiagonalPanelArgs& g = s.g;
    ColumnStream<A, Ex, vectors, batch>& stream = s.stream;
    const int count = 2 * j;
    stream.begin_pass(j);
    // All loads first.
    const A alpha = s.ex.load_fresh(s.column(j));
    NumberOfBlocks<R> norms(s.ex, g.column_norms, s.row_blocks);
    Vector u[vectors];
    load_column(s, j, u);
    Coefficients coefficients(s, s.p(j, 0), g.p_ld, g.p_dots, count, s.row_blocks);
    ColumnTile tile;
    tile.load(s, j, 0);
    const A own_b = s.first_row + s.t < s.end_row ? s.ex.load_fresh(s.column(s.first_row + s.t)) : A{};
    const Reflector<A> h = reflector_of_column(s.ex, alpha, norms.sum(s.ex));
    if (s.block == 0 && s.t == 0) {
      s.ex.store(static_cast<R*>(g.d) + j, h.beta * s.rescale());
      s.ex.store(static_cast<A*>(g.tauq) + j, h.tau);
    }
    if (const int i = s.first_row + s.t; i < s.end_row && i >= j)
      s.ex.store_fresh(s.p(i, 2 * j), i == j ? from_real<A>(R{1}) : h.apply(own_b));
#pragma unroll 1
    for (int i = s.first_row + s.t + stream_threads; i < s.end_row; i += stream_threads)
      if (i >= j) s.ex.store_fresh(s.p(i, 2 * j), i == j ? from_real<A>(R{1}) : h.apply(s.ex.load_fresh(s.column(i))));
    coefficients.put(s, h);
    normalize(s, j, h, u);
    s.ex.sync();

    Vector sum[vectors] = {};
    A dots[8] = {}, y_dot{};
    R norm = 0;
    int buffer = 0;
#pragma unroll 1
    for (int l0 = 0; l0 < stream.count();) {
      const A one = tile.strip.multiply(s.ex, s.shared, at_one, count);
      const A two = tile.strip.multiply(s.ex, s.shared, at_two, count);
      put_sums(s, one, two, A{});
      s.ex.sync();
      if (s.warp == 0) {
        s.shared.put(at_tile + s.lane, get_sum(s, 0));
        s.shared.put(at_tile + 32 + s.lane, tile.of_a - get_sum(s, 1));
      }
      s.ex.sync();
      const int end = l0 + 32 < stream.count() ? l0 + 32 : stream.count();
#pragma unroll 1
      for (int l = l0; l < end; l += batch) {
        multiply_batch(s, j, h, l, l - l0, end, buffer, u, sum);
        buffer = 1 - buffer;
      }
      s.ex.sync();
      stream.refill();
      // r without its first element, which belongs to column j + 1.
      const bool live = l0 + s.lane < stream.count();
      const A r = live && stream.column_of_pass(l0 + s.lane) != j + 1 ? s.shared.get(at_tile + 64 + s.lane) : A{};
      tile.strip.add_dots(r, dots);
      if (s.warp == 0) {
        norm += abs2(r);
        y_dot = multiply_add(y_dot, conjugate(live ? s.shared.get(at_tile + 96 + s.lane) : A{}), r);
      }
      l0 += 32;
      if (l0 >= stream.count()) break;
      tile.load(s, j, l0);
      s.ex.sync();
    }
    store_row_sums(s, j, sum);
    if (stream.part > 0) return;  // the others of the team have the same
    publish_dots(s.ex, g.q_dots, stream.teams, stream.team, count, dots);
    if (s.warp == 0) {
      norm = warp_sum(s.ex, norm);
      y_dot = warp_sum(s.ex, y_dot);
      if (s.lane == 0) {
        s.ex.store_fresh(static_cast<R*>(g.row_norms) + stream.team, norm);
        s.ex.store_fresh(static_cast<A*>(g.q_dots) + count * stream.teams + stream.team, y_dot);
      }
    }
  }

  // What a thread loads for 32 columns of the block: of Q, and of row j of A.
  struct ColumnTile {
    PanelStrip<A, 8> strip;
    A of_a;

    template <class Ex>
    ONEPASS_DEVICE void load(const Panel<Ex>& s, int j, int l0) {
      const bool live = l0 + s.lane < s.stream.count();
      const int k = live ? s.stream.column_of_pass(l0 + s.lane) : 0;
      strip.load(s.ex, s.q(k, 0), s.g.q_ld, live, 2 * j);
      of_a = live && s.warp == 0 ? conjugate(s.ex.load_fresh(s.a(j, k))) : A{};
    }
  };

  // y and r of a batch of columns, number `in_tile` and on of the tile, and sum += A_k r_k. The blocks of a team, a
  // cluster, put the sums of their parts into the shared memory of each of them.
  template <class Ex>
  static ONEPASS_DEVICE void multiply_batch(Panel<Ex>& s, int j, const Reflector<A>& h, int l, int in_tile, int end,
                                            int buffer, const Vector (&u)[vectors], Vector (&sum)[vectors]) {
    ColumnStream<A, Ex, vectors, batch>& stream = s.stream;
    A product[batch] = {};
    stream.wait(l);
#pragma unroll
    for (int r = 0; r < vectors; ++r)
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        const Vector a = stream.vector(i, r);
#pragma unroll
        for (int e = 0; e < size; ++e) product[i] = multiply_add(product[i], conjugate(a.element[e]), u[r].element[e]);
      }
    const A total = transposed_sum<batch>(s.ex, product);
    constexpr int width = 32 / batch;
    const auto sums_at = [&](int part, int i) {
      return at_batch + (buffer * stream_most_sums + part * batch + i) * warps;
    };
    const int parts = vectors >= 12 ? stream.parts : 1;  // of long columns alone
    if (parts > 1) {
      if (s.lane % width < parts)
        s.ex.put_in_cluster(s.shared, sums_at(stream.part, s.lane / width) + s.warp, s.lane % width, total);
      s.ex.cluster_barrier();
    } else {
      if (s.lane % width == 0) s.shared.put(sums_at(0, s.lane / width) + s.warp, total);
      s.ex.sync();
    }
    stream.refill();
    A coefficient[batch];
#pragma unroll
    for (int i = 0; i < batch; ++i) {
      A all{};
#pragma unroll
      for (int w = 0; w < warps; ++w) all = all + s.shared.get(sums_at(0, i) + w);
#pragma unroll 1
      for (int p = 1; p < parts; ++p) {
#pragma unroll
        for (int w = 0; w < warps; ++w) all = all + s.shared.get(sums_at(p, i) + w);
      }
      coefficient[i] = A{};
      if (l + i < end) {
        const int k = stream.column_of_pass(l + i);
        const A y = h.tau * (all - s.shared.get(at_tile + in_tile + i));
        const A r = s.shared.get(at_tile + 32 + in_tile + i) - y;
        if (k != j + 1) coefficient[i] = r;
        if (s.t == i) {
          if (stream.part == 0) {
            s.ex.store_fresh(s.q(k, 2 * j), y);
            s.ex.store_fresh(s.row(k), r);
          }
          s.shared.put(at_tile + 64 + in_tile + i, r);
          s.shared.put(at_tile + 96 + in_tile + i, y);
        }
      }
    }
#pragma unroll
    for (int r = 0; r < vectors; ++r)
#pragma unroll
      for (int i = 0; i < batch; ++i) {
        const Vector a = stream.vector(i, r);
#pragma unroll
        for (int e = 0; e < size; ++e)
          sum[r].element[e] = multiply_add(sum[r].element[e], a.element[e], coefficient[i]);
      }
    stream.release();
    if constexpr (ColumnStream<A, Ex, vectors, batch>::slots == 2) {  // only one other batch is on its way
      s.ex.sync();
      stream.refill();
    }
  }

  // The updated column in the rows of this thread, 0 before row j.
  template <class Ex>
  static ONEPASS_DEVICE void load_column(const Panel<Ex>& s, int j, Vector (&x)[vectors]) {
    const int first = s.stream.shift + j, end = s.stream.from + s.stream.end;
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
  template <class Ex>
  static ONEPASS_DEVICE void normalize(const Panel<Ex>& s, int j, const Reflector<A>& h, Vector (&x)[vectors]) {
    const int unit = s.stream.shift + j;
#pragma unroll
    for (int r = 0; r < vectors; ++r)
#pragma unroll
      for (int e = 0; e < size; ++e)
        x[r].element[e] = s.stream.place_in_column(r) + e == unit ? from_real<A>(R{1}) : h.apply(x[r].element[e]);
  }

  template <class Ex>
  static ONEPASS_DEVICE void store_row_sums(const Panel<Ex>& s, int j, const Vector (&sum)[vectors]) {
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

  // U, V, d and e into the matrix. All of it was read.
  template <class Ex>
  static ONEPASS_DEVICE void write_back(const Panel<Ex>& s) {
    const BidiagonalPanelArgs& g = s.g;
    s.ex.sync();
    for (int i = s.first_row + s.t; i < s.end_row; i += stream_threads)
      for (int c = 0; c < g.columns && c < i; ++c) s.ex.store(s.a(i, c), s.ex.load_fresh(s.p(i, 2 * c)));
    for (int l = s.t; l < s.stream.own && s.stream.part == 0; l += stream_threads) {
      const int k = s.stream.column(l);
      for (int c = 0; c < g.columns && c + 1 < k; ++c)
        s.ex.store(s.a(c, k), conjugate(s.ex.load_fresh(s.q(k, 2 * c + 1))));
    }
    if (s.block == 0 && s.t == 0)
      for (int c = 0; c < g.columns; ++c) {
        s.ex.store(s.a(c, c), from_real<A>(s.ex.load_fresh(static_cast<const R*>(g.d) + c)));
        if (c + 1 < g.n) s.ex.store(s.a(c, c + 1), from_real<A>(s.ex.load_fresh(static_cast<const R*>(g.e) + c)));
      }
  }
};

}  // namespace onepass::kernels
