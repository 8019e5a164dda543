// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launches of divide and conquer are given, and what the host must know of them: eigenvectors Q of a
// tridiagonal matrix T, or singular vectors U and V of a bidiagonal matrix B.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onepass::kernels {

inline constexpr int divide_most_leaf = 32;  // rows or columns of a leaf: a lane has one
inline constexpr int divide_threads = 128;   // of launches that have some lanes for each root, pole or column
inline constexpr int divide_lanes = 32, divide_warps = divide_threads / 32;
inline constexpr int divide_setup_threads = 1024;
inline constexpr int deflate_few_threads = 128, deflate_many_threads = 1024;
inline constexpr int deflate_few_rows = 512;  // up to which a merge has few threads

// T or B: scaled by a power of two, and cut at every multiple of `leaf`.
struct DivideSetupArgs {
  const void* d = nullptr;
  const void* e = nullptr;
  void* scaled_d = nullptr;  // of T less |e| on both sides of a cut
  void* scaled_e = nullptr;
  void* scale = nullptr;      // 2: by which it was multiplied, an eighth of it; and its reciprocal
  int* not_finite = nullptr;  // 1 if d or e has an element that is not finite; then zeros are taken for all
  int n = 0, leaf = 0;
};
constexpr std::size_t divide_setup_shared_bytes(std::size_t element) { return 2 * divide_setup_threads / 32 * element; }

// The eigenproblem of each leaf, or its singular values and vectors, one warp for each.
struct DivideLeafArgs {
  const void* d = nullptr;
  const void* e = nullptr;
  void* values = nullptr;  // n, ascending in each leaf
  void* q = nullptr;       // of leaf i at i q_stride; of B it is U
  std::int64_t q_ld = 0, q_stride = 0;
  void* vt = nullptr;  // of B
  std::int64_t vt_ld = 0, vt_stride = 0;
  bool descending = false;  // of B, if it is one leaf
  int* failed = nullptr;    // of each leaf: 1 if it did not converge
  int n = 0, leaf = 0;
};
constexpr std::size_t divide_leaf_shared_bytes(int leaf, std::size_t element) {
  return static_cast<std::size_t>(leaf) * 32 * 3 * element + 32 * sizeof(int);
}
constexpr std::size_t bidiagonal_leaf_shared_bytes(int leaf, std::size_t element) {
  return static_cast<std::size_t>(leaf) * 32 * 4 * element + 32 * sizeof(int);
}

// One merge of two neighbours of `half` rows each makes Q = diag(Q1, Q2) U, and all merges of a level are in one
// launch. The last may have fewer rows than the others, and its second neighbour none. Arrays have n elements; those of
// a merge begin at its first row, and indices in them count from there. (divide_merge.hpp: the same of B, whose
// neighbours have half - 1 values and a row between them.)
//
//   row     a column of diag(Q1, Q2), in the order of these
//   live    rows whose z is not negligible, sorted by their values d
//   chain   neighbours among the live whose values are so close that all but the last are rotated away
//   pole    what is left of each chain, ascending; the roots of the secular equation lie between them
struct DivideLevelArgs {
  int n = 0, half = 0;
  const void* d = nullptr;  // scaled; of B
  const void* e = nullptr;  // scaled
  const void* q = nullptr;  // Q or V^T of each neighbour i at i q_stride
  std::int64_t q_ld = 0, q_stride = 0;

  void* values = nullptr;  // eigenvalues, ascending in each neighbour; then in each merge
  void *sorted_d = nullptr, *sorted_z = nullptr;
  int* sorted_row = nullptr;
  void *live_d = nullptr, *live_z = nullptr;
  void* live_norm = nullptr;                      // of z from the first of the chain up to this
  void* live_moved = nullptr;                     // d after the rotations
  int *live_row = nullptr, *live_head = nullptr;  // its row; the first of its chain, or ~ that if it is the last
  int* row_live = nullptr;                        // of each row; -1 if it is not live
  int* row_pole = nullptr;                        // likewise
  void* row_weight = nullptr;                     // z / norm of its chain
  void *pole_d = nullptr, *pole_z = nullptr;
  int* pole_count = nullptr;  // of each merge
  // Of each merge of B: what the null vectors of both neighbours have of the vector that is coupled.
  void *null_first = nullptr, *null_second = nullptr;

  // Eigenvalue i of a merge, not sorted yet: a root for each pole, then those that were deflated.
  void* found = nullptr;
  void* shift = nullptr;    // a root is d of its origin plus this
  int* origin = nullptr;    // the pole next to a root
  int* deflated = nullptr;  // of those: its live index, or ~row if it is not live
  void* z_hat = nullptr;    // of each pole
  int* order = nullptr;     // which eigenvalue is the i-th
  bool descending = false;  // of the last merge of B

  // Columns first_column to end_column - 1 of U of each merge.
  void* u = nullptr;
  std::int64_t u_ld = 0, u_stride = 0;
  int first_column = 0, end_column = 0;
  bool right = false;  // of B: the columns by which V is multiplied
};

constexpr std::size_t divide_deflate_shared_bytes(int threads) {
  return 2 * sizeof(int) * static_cast<std::size_t>(threads);
}

struct DivideFinishArgs {
  const void* values = nullptr;
  const void* scale = nullptr;
  const int* not_finite = nullptr;
  const int* failed = nullptr;
  int leaves = 0;
  void* w = nullptr;
  void* z = nullptr;
  std::int64_t ldz = 0;
  void* vt = nullptr;  // of B
  std::int64_t ldvt = 0;
  int* info = nullptr;
  int failure = 0;  // what info is if something is not finite or did not converge
  int n = 0;
};

}  // namespace onepass::kernels
