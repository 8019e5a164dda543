// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launches of the Hessenberg reduction are given: on the chip, and a panel.
#pragma once

#include <cstdint>

namespace onepass::kernels {

// What a launch of the on-chip Hessenberg reduction is given.
struct HessenbergArgs {
  void* a = nullptr;  // n x n; becomes H and the vectors, as LAPACK stores them
  std::int64_t lda = 0;
  int n = 0;  // at least 2
  void* tau = nullptr;
  int lines = 0;                     // columns, and rows, of a block, at most
  void* exchange = nullptr;          // 6 rows of the kernel
  std::uint32_t* barrier = nullptr;  // zero
  std::uint32_t* timed_out = nullptr;
};

// What a launch of the Hessenberg panel kernel is given.
struct HessenbergPanelArgs {
  // Rows and columns ilo + 1..ihi of what is left, m x m: row 0 is the one below the diagonal element of the panel's
  // first column, which is the column before column 0. Columns are multiples of 16 bytes apart.
  void* a = nullptr;
  std::int64_t lda = 0;
  int m = 0;
  int columns = 0;  // to reduce, at most stream_columns and less than m
  int parts = 1;    // of a column: so many blocks are a team
  void* tau = nullptr;
  // V, m x columns, with its ones and zeros, and Y = A V T in the same rows; T, columns x columns.
  void* v = nullptr;
  void* y = nullptr;
  std::int64_t ld = 0;  // of both
  void* t = nullptr;
  std::int64_t t_ld = 0;
  // Where blocks exchange: the updated column, of stream_pitch(m) elements, twice; sums of the rows, so many of each
  // team; numbers of each block.
  void* column = nullptr;
  void* row_sums = nullptr;
  void* norms = nullptr;             // real
  void* left_dots = nullptr;         // of each block stream_columns: with the column before it is updated from the left
  void* dots = nullptr;              // likewise, after that
  std::uint32_t* barrier = nullptr;  // zero
  std::uint32_t* timed_out = nullptr;
};

}  // namespace onepass::kernels
