// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One step of a warp in a triangle: its vectors of A into shared memory, and from there into sums of rows and of
// columns.
#pragma once

#include <cstring>
#include <type_traits>

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/panel.hpp"
#include "kernels/blocks/walk.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

template <class E>
struct TriangleStep {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using XFactor = typename E::XFactor;
  using Panel = kernels::Panel<A>;
  using RowOffsets = kernels::RowOffsets<A>;
  using Product = TriangleProduct<E>;
  static constexpr int V = vector_length<A>;
  static constexpr int vectors = symv_vectors(sizeof(A)), places = symv_places(sizeof(A));
  static constexpr int columns = symv_columns(sizeof(A), std::is_same_v<A, DoubleDouble>);  // of a warp
  static constexpr int stride = Panel::stride;
  using Walk = kernels::Walk<E, columns>;

  // Of a choice between two sums that take so many instructions the compiler makes a branch, and one element waits for
  // the other: factors are zero instead.
  static constexpr bool masks_factors = is_complex<S> && is_twice<RealOf<S>> && !is_head_tail<X>;

  // A column's sum over the rows of a panel begins with a product, which takes a fraction of the instructions of one
  // that is added to a sum. On an H200 z n = 4096 takes 71.6 us so and 73.2 otherwise, w 41.1 and 41.7; d, whose strips
  // have several panels, 27.2 and 26.8.
  static constexpr bool starts_anew = masks_factors || std::is_same_v<S, DoubleDouble>;

  // Elements of x: for the rows of a lane, and for the columns of a step.
  using OfRows = X[vectors][V];
  using OfColumns = X[columns];

  // The row sums of a warp in a panel stand in shared memory from (warp panels + panel) places on.
  template <class Ex>
  static ONEPASS_DEVICE auto sums(Ex ex) {
    return ex.template shared<S>(0);
  }
  static ONEPASS_DEVICE int place(const SymvArgs& g, int warp, int panel) { return (warp * g.panels + panel) * places; }
  // A block that has the whole matrix.
  static ONEPASS_DEVICE bool alone(const SymvArgs& g) { return g.mailboxes_per_product == 0; }
  // The column sums that a block holds, behind them.
  template <class Ex>
  static ONEPASS_DEVICE auto columns_of_block(Ex ex, const SymvArgs& g) {
    return ex.template shared<S>(place(g, 1 << g.log2_groups, 0) * static_cast<int>(sizeof(S)));
  }

  static constexpr int vectors_of_sums = V * static_cast<int>(sizeof(S)) / 16;
  template <class Ex>
  static ONEPASS_DEVICE void get_sums(Ex ex, int at, S (&sum)[vectors][V]) {
    const auto shared = ex.template shared<exec::Vector16>(at * static_cast<int>(sizeof(S)));
#pragma unroll
    for (int j = 0; j < vectors; ++j)
#pragma unroll
      for (int w = 0; w < vectors_of_sums; ++w) {
        const exec::Vector16 vector = shared.get(j * symv_lanes * vectors_of_sums + w);
        std::memcpy(reinterpret_cast<char*>(sum[j]) + 16 * w, &vector, 16);
      }
  }
  template <class Ex>
  static ONEPASS_DEVICE void put_sums(Ex ex, int at, const S (&sum)[vectors][V]) {
    const auto shared = ex.template shared<exec::Vector16>(at * static_cast<int>(sizeof(S)));
#pragma unroll
    for (int j = 0; j < vectors; ++j)
#pragma unroll
      for (int w = 0; w < vectors_of_sums; ++w) {
        exec::Vector16 vector;
        std::memcpy(&vector, reinterpret_cast<const char*>(sum[j]) + 16 * w, 16);
        shared.put(j * symv_lanes * vectors_of_sums + w, vector);
      }
  }

  // The vectors of a warp in a step, behind the sums.
  template <class Ex>
  static ONEPASS_DEVICE auto vectors_of_step(Ex ex, const SymvArgs& g) {
    const int sums = place(g, 1 << g.log2_groups, 0) + g.held;
    return ex.template shared<exec::Vector16>(sums * static_cast<int>(sizeof(S)));
  }
  static ONEPASS_DEVICE int vector_place(const Product& p, int u, int j) {
    return ((p.warp * columns + u) * vectors + j) * symv_lanes + p.lane;
  }

