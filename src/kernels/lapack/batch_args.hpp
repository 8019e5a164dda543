// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of many small eigenproblems are given, and what the host must know of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "kernels/lapack/form.hpp"

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

// Whether reflectors are applied eight at a time (batch_back_blocks.hpp), or two (batch_back.hpp), by the bytes of a
// real number.
constexpr bool batch_applies_blocks(std::size_t real) { return real == 8; }

// ---- A block for each matrix: tridiagonal form (batch_tridiagonal_held.hpp, batch_tridiagonal.hpp) --------

// Blocks of so many threads that keep matrices of up to so many rows, both triangles, in registers, but for so many
// columns of each thread, in shared memory. Threads of a block are `down` x threads / down, and a matrix has a cluster
// of so many blocks.
struct BatchHeldShape {
  int rows = 0, threads = 0, down = 0, kept = 0, blocks = 1;
  int together = threads > 0 ? 512 / threads : 0;  // blocks of a multiprocessor, at least
  bool apart = false;                              // columns in shared memory are done before the others

  constexpr int here() const { return threads / down; }    // threads of a row in a block
  constexpr int along() const { return blocks * here(); }  // and in all of them
  // Of a thread; the first columns of a block may be none.
  constexpr int columns() const { return (rows + along() - 1) / along(); }
  constexpr int missing() const { return columns() * here() - rows / blocks; }
};
inline constexpr BatchHeldShape batch_held_of_4[] = {{64, 64, 8, 0},       {128, 256, 16, 0},   {160, 256, 16, 4},
                                                     {192, 256, 16, 7},    {256, 512, 16, 4},   {288, 512, 16, 5},
                                                     {384, 512, 16, 3, 2}, {512, 512, 16, 2, 4}},
                                batch_held_of_8[] = {{64, 128, 8, 0},
                                                     {128, 256, 16, 4},
                                                     {160, 512, 16, 2},
                                                     {192, 512, 16, 4},
                                                     {208, 256, 16, 7, 1, 1, true},
                                                     {256, 256, 16, 3, 2, 1},
                                                     {288, 384, 16, 3, 2}},
                                batch_held_of_16[] = {{64, 256, 16, 0},
                                                      {128, 256, 16, 4, 1, 1, true},
                                                      {144, 256, 16, 5, 1, 1, true},
                                                      {192, 256, 16, 3, 2, 1},
                                                      {208, 256, 16, 4, 2, 1, true}};
// Of elements of so many bytes, in order.
constexpr std::span<const BatchHeldShape> batch_held_shapes(std::size_t element) {
  if (element == 4) return batch_held_of_4;
  if (element == 8) return batch_held_of_8;
  return batch_held_of_16;
}
// The first that holds n rows; without rows if none does.
constexpr BatchHeldShape first_that_holds(std::span<const BatchHeldShape> shapes, std::int64_t n) {
  for (const BatchHeldShape& shape : shapes)
    if (n <= shape.rows) return shape;
  return {};
}
constexpr bool any_has_rows(std::span<const BatchHeldShape> shapes, int rows) {
  for (const BatchHeldShape& shape : shapes)
    if (shape.rows == rows) return true;
  return false;
}
constexpr BatchHeldShape batch_held_shape(std::int64_t n, std::size_t element) {
  return first_that_holds(batch_held_shapes(element), n);
}
inline constexpr int batch_held_registers = 65536;  // of a multiprocessor
// Of a column in shared memory: lanes of two columns are in different banks.
constexpr int batch_held_line(const BatchHeldShape& shape, std::size_t element) {
  return shape.rows + (static_cast<std::size_t>(shape.down) * element < 128 ? shape.down : 0);
}
constexpr std::size_t batch_held_kept_elements(const BatchHeldShape& shape, std::size_t element) {
  return static_cast<std::size_t>((shape.kept * shape.here() - shape.missing()) * batch_held_line(shape, element));
}
constexpr std::size_t batch_held_shared_bytes(const BatchHeldShape& shape, std::size_t element, std::size_t real) {
  const auto rows = static_cast<std::size_t>(shape.rows), warps = static_cast<std::size_t>(shape.threads / 32);
  const std::size_t vectors = element == 4 ? 4 : 3;
  return ((2 * vectors + 4) * rows + batch_held_kept_elements(shape, element)) * element +
         (2 * rows + 2 * warps + static_cast<std::size_t>(shape.blocks)) * real;
}

