// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of many tridiagonal matrices by bisection, a block for each and a thread for each eigenvalue: with as
// many matrices as the device holds nothing is won by more lanes, of which 31 count what one can find out
// (bisection.hpp).
//
// First threads count at points, a power of two of them, and each finds in the counts of all in which interval its
// eigenvalue is; from there on it halves that. Ascending without a sort, whatever counts near an eigenvalue may be: of
// two threads in one interval both halve it by the same count, and so does the search in the first counts.
#pragma once

#include "kernels/lapack/batch_args.hpp"
#include "kernels/lapack/bisection.hpp"

namespace onepass::kernels {

template <class R>
struct BatchValues {
  static constexpr int max_threads = batch_values_most_threads, min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchValuesArgs& g) {
    using Whole = Bisection<R>;
    const std::int64_t matrix = ex.block_x();
    const int n = g.batch.n, thread = ex.thread();
    int points = 32;  // a power of two
    while (2 * points <= ex.threads()) points *= 2;
    int* const info = g.batch.info + matrix;
    R* const w = static_cast<R*>(g.batch.w) + matrix * g.batch.stride_w;
    const BisectionArgs one = {
        .d = static_cast<const R*>(g.d) + matrix * g.rows, .e = static_cast<const R*>(g.e) + matrix * g.rows, .n = n};
    typename Whole::template Block<Ex> block{ex, one, ex.template shared<typename Whole::Row>(0)};

    // Every warp for itself.
    auto [bound, not_finite] = Whole::bound_of_rows(ex, one, thread & 31, 32);
    for (int mask = 16; mask > 0; mask /= 2) {
      bound = larger(bound, ex.shuffle_xor(bound, mask));
      not_finite = larger(not_finite, ex.shuffle_xor(not_finite, mask));
    }
    R value = std::numeric_limits<R>::quiet_NaN();
    if (!(not_finite > 0)) {
      block.scale = ex.power_of_two_near_reciprocal(bound);
      block.load_rows(0, block.padded(n));
      ex.sync();
      const auto counts = ex.template shared<int>(block.padded(n) * static_cast<int>(sizeof(typename Whole::Row)));
      double step = 2.0 / points;
      if (thread < points) counts.put(thread, block.count((thread + 1) * step - 1));
      ex.sync();
      // The first point with more below it than this index.
      int before = 0;
      for (int half = points / 2; half > 0; half /= 2)
        if (counts.get(before + half - 1) <= thread) before += half;
      double lo = before * step - 1;
      for (step /= 2; step >= Whole::last_step; step /= 2)
        if (block.count(lo + step) <= thread) lo += step;
      value = static_cast<R>(lo * 8 * ex.power_of_two_near_reciprocal(block.scale));
    }
    if (thread < n) ex.store(w + thread, value);
    if (thread == 0) ex.store(info, not_finite > 0 ? n : 0);
  }
};

}  // namespace onepass::kernels