  // Starts a step: cp.async copies its vectors to shared memory, past the registers, so that the compiler cannot put a
  // use between two of them; x of its columns goes to registers.
  template <class Ex>
  static ONEPASS_DEVICE void fetch(Ex ex, const SymvArgs& g, const Product& p, const Walk& walk, const Panel& panel,
                                   const Columns& cols, OfColumns& x_c) {
    // A usual load has no policy: one that says so costs s n = 2500 6 % and z n = 3001 a tenth (H200).
    const auto usual = [&](auto... vector) { ex.copy_vector_if(vector...); };
    if (walk.step.crosses) {
      const RowOffsets offsets(g, panel);
      copy(ex, g, p, walk, cols, usual, [&](int c, int j) {
        const bool wanted = offsets.wanted(c, j) & !offsets.sticks_out(c, j);
        return Wanted{wanted, offsets.from(c, j), offsets.to(c, j)};
      });
    } else {
      const auto inside = [&](int, int j) {
        return Wanted{static_cast<bool>((panel.from(j) < V) & (panel.to(j) > 0)), panel.from(j), panel.to(j)};
      };
      if (g.streams) {
        const typename Ex::StreamPolicy policy = ex.stream_policy(0);
        copy(
            ex, g, p, walk, cols, [&](auto... vector) { ex.stream_vector_if(vector..., policy); }, inside);
      } else {
        copy(ex, g, p, walk, cols, usual, inside);
      }
    }
    VectorPointer<X> x = walk.x;
#pragma unroll
    for (int u = 0; u < columns; ++u) {
      x_c[u] = load_cached_if(ex, cols.have(u), x);
      x += walk.incx;
    }
  }

  // Whether a vector is copied, and which of its elements count.
  struct Wanted {
    bool vector;
    int from, to;
  };
  template <class Ex, class Copy, class Choice>
  static ONEPASS_DEVICE void copy(Ex ex, const SymvArgs& g, const Product& p, const Walk& walk, const Columns& cols,
                                  Copy copy_vector_if, Choice choice) {
    const auto to = vectors_of_step(ex, g);
    const A* next = walk.a + (walk.step.panel * g.panel_rows + p.slot(g));
#pragma unroll
    for (int u = 0; u < columns; ++u) {
#pragma unroll
      for (int j = 0; j < vectors; ++j) {
        const Wanted wanted = choice(cols.at(u), j);
        copy_vector_if(cols.have(u) & wanted.vector, to, vector_place(p, u, j), next + j * stride, wanted.from,
                       wanted.to);
      }
      next += walk.lda;
    }
  }

  // x of a lane's rows, zero where it has none.
  template <class Ex>
  static ONEPASS_DEVICE void load_rows(Ex ex, const SymvArgs& g, const Product& p, const Panel& panel, OfRows& x_r) {
    const VectorPointer<X> x = p.x + (panel.row0 + panel.slot) * g.incx;
#pragma unroll
    for (int j = 0; j < vectors; ++j)
#pragma unroll
      for (int v = 0; v < V; ++v)
        x_r[j][v] = load_cached_if(ex, v >= panel.from(j) && v < panel.to(j), x + (j * stride + v) * g.incx);
  }

  static ONEPASS_DEVICE XFactor x_of_row(const SymvArgs& g, X x) {
    return conjugate_if(g.conjugate != g.hermitian, as<XFactor>(x));
  }
  static ONEPASS_DEVICE XFactor x_of_column(const SymvArgs& g, X x) {
    return conjugate_if(g.conjugate, as<XFactor>(x));
  }

  // sum[r] += A[r, c] x[c] and t[c] += A[r, c] x[r] over the rows of a panel.
  // Of a Hermitian matrix t[c] is the sum of A[r, c] conj(x[r]), and is conjugated in the end.
  template <class Ex>
  static ONEPASS_DEVICE void use(Ex ex, const SymvArgs& g, const Product& p, const Panel& panel, const OfRows& x_r,
                                 const OfColumns& x_c, S (&sum)[vectors][V], S (&t)[columns]) {
    const auto from = vectors_of_step(ex, g);
    exec::Vector16 vector[columns][vectors];
#pragma unroll
    for (int u = 0; u < columns; ++u)
#pragma unroll
      for (int j = 0; j < vectors; ++j) vector[u][j] = from.get(vector_place(p, u, j));
    // What a vector holds of other rows must not reach the sum of its column.
    if (V > 1 && (panel.from(0) > 0 || panel.to(vectors - 1) < V)) {
#pragma unroll
      for (int u = 0; u < columns; ++u)
#pragma unroll
        for (int j = 0; j < vectors; ++j) vector[u][j] = keep<A>(vector[u][j], panel.from(j), panel.to(j));
    }
    S column[columns];
#pragma unroll
    for (int j = 0; j < vectors; ++j)
#pragma unroll
      for (int u = 0; u < columns; ++u) {
        const XFactor x = x_of_column(g, x_c[u]);
        A element[V];
        unpack(vector[u][j], element);
#pragma unroll
        for (int v = 0; v < V; ++v) {
          const Factor a = as<Factor>(element[v]);
          const XFactor of_row = x_of_row(g, x_r[j][v]);
          sum[j][v] = multiply_add(sum[j][v], a, x);
          if constexpr (starts_anew) {
            column[u] = j == 0 && v == 0 ? first_term<S>(a, of_row) : multiply_add(column[u], a, of_row);
          } else {
            t[u] = multiply_add(t[u], a, of_row);
          }
        }
      }
    if constexpr (starts_anew) {
      if (g.panels > 1) {
#pragma unroll
        for (int u = 0; u < columns; ++u) t[u] = t[u] + column[u];
      } else {
#pragma unroll
        for (int u = 0; u < columns; ++u) t[u] = column[u];
      }
    }
  }

