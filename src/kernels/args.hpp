// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a GEMV kernel is told: the stored matrix, the vectors, the shape of the launch.
#pragma once

#include <cstdint>

#include "plan/kernel_id.hpp"

namespace onepass::kernels {

// The shape constants that plan and kernel share.
// Vectors whose loads a thread issues before it uses one: in gemv_n of as many columns, in gemv_t of each column of a
// bundle.
constexpr int gemv_n_in_flight(Loads loads) { return loads == Loads::many ? 8 : 4; }
constexpr int gemv_t_in_flight(Loads loads) { return loads == Loads::many ? 2 : 1; }

inline constexpr int gemv_t_log2_bundle = 2;  // columns that share one reading of x
inline constexpr int gemv_t_bundle = 1 << gemv_t_log2_bundle;
inline constexpr int gemv_max_threads = 256;
inline constexpr int gemv_flat_vectors = 8;  // of a thread of gemv_flat

// Vectors that a thread asks for before its turn, where the device is full of its kernel; gemv_t: of each column. More
// of them would keep the launch before from its own.
inline constexpr int gemv_n_prefetched = 3, gemv_n_most_prefetched = 32;
inline constexpr int gemv_t_prefetched = 1, gemv_t_most_prefetched = 4;

// alpha or beta by value, as the type of the sum.
struct alignas(16) Scalar {
  unsigned char bytes[16] = {};
};

// Ordered by need: what every launch reads lies in front, so that few cache lines are fetched for it.
struct GemvArgs {
  const void* a = nullptr;                   // of element type T, or an array of pointers to it
  const void* x = nullptr;                   // its first element as BLAS counts, or an array of pointers
  void* y = nullptr;                         // likewise
  std::int64_t lda = 0, rows = 0, cols = 0;  // as stored: rows are contiguous
  std::int64_t chunk = 0;                    // columns (gemv_n) or vectors of a column (gemv_t) per block
  std::int64_t incx = 0, incy = 0;
  int log2_lanes = 0, log2_groups = 0;
  int tile = 0;       // rows of a block (gemv_n)
  int log2_step = 0;  // distance of the columns of a bundle (gemv_t): they start alike
  int splits = 1;
  bool conjugate = false;
  bool wide_y = false;       // y has the type of the sum, not that of A
  bool prefetch = false;     // ask for the first vectors before it is this kernel's turn
  int prefetch_vectors = 0;  // that a thread of gemv_n or gemv_t asks for then
  int prefetch_blocks = 0;   // whose threads do
  Scalar alpha, beta;

  // Of a split: [batch][tile][split, without the last][output of the tile], of the sum's type.
  void* mailboxes = nullptr;

  // Of a batch, and of scalars that lie on the device.
  std::int64_t batch = 1;
  std::int64_t products_per_block = 1;  // that it serves one after the other
  std::int64_t stride_a = 0, stride_x = 0, stride_y = 0;
  std::int64_t first_x = 0, first_y = 0;  // of pointer arrays: where a negative increment starts
  const void* alpha_pointer = nullptr;
  const void* beta_pointer = nullptr;
  bool pointer_array = false;
};

// gemv_flat: whole sums from an array without gaps.
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

}  // namespace onepass::kernels
