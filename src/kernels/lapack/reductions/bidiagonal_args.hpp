// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a launch of the bidiagonal reduction is given: by either kernel, and by the on-chip one.
#pragma once

#include <cstdint>

namespace onepass::kernels {

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

}  // namespace onepass::kernels