  // Sums of rows every eight terms; of columns where they go on in the next panel.
  static ONEPASS_DEVICE void settle(const SymvArgs& g, int left, S (&sum)[vectors][V], S (&t)[columns]) {
    if (columns >= 8 || (left & (8 - columns)) == 0) {
#pragma unroll
      for (int j = 0; j < vectors; ++j)
#pragma unroll
        for (int v = 0; v < V; ++v) sum[j][v] = settled(sum[j][v]);
    }
    if (g.panels > 1) {
#pragma unroll
      for (int u = 0; u < columns; ++u) t[u] = settled(t[u]);
    }
  }

  // Likewise where the columns cross the diagonal.
  template <class Ex>
  static ONEPASS_DEVICE void use_crossing(Ex ex, const SymvArgs& g, const Product& p, const Panel& panel,
                                          const Columns& cols, const OfRows& x_r, const OfColumns& x_c, int at,
                                          S (&sum)[vectors][V], S (&t)[columns]) {
    const auto from = vectors_of_step(ex, g);
    const RowOffsets offsets(g, panel);
    unsigned cut = 0;  // a bit for each vector that sticks out of the matrix
#pragma unroll
    for (int j = 0; j < vectors; ++j) {
#pragma unroll
      for (int u = 0; u < columns; ++u) {
        const int c = cols.at(u);
        const bool out = offsets.sticks_out(c, j);
        const int diagonal = cols.have(u) & !out ? offsets.diagonal(c, j) : RowOffsets::none;
        cut |= static_cast<unsigned>(out & cols.have(u)) << (u * vectors + j);
        const XFactor x = x_of_column(g, x_c[u]);
        A element[V];
        unpack(from.get(vector_place(p, u, j)), element);
#pragma unroll
        for (int v = 0; v < V; ++v) {
          Factor a = as<Factor>(element[v]);
          if constexpr (is_complex<S>) a.im = g.hermitian && offsets.offset[j][v] == diagonal ? 0 : a.im;
          // What was not loaded is zero, but zero times infinity is not.
          const bool in = offsets.offset[j][v] >= diagonal, beyond = offsets.offset[j][v] > diagonal;
          if constexpr (masks_factors) {
            sum[j][v] = multiply_add(sum[j][v], choose(in, a, Factor{}), choose(in, x, XFactor{}));
            t[u] = multiply_add(t[u], choose(beyond, a, Factor{}), choose(beyond, x_of_row(g, x_r[j][v]), XFactor{}));
          } else {
            sum[j][v] = choose(in, multiply_add(sum[j][v], a, x), sum[j][v]);
            t[u] = choose(beyond, multiply_add(t[u], a, x_of_row(g, x_r[j][v])), t[u]);
          }
        }
      }
    }
    if (V > 1 && cut != 0) {
      put_sums(ex, at, sum);
      add_cut_vectors(ex, g, p, panel, offsets, cols, at, cut, t);
      get_sums(ex, at, sum);
    }
  }

  // The vectors that stick out of the matrix, element by element.
  template <class Ex>
  static ONEPASS_DEVICE void add_cut_vectors(Ex ex, const SymvArgs& g, const Product& p, const Panel& panel,
                                             const RowOffsets& offsets, const Columns& cols, int at, unsigned cut,
                                             S (&t)[columns]) {
#pragma unroll 1
    for (int i = 0; i < columns * vectors; ++i) {
      if ((cut >> i & 1u) == 0) continue;
      const int u = i / vectors, j = i % vectors, c = cols.at(u);
      const XFactor x_c = x_of_column(g, load_cached(ex, p.x + c * g.incx));
      S of_column{};
#pragma unroll 1
      for (int v = 0; v < V; ++v) {
        const int r = offsets.row(j) + v, sum = at + j * stride + v;
        if (v < panel.from(j) || v >= panel.to(j) || (g.upper ? r > c : r < c)) continue;
        Factor a = as<Factor>(ex.load_once_if(true, p.a + (r + c * g.lda)));
        if constexpr (is_complex<S>) a.im = g.hermitian && r == c ? 0 : a.im;
        const XFactor x_r = x_of_row(g, load_cached(ex, p.x + r * g.incx));
        sums(ex).put(sum, multiply_add(sums(ex).get(sum), a, x_c));
        if (r != c) of_column = multiply_add(of_column, a, x_r);
      }
#pragma unroll
      for (int k = 0; k < columns; ++k) t[k] = t[k] + (k == u ? of_column : S{});
    }
  }
};

}  // namespace onepass::kernels
