// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of several columns over the lanes of a warp, about one shuffle for each.
#pragma once

#include <bit>

#include "kernels/args.hpp"

namespace onepass::kernels {

// By value: from two elements of an array the compiler would make one at a chosen place, and an array in memory.
template <class S>
ONEPASS_DEVICE S choose(bool first, S a, S b) {
  return first ? a : b;
}

// In each of the first steps a lane gives away half of the columns that it still has. It ends with the
// sum of column lane >> (5 - log2 C), as do its neighbours of the same column.
template <class S, int C, class X>
ONEPASS_DEVICE S sum_columns(X ex, int lane, S (&sum)[C]) {
  static_assert(C > 0 && (C & (C - 1)) == 0 && C <= X::warp);
  constexpr int steps = std::countr_zero(static_cast<unsigned>(C));
#pragma unroll
  for (int s = 0; s < steps; ++s) {
    const int left = C >> (s + 1), mask = X::warp >> (s + 1);
    const bool upper = (lane & mask) != 0;
#pragma unroll
    for (int i = 0; i < left; ++i) {
      const S mine = choose(upper, sum[i + left], sum[i]), other = choose(upper, sum[i], sum[i + left]);
      sum[i] = mine + ex.shuffle_xor(other, mask);
    }
  }
  S total = sum[0];
#pragma unroll
  for (int rest = X::warp / C / 2; rest > 0; rest /= 2) total = total + ex.shuffle_xor(total, rest);
  return total;
}

// The column whose sum a lane has, and whether it is the one to hand it on.
template <int C>
ONEPASS_DEVICE int column_of(int lane) {
  return lane / (32 / C);
}
template <int C>
ONEPASS_DEVICE bool hands_on(int lane) {
  return lane % (32 / C) == 0;
}

}  // namespace onepass::kernels
