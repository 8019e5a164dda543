// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The columns of a warp in a strip, one behind the other through a ring in shared memory: the warp's rows stay the
// same, so that sums of rows and x of rows are in registers from the first column to the last.
#pragma once

#include <climits>
#include <cstring>

#include "kernels/blocks/columns.hpp"
#include "kernels/blocks/operand.hpp"
#include "kernels/blocks/panel.hpp"
#include "kernels/blocks/walk.hpp"
#include "kernels/symv_args.hpp"

namespace onepass::kernels {

// A lane has `vectors_` of each column; sums of `columns_` columns over the lanes are made at a time; `slots_` columns
// are on their way, a power of two and no less.
template <class E, int vectors_, int columns_, int slots_>
struct TriangleRing {
  using A = typename E::A;
  using X = typename E::X;
  using S = typename E::Sum;
  using Factor = typename E::Factor;
  using XFactor = typename E::XFactor;
  using Product = TriangleProduct<E>;
  static_assert(sizeof(S) == sizeof(A) && (slots_ & (slots_ - 1)) == 0 && slots_ % columns_ == 0);
  static constexpr int V = vector_length<A>, log2_v = log2_vector_length<A>;
  static constexpr int vectors = vectors_, columns = columns_, slots = slots_;
  static constexpr int stride = symv_lanes * V;    // rows from vector to vector of a lane
  static constexpr int places = vectors * stride;  // rows of a strip
  static constexpr int none = INT_MAX;

  // The row sums of a warp stand in its ring, once that is empty.
  template <class Ex>
  static ONEPASS_DEVICE auto sums(Ex ex) {
    return ex.template shared<S>(0);
  }
  static ONEPASS_DEVICE int place(const SymvArgs&, int warp, int) { return warp * slots * places; }
  static ONEPASS_DEVICE bool alone(const SymvArgs&) { return false; }
  template <class Ex>
  static ONEPASS_DEVICE auto columns_of_block(Ex ex, const SymvArgs& g) {
    return ex.template shared<S>(place(g, 1 << g.log2_groups, 0) * static_cast<int>(sizeof(S)));
  }

  // What a lane has of its warp's columns in a strip.
  struct Lane {
    Columns cols;
    int row;         // of its first vector
    int plain_from;  // from this column on all elements belong to the triangle, and none lies on the diagonal
    const A* next;   // its first vector in the column that is asked for next
    std::int64_t between;

    ONEPASS_DEVICE Lane(const SymvArgs& g, const Product& p, const Strip& strip, int first, int count)
        : cols(g, p.warp, strip.column(g, first), count), row(strip.row0 + p.slot(g)), between(cols.step * g.lda) {
      const int top = strip.row0 - p.shift(g, p.warp), bottom = top + places - 1, c = cols.first;
      plain_from = g.upper ? (c > bottom ? 0 : ((bottom - c) >> g.log2_groups) + 1)
                           : (c < top ? 0 : ((c - top) >> g.log2_groups) + 1);
      if (top < 0 || bottom >= p.n) plain_from = none;
      next = p.a + (std::int64_t{c} * g.lda + row);
    }
  };
  // The vectors of a lane in a slot.
  static ONEPASS_DEVICE int vector_place(const Product& p, int slot, int j) {
    return ((p.warp * slots + slot) * vectors + j) * symv_lanes + p.lane;
  }

  // Elements of vector j in column u that belong to the triangle. The first and the last vector may stick out of the
  // matrix, and memory beyond that is not touched.
  struct Wanted {
    int first, end;
    bool sticks_out;

    ONEPASS_DEVICE Wanted(const SymvArgs& g, const Product& p, const Lane& lane, int u, int j) {
      const int c = lane.cols.at(u), r = lane.row + j * stride;
      first = g.upper ? -r : c - r;
      end = g.upper ? c - r + 1 : p.n - r;
      first = first > 0 ? first : 0;
      end = !lane.cols.have(u) || end <= first || first >= V ? first : end < V ? end : V;
      sticks_out = V > 1 && static_cast<bool>(((c == 0) & (r < 0)) | ((c == p.n - 1) & (r + V > p.n)));
    }
  };
  template <class Ex>
  static ONEPASS_DEVICE exec::Vector16 by_elements(Ex ex, const Wanted& wanted, const A* vector) {
    A element[V];
#pragma unroll
    for (int v = 0; v < V; ++v)
      element[v] = ex.load_once_if(static_cast<bool>((v >= wanted.first) & (v < wanted.end)), vector + v);
    exec::Vector16 whole;
    std::memcpy(&whole, static_cast<const void*>(element), sizeof(whole));
    return whole;
  }

  // Column u of the warp on its way, zeros where the matrix has none. Each is a group of copies.
  template <class Ex>
  static ONEPASS_DEVICE void fetch(Ex ex, const SymvArgs& g, const Product& p, Lane& lane, int u, int slot) {
    const auto ring = ex.template shared<exec::Vector16>(0);
    if (u >= lane.plain_from && u < lane.cols.end) {
#pragma unroll
      for (int j = 0; j < vectors; ++j)
        ex.copy_vector_if(true, ring, vector_place(p, slot, j), lane.next + j * stride, 0, V);
    } else {
#pragma unroll
      for (int j = 0; j < vectors; ++j) {
        const A* const vector = lane.next + j * stride;
        const Wanted wanted(g, p, lane, u, j);
        if (wanted.sticks_out)
          ring.put(vector_place(p, slot, j), by_elements(ex, wanted, vector));
        else
          ex.copy_vector_if(wanted.first < wanted.end, ring, vector_place(p, slot, j), vector, wanted.first,
                            wanted.end);
      }
    }
    ex.commit_copies();
    lane.next += lane.between;
  }