// The packed triangle.
constexpr int batch_packed_threads(std::size_t element) { return element < 16 ? 512 : 256; }  // of a block
inline constexpr int batch_packed_columns = 4;  // of a warp at a time: in shared memory, or in global memory
// Of a lane at a time: where half of the columns are in global memory two, whose loads are on their way together.
constexpr int batch_packed_rows(std::int64_t n, std::int64_t off_chip) { return 2 * off_chip < n ? 1 : 2; }

// `batch` has the matrices of this launch. Arrays of T have `rows` elements for each matrix, those behind row n being
// rows of their own with an eigenvalue above all others: 2. T is scaled to a norm of 0.5 to 1 and cut at multiples of
// `leaf`, as DivideSetup does it; without eigenvectors it is T itself.
struct BatchTridiagonalArgs {
  BatchArgs batch;
  void* v = nullptr;         // n x n for each: reflector k in column k, from its 1 in row k + 1 on
  void* tau = nullptr;       // n for each
  void* coupling = nullptr;  // n for each: v_(k-1)^H v_k; in single precision
  void *d = nullptr, *e = nullptr;
  void* back = nullptr;       // 2 for each: eigenvalues of T are to be multiplied by both
  int* not_finite = nullptr;  // of each
  int rows = 0, leaf = 0;
  int off_chip = 0;  // columns in global memory, where `v` is, of a packed triangle
};
constexpr std::size_t batch_packed_shared_bytes(std::int64_t n, std::int64_t off_chip, std::size_t element,
                                                std::size_t real) {
  const auto rows = static_cast<std::size_t>(n), here = static_cast<std::size_t>(n - off_chip);
  const auto warps = static_cast<std::size_t>(batch_packed_threads(element) / 32);
  return (here * (here + 1) / 2 + (warps + 4) * rows) * element + (2 * rows + 12 * warps) * real;
}

// ---- Eigenvalues of T without eigenvectors (batch_values.hpp) ----------------------------------

// Or singular values of B: `batch` has n and the rest of it for what is found.
struct BatchValuesArgs {
  BatchArgs batch;
  const void *d = nullptr, *e = nullptr;
  int rows = 0, order = 0;  // elements of each matrix in d and e; order of T or B
  Form form = Form::tridiagonal;
};
inline constexpr int batch_values_most_threads = 512;
constexpr int batch_values_threads(int n) { return (n + 31) / 32 * 32; }  // of a matrix
// Rows of 16 bytes, or twice as many of 8, as many as whole loops take, and a number of each thread.
constexpr std::size_t batch_values_shared_bytes(int order, int n) {
  return static_cast<std::size_t>(order + 15) / 16 * 256 +
         static_cast<std::size_t>(batch_values_threads(n)) * sizeof(int);
}

// ---- Divide and conquer (batch_leaf.hpp, divide_*.hpp) -----------------------------------------

inline constexpr int batch_leaf_lanes = 16;  // as many rows at most: two leaves to a warp
constexpr std::size_t batch_leaf_shared_bytes(int leaf, std::size_t real) {
  return static_cast<std::size_t>(leaf) * batch_small_stride * real;
}
inline constexpr int batch_merge_lanes = 8;  // of a root, pole or column

// ---- Products of divide and conquer (batch_product.hpp) ----------------------------------------

