// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Arguments of the GEMV kernels, and the shape constants that kernels and plans share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "kernels/form.hpp"
#include "numbers/scalar.hpp"

namespace onepass::kernels {

// How many 16-byte vectors of A a thread has in flight: loads that it issues before it uses the first. Many of them
// fill the bus. Few of them make a short kernel: a short launch spends its time on fetching instructions that are in no
// cache yet. In gemv_n the vectors are of as many columns, in gemv_t of each column of a bundle.
constexpr int gemv_n_in_flight(Loads loads) { return loads == Loads::many ? 8 : 4; }
constexpr int gemv_t_in_flight(Loads loads) { return loads == Loads::many ? 2 : 1; }

inline constexpr int gemv_t_log2_bundle = 2;  // a bundle: four columns that use one load of x
inline constexpr int gemv_t_bundle = 1 << gemv_t_log2_bundle;
inline constexpr int gemv_max_threads = 256;
// gemv_n_small and gemv_t_small: one product of a small or middling matrix. Loads of a thread in flight: of as many
// columns; of each of the group's columns.
inline constexpr int gemv_small_max_threads = 512;
constexpr int gemv_n_small_in_flight(Loads loads, int size, int rows = 1) {
  return (loads == Loads::many ? 16 : 8) / (size > 8 || rows > 1 ? 2 : 1);
}
// gemv_n_small: rows of a lane, one load of eight bytes, where columns of two-byte elements begin on such.
inline constexpr int gemv_n_small_packed_rows = 4;
// Where a sum has more bytes than its element many loads are of two columns, with eight of each in flight, or four of
// 16 bytes: s 2048x2048 takes 6.0 us so and 6.9 with four of four columns, z summed twice 15.3 and 17.0 (H200).
constexpr bool gemv_t_small_is_deep(int size, int size_of_sum) { return size_of_sum > size; }
constexpr int gemv_t_small_log2_columns(Loads loads, bool deep) { return loads == Loads::few ? 0 : deep ? 1 : 2; }
constexpr int gemv_t_small_columns(Loads loads, bool deep) { return 1 << gemv_t_small_log2_columns(loads, deep); }
constexpr int gemv_t_small_in_flight(Loads loads, bool deep, int size) {
  return loads == Loads::few || (deep && size <= 8) ? 8 : 4;
}
// Of both, and of gemv_t_tensor: so many blocks of a cluster share a sum at most, and a word of their shared memory.
inline constexpr int gemv_log2_most_cluster = 3;
inline constexpr int cluster_word_bytes = 16;
// gemv_t_short: vectors of a column that a lane has at most, and columns that a group has in flight.
constexpr int gemv_t_short_vectors(Loads loads) { return loads == Loads::few ? 1 : 3; }
constexpr int gemv_t_short_columns(Loads loads) { return loads == Loads::few ? 8 : 4; }
// gemv_t_tensor: columns of a group, and vectors of each that a thread has in flight.
constexpr int gemv_t_tensor_columns(Loads loads) { return loads == Loads::few ? 2 : 4; }
constexpr int gemv_t_tensor_in_flight(Loads loads) { return loads == Loads::few ? 2 : 4; }
inline constexpr int gemv_flat_vectors = 8;  // that a thread of gemv_flat has at most

// Vectors that a thread prefetches into the L2 before the grid-dependency wait, while the previous launch still runs:
// in a grid that fills the device, and at most; in gemv_t of each column. More of them slow down the loads of the
// previous launch.
inline constexpr int gemv_n_prefetched = 3, gemv_n_most_prefetched = 32;
inline constexpr int gemv_t_prefetched = 1, gemv_t_most_prefetched = 4;
// Of a batch of so many products at most, the pointers. On an H200 up to 1024 small products take 4 to 8 % less time
// so, and 4096 of them 10 % more.
inline constexpr std::int64_t gemv_most_prefetched_pointers = 1024;

// The canonical order (numbers/canonical_order.hpp). Units of a thread of gemv_n_canonical and chunks of a warp of
// gemv_t_canonical are fewer than 2^levels, and so are splits, of which a thread has eight at a time.
inline constexpr int canonical_unit_levels = 4, canonical_split_levels = 13;
inline constexpr std::int64_t canonical_most_units = 8, canonical_most_splits = 32768;
// gemv_n_canonical: terms that a partial sum has within a unit.
ONEPASS_HOST_DEVICE int canonical_log2_terms(std::int64_t cols) {
  return cols <= 32 ? 0 : cols <= 64 ? 1 : cols <= 128 ? 2 : 3;
}
// Columns of a unit: loads of a thread in flight. gemv_n_small_canonical, with single elements: few for short kernels,
// or 32 registers of them.
constexpr int canonical_n_log2_in_flight(bool vectors, Loads loads, std::size_t size) {
  return vectors || loads == Loads::few || size > 8 ? 3 : size > 4 ? 4 : 5;
}
// Units of a chunk: 32 partial sums, of each of which a unit has 2^log2_terms terms.
ONEPASS_HOST_DEVICE constexpr int canonical_log2_units(int log2_terms, int log2_in_flight) {
  return 5 + log2_terms - log2_in_flight;
}
// gemv_t_canonical: columns of a warp, at most, and loads of each of them in flight, 32 registers of all.
constexpr int canonical_t_most_columns(bool one_chunk, std::size_t size) {
  return one_chunk ? (size > 8 ? 8 : 16) : size > 4 ? 2 : 4;
}
constexpr int canonical_t_in_flight(std::size_t size, int columns) {
  const int loads = 128 / static_cast<int>(size) / columns;
  return loads > 8 ? 8 : loads < 1 ? 1 : loads;
}
// gemv_t_small_canonical: columns of a warp.
constexpr int canonical_t_small_columns(Loads loads) { return loads == Loads::many ? 2 : 1; }
// alpha or beta by value, in the type of the scalars.
struct alignas(16) Scalar {
  unsigned char bytes[16] = {};
};

// What every launch reads comes first, so that it fetches few cache lines of constant memory.
struct GemvArgs {
  const void* a = nullptr;                   // the matrix, or an array of pointers to matrices
  const void* x = nullptr;                   // its first element as BLAS counts, or an array of pointers
  void* y = nullptr;                         // likewise
  std::int64_t lda = 0, rows = 0, cols = 0;  // as stored: rows are contiguous
  std::int64_t chunk = 0;  // a block's share of a split: columns (gemv_n), vectors of a column (gemv_t)
  std::int64_t incx = 0, incy = 0;
  int log2_lanes = 0, log2_groups = 0;
  int tile = 0;       // rows of a block (gemv_n)
  int log2_step = 0;  // gemv_t: distance of a bundle's columns, which all start at one alignment
  int splits = 1;
  bool conjugate = false;
  bool wide_y = false;       // y has the type of the scalars: Elements::Scalar in place of Elements::Y
  bool settled_x = false;    // nothing that may still run writes A or x: only the result is behind the wait
  bool opens_first = false;  // the next launch may start before the grid-dependency wait of this one
  bool prefetch = false;     // prefetch into the L2 before that wait
  int prefetch_vectors = 0;  // that a thread of gemv_n or gemv_t prefetches
  int prefetch_blocks = 0;   // the first blocks of the grid, which do
  Scalar alpha, beta;

