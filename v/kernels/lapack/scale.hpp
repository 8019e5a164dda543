// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Before a reduction: the largest element of a matrix or of a stored triangle, which is scaled by a power of two if
// squares of its elements might overflow or be lost. Two launches; the first also clears what the reduction wants to
// find clear.
#pragma once

#include <cstdint>

#include "kernels/lapack/reflector.hpp"
#include "kernels/lapack/scale_args.hpp"

namespace onepass::kernels {

inline constexpr int scale_threads = 256;

// Elements of such a size are left alone: squares of n of them do not overflow, and those of a relative eps are kept.
template <class R>
ONEPASS_DEVICE bool needs_scaling(R largest) {
  constexpr bool wide = std::is_same_v<R, double>;
  const R low = static_cast<R>(wide ? 0x1p-400 : 0x1p-20), high = static_cast<R>(wide ? 0x1p+400 : 0x1p+40);
  const bool finite = largest <= (wide ? static_cast<R>(0x1.fffffffffffffp+1023) : static_cast<R>(0x1.fffffep+127));
  return finite && largest > 0 && (largest < low || largest > high);
}

template <class A>
struct LargestElement {
  using R = RealOf<A>;
  static constexpr int max_threads = scale_threads, min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const ScaleArgs& g) {
    const int t = ex.thread(), blocks = static_cast<int>(ex.grid_x()), block = static_cast<int>(ex.block_x());
    if (block == 0)
      for (int i = t; i < g.counter_count; i += scale_threads) ex.store(g.counters + i, 0u);
    R largest = 0;
    for (int j = block; j < g.n; j += blocks) {
      const A* const column = static_cast<const A*>(g.a) + j * g.col_step;
      for (int i = (g.lower ? j : 0) + t; i < g.m; i += scale_threads) {
        const A value = ex.load_matrix(column + i * g.row_step);
        largest = larger(
            largest, larger(absolute(real_part(value)), absolute(g.lower && i == j ? R{0} : imaginary_part(value))));
      }
    }
    for (int mask = 16; mask > 0; mask /= 2) largest = larger(largest, ex.shuffle_xor(largest, mask));
    const auto shared = ex.template shared<R>(0);
    if ((t & 31) == 0) shared.put(t >> 5, largest);
    ex.sync();
    if (t != 0) return;
    for (int w = 1; w < scale_threads / 32; ++w) largest = larger(largest, shared.get(w));
    ex.store_fresh(static_cast<R*>(g.largest) + block, largest);
  }
};

template <class A>
struct ScaleMatrix {
  using R = RealOf<A>;
  static constexpr int max_threads = scale_threads, min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const ScaleArgs& g) {
    const int t = ex.thread(), blocks = static_cast<int>(ex.grid_x()), block = static_cast<int>(ex.block_x());
    R largest = 0;
    for (int b = t & 31; b < blocks; b += 32)
      largest = larger(largest, ex.load_fresh(static_cast<const R*>(g.largest) + b));
    for (int mask = 16; mask > 0; mask /= 2) largest = larger(largest, ex.shuffle_xor(largest, mask));
    const bool scales = needs_scaling(largest);
    const R factor = scales ? ex.power_of_two_near_reciprocal(largest) : R{1};
    if (block == 0 && t == 0) {
      ex.store(static_cast<R*>(g.scale), factor);
      ex.store(static_cast<R*>(g.scale) + 1, scales ? ex.power_of_two_near_reciprocal(factor) : R{1});
    }
    if (!scales) return;
    for (int j = block; j < g.n; j += blocks) {
      A* const column = static_cast<A*>(g.a) + j * g.col_step;
      for (int i = (g.lower ? j : 0) + t; i < g.m; i += scale_threads)
        ex.store(column + i * g.row_step, from_real<A>(factor) * ex.load_matrix(column + i * g.row_step));
    }
  }
};

// After a reduction: what is on and above the first subdiagonal of a matrix that was scaled, scaled back.
template <class A>
struct RescaleHessenberg {
  using R = RealOf<A>;
  static constexpr int max_threads = scale_threads, min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const ScaleArgs& g) {
    const R factor = ex.load_fresh(static_cast<const R*>(g.scale) + 1);
    if (factor == R{1}) return;
    for (int j = static_cast<int>(ex.block_x()); j < g.n; j += static_cast<int>(ex.grid_x())) {
      A* const column = static_cast<A*>(g.a) + j * g.col_step;
      for (int i = ex.thread(); i < g.m && i <= j + 1; i += scale_threads)
        ex.store(column + i, from_real<A>(factor) * ex.load_matrix(column + i));
    }
  }
};

}  // namespace onepass::kernels
