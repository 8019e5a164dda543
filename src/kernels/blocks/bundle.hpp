// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A bundle: the four columns that a group of lanes sums at once; and the way of its sums to the lanes that write them.
#pragma once

#include "kernels/gemv/args.hpp"

namespace onepass::kernels {

// Columns first, first + step, ...: `count` of them exist.
struct Bundle {
  std::int64_t first;
  int count;

  ONEPASS_DEVICE Bundle(const GemvArgs& g, std::int64_t index) {
    const int step = 1 << g.log2_step;
    first = ((index >> g.log2_step) << g.log2_step) * gemv_t_bundle + (index & (step - 1));
    const std::int64_t exist = (g.cols - first + step - 1) >> g.log2_step;
    count = exist < 0 ? 0 : static_cast<int>(exist < gemv_t_bundle ? exist : gemv_t_bundle);
  }
  ONEPASS_DEVICE std::int64_t column(const GemvArgs& g, int q) const {
    return q < count ? first + (static_cast<std::int64_t>(q) << g.log2_step) : -1;
  }
};

// The column of output o = q groups + group of a block whose first bundle is bundle0, or -1.
ONEPASS_DEVICE std::int64_t column_of_output(const GemvArgs& g, std::int64_t bundle0, int o) {
  return Bundle(g, bundle0 + (o & ((1 << g.log2_groups) - 1))).column(g, o >> g.log2_groups);
}

// Sums over the lanes of a group, or of a warp if the group is larger. With at least as many lanes as columns, a lane
// gives half of its columns to its partner in each of the first two shuffles, and ends with the sum of one column; with
// fewer, every lane ends with all sums.
template <class S, class Ex>
ONEPASS_DEVICE S sum_bundle(Ex ex, int log2_width, S (&sum)[gemv_t_bundle]) {
  static_assert(gemv_t_bundle == 4);
  if (log2_width < gemv_t_log2_bundle) {
    if (log2_width == 1) {
#pragma unroll
      for (int q = 0; q < gemv_t_bundle; ++q) sum[q] = sum[q] + ex.shuffle_xor(sum[q], 1);
    }
    return sum[0];
  }
  const int half = 1 << (log2_width - 1), quarter = half / 2;
  const bool upper = (ex.thread() & half) != 0, later = (ex.thread() & quarter) != 0;
  S first = upper ? sum[2] : sum[0], second = upper ? sum[3] : sum[1];
  first = first + ex.shuffle_xor(upper ? sum[0] : sum[2], half);
  second = second + ex.shuffle_xor(upper ? sum[1] : sum[3], half);
  S total = later ? second : first;
  total = total + ex.shuffle_xor(later ? first : second, quarter);
  for (int mask = quarter / 2; mask > 0; mask /= 2) total = total + ex.shuffle_xor(total, mask);
  return total;
}
// The column whose sum a lane writes, or -1.
ONEPASS_DEVICE int column_of_lane(int lane, int log2_width) {
  if (log2_width < gemv_t_log2_bundle) return -1;
  const int quarters = log2_width - gemv_t_log2_bundle;
  return (lane & ((1 << quarters) - 1)) == 0 ? lane >> quarters : -1;
}

}  // namespace onepass::kernels
