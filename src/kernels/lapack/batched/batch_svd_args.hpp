// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernel of many singular value decompositions is given, and what the host must know of it (batch_svd.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/lapack/batched/batch_args.hpp"
#include "numbers/scalar.hpp"

namespace onepass::kernels {

// A = U diag(s) V^H of each matrix of a batch. Of M = A, or A^H if it is wide, with p rows and q columns.
struct BatchSvdArgs {
  const void* a = nullptr;  // the first matrix, or an array of pointers to all of them; u and vt likewise
  void *u = nullptr, *vt = nullptr;
  bool pointer_arrays = false;
  std::int64_t lda = 1, stride_a = 0, ldu = 1, stride_u = 0, ldvt = 1, stride_vt = 0;
  void* s = nullptr;
  std::int64_t stride_s = 0;
  int* info = nullptr;     // of each
  std::int64_t count = 0;  // of matrices
  int m = 0, n = 0;
  bool vectors = false;
  bool plain_v = false;              // vt is V
  int info_of_failure = 0;           // where a matrix is not finite
  void* off_chip = nullptr;          // of each block: the columns of M, then of V, that shared memory does not hold
  int m_on_chip = 0, v_on_chip = 0;  // columns that it does
  // Of matrices that were begun otherwise (batch_refine_args.hpp), those that were left to rotations; else null.
  const int* state = nullptr;
  const void *begun[2] = {}, *scale = nullptr;
};

// ---- Up to 32 rows: some lanes for each matrix (batch_svd_pairs.hpp) ----------------------------

struct BatchSvdPairsArgs {
  BatchSvdArgs svd;
  int* state = nullptr;  // of each: refine_done, or refine_restart
};
inline constexpr int batch_svd_pair_rows[] = {8, 16, 32};
constexpr int batch_svd_rows_of_pairs(std::int64_t rows) { return rows <= 8 ? 8 : rows <= 16 ? 16 : 32; }
// Lanes that share two columns of M and V with so many rows.
constexpr int batch_svd_pair_lanes(int rows, std::size_t element) {
  return rows > 16 || (rows > 8 && element > 8) ? 2 : 1;
}
constexpr int batch_svd_lanes(int rows, std::size_t element) {  // of a matrix
  return rows / 2 * batch_svd_pair_lanes(rows, element);
}
// Columns, and the length of each.
constexpr std::size_t batch_svd_pairs_shared_bytes(int rows, std::size_t element, std::size_t real) {
  const auto lines = static_cast<std::size_t>(rows),
             together = 32 / static_cast<std::size_t>(batch_svd_lanes(rows, element));
  return together * lines * ((lines + 1) * element + real);
}
// Whether it is faster than to start from eigenvectors (batch_refine_small.hpp), which takes less time for fewer
// columns than lanes have, when rotations of columns that are zero take as long as all others.
constexpr bool batch_svd_rotates_pairs(std::int64_t rows, std::int64_t columns, std::size_t element, bool vectors) {
  if (rows <= 8) return true;
  if (rows <= 16) return element == 4 || columns >= (element == 8 ? (vectors ? 12 : 10) : (vectors ? 16 : 13));
  return rows <= 32 && (element == 4 || (element == 8 && columns >= (vectors ? 30 : 24)));
}

// ---- Singular values alone: bidiagonal form (batch_bidiagonal.hpp) -----------------------------

// Of each matrix; B has `order` rows and columns: as many as A has of what it has fewer of, and if it is wide one more.
struct BatchBidiagonalArgs {
  BatchSvdArgs svd;
  void *d = nullptr, *e = nullptr;  // `order` for each
  int order = 0;
};
inline constexpr int batch_bidiagonal_vectors = 8;  // in shared memory
inline constexpr int batch_bidiagonal_least = 17;   // columns: fewer are rotated in less time
inline constexpr BatchHeldShape batch_bidiagonal_of_4[] = {{32, 64, 16, 0, 1, 12},
                                                           {64, 64, 16, 0},
                                                           {128, 256, 16, 0},
                                                           {192, 256, 16, 7},
                                                           {256, 512, 16, 4}},
                                batch_bidiagonal_of_8[] = {{32, 64, 16, 0, 1, 12},
                                                           {64, 128, 16, 0},
                                                           {128, 256, 16, 4},
                                                           {160, 512, 16, 2},
                                                           {208, 256, 16, 7, 1, 1, true}},
                                batch_bidiagonal_of_16[] = {{32, 64, 16, 0, 1, 6},
                                                            {64, 128, 16, 0, 1, 2},
                                                            {128, 256, 16, 4, 1, 1, true},
                                                            {144, 256, 16, 5, 1, 1, true}};
// Of elements of so many bytes, in order.
constexpr std::span<const BatchHeldShape> batch_bidiagonal_shapes(std::size_t element) {
  if (element == 4) return batch_bidiagonal_of_4;
  if (element == 8) return batch_bidiagonal_of_8;
  return batch_bidiagonal_of_16;
}
// The first that holds so many rows and columns; without rows if none does.
constexpr BatchHeldShape batch_bidiagonal_shape(std::int64_t rows, std::size_t element) {
  return first_that_holds(batch_bidiagonal_shapes(element), rows);
}
constexpr std::size_t batch_bidiagonal_shared_bytes(const BatchHeldShape& shape, std::size_t element,
                                                    std::size_t real) {
  const auto rows = static_cast<std::size_t>(shape.rows), warps = static_cast<std::size_t>(shape.threads / 32);
  return ((batch_bidiagonal_vectors + warps) * rows + batch_held_kept_elements(shape, element)) * element +
         (2 * rows + warps) * real;
}

// ---- A block for each matrix (batch_svd.hpp) ----------------------------------------------------

inline constexpr int batch_svd_most_rows = 256, batch_svd_most_warps = 8;

// Whether a column of V is kept behind that of M, all of them in shared memory, and both are rotated together. Else
// they are apart, and those of V follow.
inline constexpr int batch_svd_whole_rows = 128, batch_svd_whole_columns = 64;
// Rows of such a column: of V behind the last ones of a warp that M has, if both are not in one.
constexpr std::int64_t batch_svd_whole_length(std::int64_t rows, std::int64_t columns, bool vectors) {
  return !vectors ? rows : rows + columns <= 32 ? rows + columns : (rows + 31) / 32 * 32 + columns;
}
constexpr bool batch_svd_is_whole(std::int64_t rows, std::int64_t columns, bool vectors) {
  return batch_svd_whole_length(rows, columns, vectors) <= batch_svd_whole_rows && columns <= batch_svd_whole_columns;
}
// Elements of a column that a lane has, of so many rows.
constexpr int batch_svd_slots(std::int64_t rows) { return rows <= 32 ? 1 : rows <= 64 ? 2 : rows <= 128 ? 4 : 8; }
// Pairs of columns that a warp rotates together: twice as many columns are in its registers, in 128 of each lane.
constexpr int batch_svd_pairs(int slots, std::size_t element) {
  const int fit = 64 / (slots * static_cast<int>(element / 4));
  return fit < 8 ? fit : 8;
}
// Tasks of a round, each of a warp: 2 pairs columns.
constexpr std::int64_t batch_svd_tasks(std::int64_t columns, int pairs) {
  return (columns + 2 * pairs - 1) / (2 * pairs);
}

// Of a block; at most, of so many slots.
constexpr int batch_svd_warps(std::int64_t columns, int pairs) {
  const std::int64_t tasks = batch_svd_tasks(columns, pairs);
  return static_cast<int>(tasks < batch_svd_most_warps ? tasks : batch_svd_most_warps);
}

// `elements`: of the columns in shared memory.
constexpr std::size_t batch_svd_shared_bytes(std::size_t elements, bool whole, std::size_t columns, std::size_t pairs,
                                             std::size_t warps, std::size_t element, std::size_t real) {
  const std::size_t noted = whole ? 0 : 2 * warps * pairs * pairs;
  return (elements + noted) * element + (columns + 2 * warps) * real + (columns + warps) * sizeof(int);
}

// Which kernel this is (launch/lapack/batch_svd.hpp).
constexpr int batch_svd_shape(int slots, bool whole) { return whole ? slots : -slots; }

// What the parts of the kernel share. `whole`: M and V are one matrix, in shared memory.
template <class A, int slots, bool whole>
struct BatchSvdShape {
  using R = RealOf<A>;
  static constexpr int pairs = batch_svd_pairs(slots, sizeof(A));
  static constexpr int most_columns =
      whole && 32 * slots > batch_svd_whole_columns ? batch_svd_whole_columns : 32 * slots;
  // A float has few exponents: squares of squares of columns must have room. Columns of less than `nothing` are taken
  // for zero: far less than a rounding of the largest element.
  static constexpr R more = std::is_same_v<R, double> ? static_cast<R>(1) : static_cast<R>(0x1p+20);
  static constexpr R nothing = std::is_same_v<R, double> ? static_cast<R>(0x1p-200) : static_cast<R>(0x1p-40);
};

}  // namespace onepass::kernels
