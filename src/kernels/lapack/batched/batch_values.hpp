// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of many tridiagonal matrices, or singular values of bidiagonal ones, by bisection, a block for each and a
// thread for each value: with as many matrices as the device holds nothing is won by more lanes, of which 31 count what
// one can find out (bisection.hpp).
//
// First threads count at points, a power of two of them, and each finds in the counts of all in which interval its
// value is; from there on it halves that. In order without a sort, whatever counts near a value may be: of two threads
// in one interval both halve it by the same count, and so does the search in the first counts.
#pragma once

#include "kernels/lapack/batched/batch_args.hpp"
#include "kernels/lapack/solvers/bisection.hpp"

namespace onepass::kernels {

template <class R, Form form = Form::tridiagonal>
struct BatchValues {
  static constexpr int max_threads = batch_values_most_threads, min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BatchValuesArgs& g) {
    using Whole = Bisection<R, form>;
    const std::int64_t matrix = ex.block_x();
    const int n = g.batch.n, thread = ex.thread();
    int points = 32;  // a power of two
    while (2 * points <= ex.threads()) points *= 2;
    int* const info = g.batch.info + matrix;
    R* const w = static_cast<R*>(g.batch.w) + matrix * g.batch.stride_w;
    const BisectionArgs one = {.d = static_cast<const R*>(g.d) + matrix * g.rows,
                               .e = static_cast<const R*>(g.e) + matrix * g.rows,
                               .n = g.order};
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
      const int rows = block.padded(block.order());
      block.load_rows(0, rows);
      ex.sync();
      const auto counts = ex.template shared<int>(rows * static_cast<int>(sizeof(typename Whole::Row)));
      // Singular values are not negative, and descend.
      const double begin = Whole::bidiagonal ? 0 : -1;
      const int mine = Whole::bidiagonal ? block.order() - 1 - thread : thread;
      double step = (1 - begin) / points;
      if (thread < points) counts.put(thread, block.count((thread + 1) * step + begin));
      ex.sync();
      // The first point with more below it than this index.
      int before = 0;
      for (int half = points / 2; half > 0; half /= 2)
        if (counts.get(before + half - 1) <= mine) before += half;
      double lo = before * step + begin;
      for (step /= 2; step >= Whole::last_step; step /= 2)
        if (block.count(lo + step) <= mine) lo += step;
      value = static_cast<R>(lo * 8 * ex.power_of_two_near_reciprocal(block.scale));
    }
    if (thread < n) ex.store(w + thread, value);
    if (thread == 0) ex.store(info, not_finite > 0 ? g.batch.info_of_failure : 0);
  }
};

}  // namespace onepass::kernels
