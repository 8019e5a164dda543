// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a launch of the tridiagonalisation is given: by either kernel, and by the on-chip one.
#pragma once

#include <cstdint>

namespace onepass::kernels {

// What both kernels of the tridiagonalisation are given: the matrix that is left, and where its results go.
struct TridiagonalOperands {
  // Element (0, 0) of the matrix that is left. uplo = U goes from the last row and column to the first: with negative
  // steps it is the lower triangle of the matrix turned around.
  void* a = nullptr;
  std::int64_t row_step = 1, col_step = 0;
  void* d = nullptr;
  void* e = nullptr;
  void* tau = nullptr;
  std::int64_t vector_step = 1;
  // The unit element of the panel before, which its level-3 update needed; becomes that panel's last e.
  void* unit = nullptr;
  const void* unit_value = nullptr;
  const void* scale = nullptr;       // by which A was multiplied, and its reciprocal; or null
  std::uint32_t* barrier = nullptr;  // zero
  std::uint32_t* timed_out = nullptr;
};

struct TridiagonalArgs : TridiagonalOperands {
  int n = 0;      // a matrix of 1 takes a single block: no barrier stands between the loads of others and its store
  int steps = 0;  // columns to reduce: n - 1, or fewer, and the rest is written back
  int lines = 0;  // columns of a block, at most
  void* exchange = nullptr;  // 4 rows: p and c of each row, twice
};

}  // namespace onepass::kernels
