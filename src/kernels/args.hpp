// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a GEMV kernel is told: the stored matrix, the vectors, the shape of the launch.
#pragma once

#include <cstdint>

namespace onepass::kernels {

// The shape constants that plan and kernel share.
inline constexpr int gemv_n_in_flight = 8;  // columns whose loads a thread issues before it uses one
inline constexpr int gemv_t_in_flight = 2;  // vectors per column, likewise
inline constexpr int gemv_t_bundle = 4;     // columns that share one reading of x
inline constexpr int gemv_max_threads = 256;

// What gemv_flat reads at a time: a few vectors of each thread, so that a thread of its gemv_n form has
// at most sixteen elements of x to hold. A run that starts off a 16-byte boundary needs a vector more of
// shared memory.
constexpr int gemv_flat_in_flight(int element_bytes) { return element_bytes < 4 ? 2 : 4; }
constexpr int gemv_flat_bytes(int element_bytes) { return gemv_flat_in_flight(element_bytes) * gemv_max_threads * 16; }
constexpr int gemv_flat_room(int element_bytes) { return gemv_flat_bytes(element_bytes) + 16; }

// alpha or beta by value.
struct Scalar {
  double re = 0, im = 0;
};

// Ordered by need: what every launch reads lies in front, so that few cache lines are fetched for it.
struct GemvArgs {
  const void* a = nullptr;                   // of element type T, or an array of pointers to it
  const void* x = nullptr;                   // its first element as BLAS counts, or an array of pointers
  void* y = nullptr;                         // likewise
  std::int64_t lda = 0, rows = 0, cols = 0;  // as stored: rows are contiguous
  std::int64_t chunk = 0;                    // columns (gemv_n, gemv_flat) or vectors of a column (gemv_t) per block
  std::int64_t incx = 0, incy = 0;
  int log2_lanes = 0;
  int log2_classes = 0;  // columns c and c + classes start at the same offset from a 16-byte boundary
  int splits = 1;
  bool conjugate = false;
  bool wide_y = false;  // y has the type of the sum, not that of A
  Scalar alpha, beta;

  // Of a split.
  void* partial = nullptr;       // [batch][tile][split][output of the tile], of the sum's type
  unsigned* counters = nullptr;  // [batch][tile]

  // Of a batch, and of scalars that lie on the device.
  std::int64_t batch = 1;
  std::int64_t stride_a = 0, stride_x = 0, stride_y = 0;
  std::int64_t first_x = 0, first_y = 0;  // of pointer arrays: where a negative increment starts
  const void* alpha_pointer = nullptr;
  const void* beta_pointer = nullptr;
  bool pointer_array = false;
};

}  // namespace onepass::kernels
