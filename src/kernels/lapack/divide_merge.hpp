// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One merge of divide and conquer, as its kernels see it: its rows, its arrays, and sums over a warp.
#pragma once

#include <cstdint>
#include <limits>

#include "kernels/lapack/divide_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

// What is negligible beside T, whose norm is 0.5 to 1.
template <class R>
ONEPASS_DEVICE constexpr R divide_tolerance() {
  return 2 * std::numeric_limits<R>::epsilon();
}

template <class R>
struct Merge {
  const DivideLevelArgs& g;
  std::int64_t index, base;  // its number; its first row
  int left, rows;            // rows of the first neighbour and of both

  ONEPASS_DEVICE Merge(const DivideLevelArgs& args, std::int64_t merge)
      : g(args), index(merge), base(2 * merge * args.half) {
    const std::int64_t there = g.n - base, both = 2 * static_cast<std::int64_t>(g.half);
    left = static_cast<int>(there < g.half ? there : g.half);
    rows = static_cast<int>(there < both ? there : both);
  }
  // Of an array of n elements.
  ONEPASS_DEVICE R* at(void* array) const { return static_cast<R*>(array) + base; }
  ONEPASS_DEVICE int* at(int* array) const { return array + base; }

  // T = T1 + T2 + |e| v v^T, v^T = (0 ... 0 1 sign(e) 0 ... 0); z = Q^T v / sqrt(2) has norm 1.
  template <class Ex>
  ONEPASS_DEVICE R coupling(Ex ex) const {
    return rows > left ? ex.load_cached(static_cast<const R*>(g.e) + base + left - 1) : R{0};
  }
  template <class Ex>
  ONEPASS_DEVICE R rho(Ex ex) const {
    return 2 * absolute(coupling(ex));
  }
};

template <class R, class Ex>
ONEPASS_DEVICE R warp_sum(Ex ex, R value) {
  for (int mask = 16; mask > 0; mask /= 2) value += ex.shuffle_xor(value, mask);
  return value;
}

template <class R, class Ex>
ONEPASS_DEVICE R square_root(Ex ex, R value) {
  return value > 0 ? value * ex.reciprocal_sqrt(value) : R{0};
}

}  // namespace onepass::kernels