  // Elements of x for the warp's columns from u on, one in each lane.
  template <class Ex>
  static ONEPASS_DEVICE XFactor x_of_columns(Ex ex, const SymvArgs& g, const Product& p, const Lane& lane, int u) {
    const int mine = u + p.lane;
    return conjugate_if(g.conjugate, as<XFactor>(load_cached_if(ex, lane.cols.have(mine),
                                                                p.x + std::int64_t{lane.cols.at(mine)} * g.incx)));
  }

  // One column: sum[r] += A[r, c] x[c] and t += A[r, c] x[r].
  template <bool masked, class Ex>
  static ONEPASS_DEVICE void use(const SymvArgs& g, const Lane& lane, int u, const exec::Vector16 (&vector)[vectors],
                                 XFactor x, const XFactor (&x_r)[vectors][V], S (&sum)[vectors][V], S& t) {
    const int c = lane.cols.at(u), n = static_cast<int>(g.rows);
#pragma unroll
    for (int j = 0; j < vectors; ++j) {
      A element[V];
      unpack(vector[j], element);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        Factor a = as<Factor>(element[v]);
        if constexpr (masked) {
          const int r = lane.row + j * stride + v;
          const bool in = static_cast<bool>(g.upper ? (r <= c) & (r >= 0) : (r >= c) & (r < n));
          const bool beyond = static_cast<bool>(in & (r != c));
          if constexpr (is_complex<S>) a.im = g.hermitian && r == c ? 0 : a.im;
          sum[j][v] = choose(in, multiply_add(sum[j][v], a, x), sum[j][v]);
          t = choose(beyond, multiply_add(t, a, x_r[j][v]), t);
        } else {
          sum[j][v] = multiply_add(sum[j][v], a, x);
          t = multiply_add(t, a, x_r[j][v]);
        }
      }
    }
  }

  // Into the L2, the first vectors of the warp. Two vectors share a sector: every other lane prefetches.
  template <class Ex>
  static ONEPASS_DEVICE void prefetch(Ex ex, const SymvArgs& g, const Product& p, const Strip& strip, int first,
                                      int count) {
    const Lane lane(g, p, strip, first, count);
#pragma unroll
    for (int u = 0; u < symv_prefetched / vectors; ++u)
#pragma unroll
      for (int j = 0; j < vectors; ++j) {
        const Wanted wanted(g, p, lane, u, j);
        ex.prefetch_if((p.lane & 1) == 0 && wanted.first < wanted.end && !wanted.sticks_out,
                       lane.next + (u * lane.between + j * stride));
      }
  }

  // All columns of the warp in units first, first - 1, ... of the strip; finish(cols, t) has the sums of some.
  template <class Ex, class Finish>
  static ONEPASS_DEVICE void multiply(Ex ex, const SymvArgs& g, const Product& p, const Strip& strip, int first,
                                      int count, Finish finish) {
    Lane lane(g, p, strip, first, count);
#pragma unroll 1
    for (int u = 0; u < slots; ++u) fetch(ex, g, p, lane, u, u);
    XFactor x_c = x_of_columns(ex, g, p, lane, 0), x_c_next = x_of_columns(ex, g, p, lane, symv_lanes);
    XFactor x_r[vectors][V];
#pragma unroll
    for (int j = 0; j < vectors; ++j)
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const int r = lane.row + j * stride + v;
        const X x = load_cached_if(ex, (r >= 0) & (r < p.n), p.x + std::int64_t{r} * g.incx);
        x_r[j][v] = conjugate_if(g.conjugate != g.hermitian, as<XFactor>(x));
      }
    S sum[vectors][V] = {};
#pragma unroll 1
    for (int u0 = 0; u0 < count; u0 += columns) {
      if (u0 != 0 && (u0 & (symv_lanes - 1)) == 0) {
        x_c = x_c_next;
        x_c_next = x_of_columns(ex, g, p, lane, u0 + symv_lanes);
      }
      S t[columns] = {};
      const auto each = [&](auto is_masked) {
#pragma unroll
        for (int i = 0; i < columns; ++i) {
          const int u = u0 + i, slot = (u0 & (slots - columns)) + i;
          const auto ring = ex.template shared<exec::Vector16>(0);
          exec::Vector16 vector[vectors];
          ex.template wait_for_copies_but<slots - 1>();
#pragma unroll
          for (int j = 0; j < vectors; ++j) vector[j] = ring.get(vector_place(p, slot, j));
          fetch(ex, g, p, lane, u + slots, slot);
          use<decltype(is_masked)::value, Ex>(g, lane, u, vector, ex.shuffle_from(x_c, u & (symv_lanes - 1)), x_r, sum,
                                              t[i]);
        }
      };
      if (u0 >= lane.plain_from)
        each(std::false_type{});
      else
        each(std::true_type{});
      finish(lane.cols.from(u0), t);
    }
    ex.wait_for_copies();
    const auto shared = ex.template shared<exec::Vector16>(0);
#pragma unroll
    for (int j = 0; j < vectors; ++j) {
      exec::Vector16 vector;
      std::memcpy(&vector, sum[j], 16);
      shared.put(vector_place(p, 0, j), vector);
    }
  }
};

}  // namespace onepass::kernels
