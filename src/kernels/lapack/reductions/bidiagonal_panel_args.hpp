// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a launch of the bidiagonal panel kernel is given.
#pragma once

#include "kernels/lapack/reductions/bidiagonal_args.hpp"

namespace onepass::kernels {

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
