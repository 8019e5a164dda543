// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// symv_small_vectors: symv_small of four-byte real elements where every column starts on a 16-byte boundary and ends on
// one. The squares are loaded as vectors, and lanes lie along rows and columns.
//
//               8 columns  8  8  8           A lane has four rows of a square and eight columns: eight loads, in each
//               of
//     4 rows   | lane 0    8 16 24           which the lanes ask for all rows of four columns. So it has sums of four
//     4 rows   | lane 1    9 17 25           rows, which are added up over the square and then over the four lanes that
//       ...    |   ...                       share them, and of eight columns, which run down all squares of a warp in
//     4 rows   | lane 7   15 23 31           these columns. A quarter of the loads that single elements take.
//
// What a vector on the diagonal holds of the other triangle is loaded and not used.
#pragma once

#include <cstring>
#include <type_traits>

#include "kernels/symv_small.hpp"

namespace onepass::kernels {

template <class E>
struct SquaresByVectors {
  using A = typename E::A;
  using S = typename E::Sum;
  static constexpr int V = vector_length<A>, side = symv_small_side, columns = side;
  static constexpr int log2_rows = 3, in_flight = 8;  // lanes along the rows, columns of a lane
  static constexpr bool adds_down = true;
  static_assert(V << log2_rows == side && in_flight * V == columns && sizeof(S) == sizeof(A));

  // The squares run.row to end - 1 in one column.
  template <class Ex, class Stage>
  static ONEPASS_DEVICE void multiply(Ex ex, const SymvSmallArgs& g, const SquarePlace& at, const A* a,
                                      const PieceRun<columns>& run, int end, const SquareSums<S, Ex>& shared,
                                      Stage stage) {
    const Lane lane(g, at, run);
    S down[in_flight] = {};
#pragma unroll 1
    for (int i = run.row; i < end; ++i) {
      const int row = i * side + lane.row;
      exec::Vector16 vector[in_flight];
#pragma unroll
      for (int k = 0; k < in_flight; ++k) {
        const int column = lane.column + k, above = column - row > 0 ? column - row : 0;  // the diagonal
        const bool wanted = row < at.rows && column < at.rows && above < V;
        vector[k] = ex.load_vector_if(wanted, element_of(g, a, row + (lane.backwards ? V - 1 : 0), column),
                                      lane.backwards ? 0 : above, lane.backwards ? V - above : V);
      }
      stage();
      S x_r[V], x_c[in_flight], along[V] = {};
      lane.load_rows(shared, row, x_r);
#pragma unroll
      for (int k = 0; k < in_flight; k += V) {
        const exec::Vector16 of_columns = shared.x_vectors.get((lane.column + k) / V);
        std::memcpy(static_cast<void*>(x_c + k), &of_columns, sizeof(of_columns));
      }
      if (i != run.column) {
        use<false>(lane, row, vector, x_r, x_c, along, down);
      } else {
        use<true>(lane, row, vector, x_r, x_c, along, down);
      }
      // Lanes of group v end with element v of their rows, and pass it on to the lane that adds to sums of that row.
      share_out<V / 2, (1 << log2_rows)>(ex, lane.group, along);
      shared.add(i * side + at.lane, ex.shuffle_each(along[0], lane.place(at.lane % V) << log2_rows | at.lane / V));
    }
    shared.add(run.column * side + at.lane, sum_columns<S, in_flight, (1 << log2_rows)>(ex, at.lane, down));
  }

 private:
  // Rows row to row + V - 1 of a square, columns column to column + in_flight - 1 of the matrix. An upper triangle is
  // seen from its last element, so that the first element of a vector is the last of its rows.
  struct Lane {
    int group, row, column;
    bool backwards;

    ONEPASS_DEVICE Lane(const SymvSmallArgs& g, const SquarePlace& at, const PieceRun<columns>& run)
        : group(at.lane >> log2_rows),
          row((at.lane & ((1 << log2_rows) - 1)) * V),
          column(run.column * side + group * in_flight),
          backwards(g.row_elements < 0) {}
    // The row of element v, and the element of row v.
    ONEPASS_DEVICE int place(int v) const { return backwards ? V - 1 - v : v; }
    template <class Ex>
    ONEPASS_DEVICE void load_rows(const SquareSums<S, Ex>& shared, int first, S (&x)[V]) const {
      const exec::Vector16 vector = shared.x_vectors.get(first / V);
      S in_order[V];
      std::memcpy(static_cast<void*>(in_order), &vector, sizeof(vector));
#pragma unroll
      for (int v = 0; v < V; ++v) x[v] = choose(backwards, in_order[V - 1 - v], in_order[v]);
    }
  };

  // along[r] += A[r, c] x[c] and down[c] += A[r, c] x[r].
  template <bool on_diagonal>
  static ONEPASS_DEVICE void use(const Lane& lane, int row, const exec::Vector16 (&vector)[in_flight],
                                 const S (&x_r)[V], const S (&x_c)[in_flight], S (&along)[V], S (&down)[in_flight]) {
#pragma unroll
    for (int k = 0; k < in_flight; ++k) {
      A element[V];
      unpack(vector[k], element);
#pragma unroll
      for (int v = 0; v < V; ++v) {
        const S a = static_cast<S>(widen(element[v]));
        if constexpr (on_diagonal) {
          const int beyond = row + lane.place(v) - lane.column - k;
          along[v] = choose(beyond >= 0, multiply_add(along[v], a, x_c[k]), along[v]);
          down[k] = choose(beyond > 0, multiply_add(down[k], a, x_r[v]), down[k]);
        } else {
          along[v] = multiply_add(along[v], a, x_c[k]);
          down[k] = multiply_add(down[k], a, x_r[v]);
        }
      }
    }
  }
};

// Combinations of other sizes, which have no number of their own in the registry, element by element.
template <class E>
using SymvSmallVectors = SymvSmall<E, std::conditional_t<sizeof(typename E::A) == 4 && sizeof(typename E::Sum) == 4,
                                                         SquaresByVectors<E>, SquaresByElements<E>>>;

}  // namespace onepass::kernels
