// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of several columns over the 32 lanes of a warp, about one shuffle for each column.
#pragma once

#include "kernels/gemv/args.hpp"

namespace onepass::kernels {

// By value: from a choice between two elements of an array the compiler would make an index, and put the array into
// local memory.
template <class S>
ONEPASS_DEVICE S choose(bool first, S a, S b) {
  return first ? a : b;
}

// In each step a lane gives half of the 2 * left columns that it still has to its partner, until one is left. A
// template: a loop over these steps is not unrolled for many columns, and its array goes to local memory.
template <int left, class S, int C, class Ex>
ONEPASS_DEVICE void share_out(Ex ex, int lane, S (&sum)[C]) {
  if constexpr (left > 0) {
    const bool upper = (lane & left) != 0;
#pragma unroll
    for (int i = 0; i < left; ++i) {
      const S mine = choose(upper, sum[i + left], sum[i]), other = choose(upper, sum[i], sum[i + left]);
      sum[i] = mine + ex.shuffle_xor(other, left);
    }
    share_out<left / 2>(ex, lane, sum);
  }
}

// A lane ends with the sum of column lane % C over the warp, as do the others of it with that remainder.
template <class S, int C, class Ex>
ONEPASS_DEVICE S sum_columns(Ex ex, int lane, S (&sum)[C]) {
  static_assert(C > 0 && (C & (C - 1)) == 0 && C <= Ex::warp);
  share_out<C / 2>(ex, lane, sum);
  S total = sum[0];
#pragma unroll
  for (int rest = C; rest < Ex::warp; rest *= 2) total = total + ex.shuffle_xor(total, rest);
  return total;
}

// The column whose sum a lane has, and whether it is the one lane of that column that passes it on.
template <int C>
ONEPASS_DEVICE int column_of(int lane) {
  return lane % C;
}
template <int C>
ONEPASS_DEVICE bool owns_column(int lane) {
  return lane < C;
}

}  // namespace onepass::kernels
