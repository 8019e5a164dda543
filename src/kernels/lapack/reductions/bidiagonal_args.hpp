// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the launches of the bidiagonal reduction are given: on the chip, and a panel.
#pragma once

#include <cstdint>

namespace onepass::kernels {

// What a launch of the bidiagonal reduction is given: by either kernel, and by the on-chip one.
// What both kernels are given: the matrix that is left, m x n, m >= n, and where results go. A launch replaces the
// first columns and rows by U, V, d and e, as LAPACK stores them.
struct BidiagonalOperands {
  void* a = nullptr;
  std::int64_t lda = 0;
  int m = 0, n = 0;
  int columns = 0;    // to reduce, at most n
  void* d = nullptr;  // real, `columns`
  void* e = nullptr;  // likewise, one less if columns = n
  void* tauq = nullptr;
  void* taup = nullptr;
  std::uint32_t* barrier = nullptr;  // zero
  const void* scale = nullptr;       // by which A was multiplied, and its reciprocal; or null
  std::uint32_t* timed_out = nullptr;
};

// The launch also replaces the other columns and rows by what is left then.
struct BidiagonalArgs : BidiagonalOperands {
  int lines = 0;             // rows of a block, at most
  void* exchange = nullptr;  // 4 rows of the kernel
};

// What a launch of the bidiagonal panel kernel is given.
// Columns are multiples of 16 bytes apart; at most stream_columns are reduced.
struct BidiagonalPanelArgs : BidiagonalOperands {
  int parts = 1;            // of a column: so many blocks are a cluster
  int kept_sixteenths = 0;  // of the columns, in the L2 (stream_policy())
  // For the level-3 update of the rest, A -= P Q^H: columns of U and X take turns in P, m x 2 columns, and those of Y
  // and V in Q, n x 2 columns. Rows and columns of the rest begin with row `columns` of P and of Q.
  void* p = nullptr;
  std::int64_t p_ld = 0;
  void* q = nullptr;
  std::int64_t q_ld = 0;
  // Where blocks exchange: the updated column, of stream_pitch(m) elements; sums of the rows, so many of each team
  // of blocks;
  // the updated row, n elements; numbers of each block.
  void* column = nullptr;
  void* row_sums = nullptr;
  void* row = nullptr;
  void* column_norms = nullptr;  // real
  void* row_norms = nullptr;     // real
  void* p_dots = nullptr;        // of each block 2 stream_columns
  void* q_dots = nullptr;        // likewise
};

}  // namespace onepass::kernels
