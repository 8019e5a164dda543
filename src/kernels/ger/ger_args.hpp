// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kernels of rank-1 updates are told, and the shape constants that they share with the plan.
#pragma once

#include "kernels/gemv/args.hpp"

namespace onepass::kernels {

inline constexpr int ger_threads = 128;  // of a block: 256 are no faster on an H200
// Slots that a thread loads before it stores the first.
constexpr int ger_in_flight(int element) { return element > 8 ? 2 : 4; }
inline constexpr int ger_aligned_in_flight = 4;  // vectors of a thread of ger_aligned, in as many columns
// A slot is what a thread loads and stores at a time: 8 bytes of A, or one element if that is larger.
constexpr int ger_slot(int element) { return element < 8 ? 8 / element : 1; }
// Slots are counted from the cache line in which the matrix (ger_flat) or the column (ger) begins: no two warps share
// one but at the ends.
constexpr int ger_line(int element) { return 128 / element; }

// A += alpha x y^T, as it is stored: element (r, c) += alpha along(r) across(c).
struct GerArgs {
  void* a = nullptr;             // or an array of pointers
  const void* along = nullptr;   // the first element of the vector of `rows`, as BLAS counts; or an array of pointers
  const void* across = nullptr;  // likewise of the vector of `cols`
  std::int64_t lda = 0, rows = 0, cols = 0;
  std::int64_t inc_along = 1, inc_across = 1;
  std::int64_t columns = 0;   // of a block (ger, ger_aligned)
  int log2_lanes = 0;         // threads along the rows (ger, ger_aligned)
  std::uint32_t by_rows = 0;  // 2^32 / rows, rounded up (ger_flat)
  bool conjugate_along = false, conjugate_across = false;
  bool prefetch = false;  // of A, before the grid-dependency wait
  Scalar alpha;

  // Of a batch, and of a scalar that lies on the device.
  std::int64_t batch = 1;
  std::int64_t stride_a = 0, stride_along = 0, stride_across = 0;
  std::int64_t first_along = 0, first_across = 0;  // of pointer arrays: where a negative increment starts
  const void* alpha_pointer = nullptr;
  bool pointer_array = false;
};

}  // namespace onepass::kernels