// Q := diag(Q1, Q2) U of each merge, all of two neighbours with `half` rows; leading dimensions half, and 2 half.
struct BatchProductArgs {
  const void *q = nullptr, *u = nullptr;
  void* to = nullptr;
  std::int64_t merges = 0;
  int half = 0;
};
inline constexpr int batch_product_threads = 32, batch_product_rows = 32, batch_product_columns = 64,
                     batch_product_terms = 32;
// Of shared memory, which single precision alone takes: lanes are in different banks.
inline constexpr int batch_product_line_of_q = batch_product_rows + 1,
                     batch_product_line_of_u = batch_product_columns + 1;
constexpr std::int64_t batch_product_tiles(std::int64_t half) {  // of one neighbour
  return ((half + batch_product_rows - 1) / batch_product_rows) *
         ((2 * half + batch_product_columns - 1) / batch_product_columns);
}
constexpr std::size_t batch_product_shared_bytes(std::size_t real) {
  if (real == 8) return 0;
  return static_cast<std::size_t>(batch_product_terms * (batch_product_line_of_q + batch_product_line_of_u)) * real;
}

// ---- V = Q Z (batch_back.hpp) ------------------------------------------------------------------

struct BatchBackArgs {
  BatchArgs batch;
  const void *v = nullptr, *tau = nullptr, *coupling = nullptr, *back = nullptr;
  void* factors = nullptr;  // batch_panels(n) of each, 8 x 8: T of eight reflectors; in double precision
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

// ---- Likewise by the tensor cores (batch_back_blocks.hpp) --------------------------------------

inline constexpr int batch_factors_threads = 128;
inline constexpr int batch_panel = 8;  // reflectors of one T
constexpr int batch_panels(int n) { return (n - 1 + batch_panel - 1) / batch_panel; }
// Tiles of eight real numbers that a warp has of a column, and warps that share one.
struct BatchBlockShape {
  int tiles = 0, shares = 0;
};
constexpr BatchBlockShape batch_block_shape(std::int64_t n, std::size_t element) {
  const std::int64_t tiles = (n * static_cast<std::int64_t>(element / 8) + 7) / 8;
  // Half as many registers let a multiprocessor have two blocks, which pays up to 64 rows.
  const int each = n <= 64 ? 8 : 16;
  int shares = 1;
  while (each * shares < tiles) shares *= 2;
  return {each, shares};
}
constexpr std::int64_t batch_block_columns(const BatchBlockShape& shape) {
  return 16 * batch_back_warps / shape.shares;
}
// Lines of shared memory that are apart so that lanes are in different banks.
constexpr int batch_block_line(int tiles, int shares, std::size_t element) {
  return element == 8 ? tiles * shares * 8 + 4 : tiles * shares * 4 + 1;
}
constexpr int batch_block_place(int line, int k, int r) { return k * line + (k < 4 ? 0 : 2) + r; }
constexpr int batch_block_buffer(int line) { return batch_block_place(line, batch_panel, batch_panel * batch_panel); }
constexpr std::size_t batch_block_shared_bytes(const BatchBlockShape& shape, std::size_t element) {
  const auto buffer =
      static_cast<std::size_t>(batch_block_buffer(batch_block_line(shape.tiles, shape.shares, element)));
  return 2 * buffer * element + (shape.shares > 1 ? batch_back_warps * element / 8 * 4 * 32 * sizeof(double) : 0);
}

// ---- Either of them ----------------------------------------------------------------------------

constexpr std::size_t batch_back_bytes(std::int64_t n, std::size_t element, std::size_t real) {
  return batch_applies_blocks(real) ? batch_block_shared_bytes(batch_block_shape(n, element), element)
                                    : batch_back_shared_bytes(n, element);
}
// The largest n of each kernel; and that of the kernel for n rows.
inline constexpr int batch_back_orders[] = {64, 128, 192, 256, 384, 512};
constexpr int batch_back_order(std::int64_t n) {
  for (const int most : batch_back_orders)
    if (n <= most) return most;
  return 0;
}

}  // namespace onepass::kernels
