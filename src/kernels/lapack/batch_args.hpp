// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of many small eigenproblems are given, and what the host must know of them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onepass::kernels {

// A = V diag(w) V^H of each matrix of a batch.
struct BatchArgs {
  void* a = nullptr;  // the first matrix, or an array of pointers to all of them
  bool pointer_array = false;
  std::int64_t lda = 1, stride_a = 0;
  void* w = nullptr;
  std::int64_t stride_w = 0;
  int* info = nullptr;     // of each
  std::int64_t count = 0;  // of matrices
  int n = 0;
  bool lower = true;        // the triangle that is stored
  bool vectors = false;     // A := V
  int info_of_failure = 0;  // where a matrix is not finite
};

// ---- A part of a warp for each matrix (batch_small.hpp) ----------------------------------------

inline constexpr int batch_small_most = 32;    // rows
inline constexpr int batch_small_stride = 33;  // of lines in shared memory, so that a line is read either way
// Lanes of a matrix with n rows.
constexpr int batch_small_lanes(int n) { return n <= 8 ? 8 : n <= 16 ? 16 : 32; }
constexpr std::size_t batch_small_shared_bytes(int lanes, std::size_t element, std::size_t real) {
  return static_cast<std::size_t>(lanes) * batch_small_stride * (element + real) + 32 * (element + sizeof(int));
}

// ---- A block for each matrix: tridiagonal form (batch_tridiagonal.hpp) -------------------------

// Threads of matrices of few rows, of those of which a multiprocessor holds two, and of larger ones, whose first
// columns may be in global memory.
inline constexpr int batch_few_threads = 128, batch_many_threads = 256, batch_most_threads = 512;
inline constexpr int batch_few_rows = 64;
inline constexpr int batch_tridiagonal_columns = 4;  // of a warp at a time: in shared memory, or in global memory

// `batch` has the matrices of this launch. Arrays of T have `rows` elements for each matrix, those behind row n being
// rows of their own with an eigenvalue above all others: 2. T is scaled to a norm of 0.5 to 1 and cut at multiples of
// `leaf`, as DivideSetup does it; without eigenvectors it is T itself.
struct BatchTridiagonalArgs {
  BatchArgs batch;
  void* v = nullptr;         // n x n for each: reflector k in column k, from its 1 in row k + 1 on
  void* tau = nullptr;       // n for each
  void* coupling = nullptr;  // n for each: v_(k-1)^H v_k
  void *d = nullptr, *e = nullptr;
  void* back = nullptr;       // 2 for each: eigenvalues of T are to be multiplied by both
  int* not_finite = nullptr;  // of each
  int rows = 0, leaf = 0;
  int off_chip = 0;  // columns in global memory, where `v` is
};
constexpr std::size_t batch_tridiagonal_shared_bytes(std::int64_t n, std::int64_t off_chip, int threads,
                                                     std::size_t element, std::size_t real) {
  const auto rows = static_cast<std::size_t>(n), here = static_cast<std::size_t>(n - off_chip);
  const auto warps = static_cast<std::size_t>(threads / 32);
  return (here * (here + 1) / 2 + (warps + 4) * rows + 1) * element + (2 * rows + 12 * warps) * real;
}

// ---- Eigenvalues of T without eigenvectors (batch_values.hpp) ----------------------------------

struct BatchValuesArgs {
  BatchArgs batch;
  const void *d = nullptr, *e = nullptr;
  int rows = 0;
};

// ---- Leaves of divide and conquer (batch_leaf.hpp) ---------------------------------------------

constexpr std::size_t batch_leaf_shared_bytes(int leaf, std::size_t real) {
  return static_cast<std::size_t>(leaf) * batch_small_stride * real;
}

// ---- Products of divide and conquer (batch_product.hpp) ----------------------------------------

// Q := diag(Q1, Q2) U of each merge, all of two neighbours with `half` rows; leading dimensions half, and 2 half.
struct BatchProductArgs {
  const void *q = nullptr, *u = nullptr;
  void* to = nullptr;
  std::int64_t merges = 0;
  int half = 0;
};
inline constexpr int batch_product_threads = 128, batch_product_rows = 32, batch_product_columns = 64,
                     batch_product_terms = 8;
constexpr std::int64_t batch_product_tiles(std::int64_t half) {  // of one neighbour
  return ((half + batch_product_rows - 1) / batch_product_rows) *
         ((2 * half + batch_product_columns - 1) / batch_product_columns);
}
constexpr std::size_t batch_product_shared_bytes(std::size_t real) {
  return static_cast<std::size_t>(batch_product_terms) * (batch_product_rows + batch_product_columns + 2) * real;
}

// ---- V = Q Z (batch_back.hpp) ------------------------------------------------------------------

struct BatchBackArgs {
  BatchArgs batch;
  const void *v = nullptr, *tau = nullptr, *coupling = nullptr, *back = nullptr;
  const int* not_finite = nullptr;
  const void* values = nullptr;  // rows of each
  const void* z = nullptr;       // rows x rows of each
  const int* failed = nullptr;   // of each leaf
  int rows = 0, leaves = 0;
};
inline constexpr int batch_back_threads = 256, batch_back_warps = batch_back_threads / 32;
inline constexpr int batch_back_reflectors = 8;  // in shared memory at a time
// Elements of a column that a lane has; and columns of a warp: what fits in registers.
constexpr int batch_back_slots(std::int64_t n) {
  return n <= 64 ? 2 : n <= 128 ? 4 : n <= 192 ? 6 : n <= 256 ? 8 : n <= 384 ? 12 : 16;
}
constexpr int batch_back_columns(int slots, std::size_t element) {
  const int fit = (slots > 8 ? 128 : 64) / (slots * static_cast<int>(element / 4));
  return fit >= 4 ? 4 : fit >= 2 ? 2 : 1;
}
// Elements of the reflectors that are in shared memory at a time, with tau of each and its coupling.
constexpr int batch_back_buffer(int slots) { return batch_back_reflectors * (32 * slots + 2); }
constexpr std::int64_t batch_back_tiles(std::int64_t n, std::size_t element) {
  const int columns = batch_back_warps * batch_back_columns(batch_back_slots(n), element);
  return (n + columns - 1) / columns;
}
constexpr std::size_t batch_back_shared_bytes(std::int64_t n, std::size_t element) {
  return 2 * static_cast<std::size_t>(batch_back_buffer(batch_back_slots(n))) * element;
}

}  // namespace onepass::kernels