  // The mailboxes of a split: [batch][tile][split, without the last][output of the tile], in the type of the sum.
  void* mailboxes = nullptr;
  std::uint32_t* timed_out = nullptr;  // set where a partial sum never came

  // For batches, and for scalars in device memory.
  std::int64_t batch = 1;
  std::int64_t products_per_block = 1;  // one after the other
  std::int64_t stride_a = 0, stride_x = 0, stride_y = 0;
  std::int64_t first_x = 0, first_y = 0;  // of pointer arrays: where a negative increment starts
  const void* alpha_pointer = nullptr;
  const void* beta_pointer = nullptr;
  bool pointer_array = false;

  // Of vectors that are given as head and tail; null where y is not.
  const void* x_tail = nullptr;
  void* y_tail = nullptr;

  int log2_cluster = 0;   // blocks of a cluster that share a sum
  int log2_grouped = 30;  // splits whose parts one block adds up; so many are more than any launch has
};

// gemv_flat: matrices without gaps, as one array.
struct GemvFlatArgs {
  GemvArgs gemv;
  std::int64_t outputs = 0, elements = 0;  // of all products
  int outputs_of_product = 0;
  int unit = 0;                                // elements that a block has all or none of: a column or a matrix
  int terms = 0, step = 0;                     // of an output's sum, and the distance of their elements
  int x_offset = 0;                            // bytes of shared memory in front of x
  std::uint32_t by_outputs = 0, by_terms = 0;  // reciprocals, times 2^32 and rounded up
  bool along = false;                          // a unit is a matrix: outputs lie along its columns
};

// gemv_joined: several products of one x, whose matrices have the same rows.
inline constexpr int gemv_most_joined = 4;
struct GemvJoinedArgs {
  GemvArgs gemv;  // of the first
  struct Next {
    const void* a = nullptr;
    void* y = nullptr;
    std::int64_t cols = 0;
    int log2_lanes = 0, log2_groups = 0, log2_step = 0;
    int first_block = std::numeric_limits<int>::max();
  } next[gemv_most_joined - 1] = {};
};

}  // namespace onepass::kernels
