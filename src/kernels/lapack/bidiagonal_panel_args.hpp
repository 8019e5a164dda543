// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a launch of the bidiagonal panel kernel is given.
#pragma once

#include <cstdint>

namespace onepass::kernels {

struct BidiagonalPanelArgs {
  // What is left of the matrix: m x n, m >= n. Columns are multiples of 16 bytes apart. The launch replaces the panel's
  // columns and rows by U, V, d and e, as LAPACK stores them.
  void* a = nullptr;
  std::int64_t lda = 0;
  int m = 0, n = 0;
  int columns = 0;    // to reduce, at most stream_columns and at most n
  void* d = nullptr;  // real, `columns`
  void* e = nullptr;  // likewise, one less if columns = n
  void* tauq = nullptr;
  void* taup = nullptr;
  // For the level-3 update of the rest, A -= P Q^H: columns of U and X take turns in P, m x 2 columns, and those of Y
  // and V in Q, n x 2 columns. Rows and columns of the rest begin with row `columns` of P and of Q.
  void* p = nullptr;
  std::int64_t p_ld = 0;
  void* q = nullptr;
  std::int64_t q_ld = 0;
  // Where blocks exchange: the updated column, of stream_pitch(m) elements; sums of the rows, so many of each block;
  // the updated row, n elements; numbers of each block.
  void* column = nullptr;
  void* row_sums = nullptr;
  void* row = nullptr;
  void* column_norms = nullptr;      // real
  void* row_norms = nullptr;         // real
  void* p_dots = nullptr;            // of each block 2 stream_columns
  void* q_dots = nullptr;            // likewise
  std::uint32_t* barrier = nullptr;  // zero
  const void* scale = nullptr;       // by which A was multiplied, and its reciprocal; or null
  std::uint32_t* timed_out = nullptr;
};

}  // namespace onepass::kernels
