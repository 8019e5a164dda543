// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A block of a panel kernel: the rows that it owns, and what it finds of the numbers that all blocks have published.
#pragma once

#include "kernels/lapack/panel_shared.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

// The rows of a block where work goes by rows, at most its threads; several threads have parts of the sums of one row.
struct OwnRows {
  int first, end, padded, row, part, parts;

  ONEPASS_DEVICE OwnRows(int rows, int block, int blocks, int t) {
    const int share = (rows + blocks - 1) / blocks;
    first = block * share < rows ? block * share : rows;
    end = first + share < rows ? first + share : rows;
    padded = 1;
    while (padded < share) padded *= 2;
    row = t & (padded - 1);
    part = t / padded;
    parts = panel_threads / padded;
  }
  // This thread's, which may be none of them.
  ONEPASS_DEVICE int mine() const { return first + row; }
  ONEPASS_DEVICE bool live() const { return first + row < end; }
};

// The same number of every block, published at numbers[block]: loaded by a warp, and summed up in a fixed order later.
template <class R>
struct NumbersOfBlocks {
  static constexpr int batch = 5;  // times 32 blocks
  const R* numbers;
  R number[batch];

  template <class Ex>
  ONEPASS_DEVICE NumbersOfBlocks(Ex ex, const void* published, bool wanted = true)
      : numbers(static_cast<const R*>(published)), number() {
    if (wanted) load(ex, 0);
  }
  template <class Ex>
  ONEPASS_DEVICE R sum(Ex ex) {
    R sum = 0;
    for (int first = 0;;) {
#pragma unroll
      for (int q = 0; q < batch; ++q) sum += number[q];
      first += batch * 32;
      if (first >= ex.grid_x()) break;
      load(ex, first);
    }
    for (int mask = 16; mask > 0; mask /= 2) sum += ex.shuffle_xor(sum, mask);
    return sum;
  }

 private:
  template <class Ex>
  ONEPASS_DEVICE void load(Ex ex, int first) {
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int b = first + q * 32 + (ex.thread() & 31);
      number[q] = b < ex.grid_x() ? ex.load_fresh(numbers + b) : R{0};
    }
  }
};

// Element `at` of the vectors that all blocks have published: every `parts`th of them.
template <class A, class Ex>
ONEPASS_DEVICE A sum_of_vectors(Ex ex, const A* vectors, std::int64_t pitch, int at, int part, int parts) {
  const int blocks = static_cast<int>(ex.grid_x());
  A sum{};
  constexpr int batch = sizeof(A) == 16 ? 4 : 8;
  for (int b = part; b < blocks; b += batch * parts) {
    A number[batch];
#pragma unroll
    for (int q = 0; q < batch; ++q)
      number[q] = b + q * parts < blocks ? ex.load_fresh(vectors + (b + q * parts) * pitch + at) : A{};
#pragma unroll
    for (int q = 0; q < batch; ++q) sum = sum + number[q];
  }
  return sum;
}

}  // namespace onepass::kernels
