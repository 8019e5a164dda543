// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of many singular value decompositions from eigenvectors of M^H M are given, and what the host must
// know of them (batch_refine.hpp, batch_refine_product.hpp, batch_refine_ends.hpp).
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/lapack/batched/batch_args.hpp"
#include "kernels/lapack/batched/batch_svd_args.hpp"

namespace onepass::kernels {

// How far a matrix is: what a launch does with it depends on this. In `state`: the kind, then bits.
enum RefineKind : int {
  refine_active = 0,  // W is not known to be orthogonal
  refine_done = 1,
  refine_apply = 2,    // W := W exp(T), and is looked at again
  refine_last = 3,     // likewise, and is orthogonal then
  refine_rotate = 4,   // left to Jacobi rotations, which go on with W and V
  refine_restart = 5,  // likewise from A
};
// Whether T^2 and T^4 are wanted, and the round.
inline constexpr int refine_kind_bits = 7, refine_square_bit = 8, refine_fourth_bit = 16, refine_round_shift = 5;
constexpr int refine_state(RefineKind kind, bool square, bool fourth, int round) {
  return static_cast<int>(kind) | (square ? refine_square_bit : 0) | (fourth ? refine_fourth_bit : 0) |
         round << refine_round_shift;
}
constexpr int refine_kind(int state) { return state & refine_kind_bits; }
constexpr int refine_round(int state) { return state >> refine_round_shift; }
// How often W has been multiplied, at the end.
constexpr int refine_applied(int state) {
  return refine_round(state) + (refine_kind(state) == refine_apply || refine_kind(state) == refine_last ? 1 : 0);
}

// Of each matrix W, p x q, with V, q x q, below it: an X. There are two of them, since products are not made in place;
// that of a round is the one of its parity. W, V and all columns begin on multiples of 16 bytes.
constexpr int refine_padded(int length, std::size_t element) {
  const int vector = 16 / static_cast<int>(element);
  return (length + vector - 1) / vector * vector;
}
struct RefineShape {
  int p, q, of_v, ld, ld_t;  // the row where V begins; leading dimensions of X, and of T
  constexpr RefineShape(std::int64_t m, std::int64_t n, std::size_t element)
      : p(static_cast<int>(m > n ? m : n)),
        q(static_cast<int>(m > n ? n : m)),
        of_v(refine_padded(p, element)),
        ld(of_v + refine_padded(q, element)),
        ld_t(refine_padded(q, element)) {}
  constexpr std::int64_t of_x() const { return static_cast<std::int64_t>(ld) * q; }
  constexpr std::int64_t of_t() const { return static_cast<std::int64_t>(ld_t) * q; }
};
struct RefineArgs {
  BatchSvdArgs svd;                           // of these matrices
  void* x[2] = {};                            // of each; at first the second one has M, and the first one M^H M below
  void *t = nullptr, *exponential = nullptr;  // of each: W^H W, then T; exp(T) - 1, where T is not enough
  void* scale = nullptr;                      // of each: M is A times that
  int* state = nullptr;                       // of each
  int round = 0;
  bool last_round = false;
};

enum class RefineProduct { gram, start, again, square, fourth, apply };

inline constexpr int refine_threads = 256;  // but for products

// ---- Products (batch_refine_product.hpp) -------------------------------------------------------

inline constexpr int refine_product_threads = 128, refine_tile = 64;
constexpr std::int64_t refine_tiles(std::int64_t length) { return (length + refine_tile - 1) / refine_tile; }
constexpr std::int64_t refine_product_tiles(RefineProduct which, const RefineShape& of, bool vectors) {
  const std::int64_t side = refine_tiles(of.q);
  switch (which) {
    case RefineProduct::gram:
    case RefineProduct::again: return side * (side + 1) / 2;
    case RefineProduct::start: return refine_tiles(of.p) * side;
    case RefineProduct::square:
    case RefineProduct::fourth: return side * side;
    default: return refine_tiles(vectors ? of.of_v + of.q : of.p) * side;
  }
}
// Terms at a time; lines of terms, or of rows, in shared memory, with which the lanes of a warp find theirs in
// different banks.
constexpr int refine_depth(std::size_t element) { return element < 16 ? 16 : 8; }
constexpr int refine_gap(bool real) { return real ? 4 : 2; }
constexpr int refine_line_of_terms(std::size_t element, bool real) { return refine_depth(element) + refine_gap(real); }
constexpr int refine_line_of_rows(bool real) { return refine_tile + refine_gap(real); }
// Of a factor whose lines are terms, which takes more room.
constexpr int refine_piece(std::size_t element, bool real) { return refine_tile * refine_line_of_terms(element, real); }
constexpr std::size_t refine_product_bytes(std::size_t element, bool real) {
  return 2 * 2 * static_cast<std::size_t>(refine_piece(element, real)) * element;
}

// ---- Before, between and after them ------------------------------------------------------------

inline constexpr std::size_t refine_begin_bytes = refine_threads / 32 * sizeof(double);
constexpr std::size_t refine_angles_bytes(std::size_t columns, std::size_t real) {
  return (2 * columns + 4 * refine_threads / 32) * real + refine_threads / 32 * sizeof(int);
}
constexpr std::size_t refine_finish_bytes(std::size_t columns, std::size_t element, std::size_t real) {
  return 32 * 33 * element + 2 * columns * real + 2 * columns * sizeof(int);
}

// ---- Up to 32 rows: a part of a warp for each matrix (batch_refine_small.hpp) ------------------

struct RefineSmallArgs {
  BatchSvdArgs svd;
  void* v = nullptr;     // q x q of each, row by row: eigenvectors of M^H M
  int* state = nullptr;  // of each: refine_done, or refine_restart
};
inline constexpr int refine_small_most = 32;  // rows
// Of lines of products in shared memory, which begin on multiples of 16 bytes.
constexpr int refine_small_pitch(std::size_t element) { return 32 + (element < 16 ? 4 : 1); }
// Eigenvectors of real matrices are found in single precision.
constexpr std::size_t refine_small_start_bytes(int lanes, std::size_t element, std::size_t real) {
  const bool wide = element > real;
  return batch_small_shared_bytes(lanes, wide ? element : 4, wide ? real : 4);
}
constexpr std::size_t refine_small_bytes(int lanes, std::size_t element, std::size_t real) {
  return 3 * static_cast<std::size_t>(lanes * refine_small_pitch(element)) * element + 64 * real + 32 * sizeof(int);
}

}  // namespace onepass::kernels
