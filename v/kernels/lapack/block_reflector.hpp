// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What is around the products of level 3 when several reflectors are applied as one, I - V T V^H: V with its ones and
// zeros, T, and the unit matrix that Q is made of.
#pragma once

#include "kernels/lapack/block_reflector_args.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

template <class A>
struct CopyReflectors {
  static constexpr int max_threads = block_reflector_threads, min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const CopyReflectorsArgs& g) {
    const std::int64_t inner_count = g.by_rows ? g.lines : g.rows, outer_count = g.by_rows ? g.rows : g.lines;
    for (std::int64_t outer = ex.block_x(); outer < outer_count; outer += ex.grid_x())
      for (std::int64_t inner = ex.thread(); inner < inner_count; inner += max_threads) {
        const std::int64_t line = g.by_rows ? inner : outer, row = g.by_rows ? outer : inner;
        const std::int64_t behind = row - (g.unit + line);  // its 1
        const bool stored = line < g.count && (g.backward ? behind < 0 : behind > 0);
        const A one_or_zero = from_real<A>(line < g.count && behind == 0 ? 1 : 0);
        const A value = ex.load_once_if(stored, static_cast<const A*>(g.a) + inner + outer * g.lda);
        ex.store(static_cast<A*>(g.v) + inner + outer * g.ldv, stored ? value : one_or_zero);
      }
  }
};

template <class A>
struct SetIdentity {
  static constexpr int max_threads = block_reflector_threads, min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const SetIdentityArgs& g) {
    for (std::int64_t j = g.columns.begin + ex.block_x(); j < g.columns.end; j += ex.grid_x()) {
      const bool kept = j >= g.kept_columns.begin && j < g.kept_columns.end;
      for (std::int64_t i = g.rows.begin + ex.thread(); i < g.rows.end; i += max_threads)
        if (!kept || i < g.kept_rows.begin || i >= g.kept_rows.end)
          ex.store(static_cast<A*>(g.a) + i + j * g.lda, from_real<A>(i == j ? 1 : 0));
    }
  }
};

// T = D - D S T, with D = diag(tau) and S the products above the diagonal:
//   T(i, j) = -tau(i) (G(i, i+1) T(i+1, j) + ... + G(i, j) T(j, j)),  T(j, j) = tau(j)
// Four lanes have a column, from the diagonal up, and each every fourth of its elements: no lane reads what another
// one writes. A lower T is the same from the last reflector to the first.
template <class A>
struct TriangularFactor {
  static constexpr int max_threads = block_reflector_threads, min_blocks = 1, lanes = 4;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const TriangularFactorArgs& g) {
    const int thread = ex.thread(), w = g.width, size = w * w, ld_products = w + 1, ld_t = w + 4, ld = g.parts * w;
    const std::int64_t block = ex.block_x(), part = block % g.parts, first_of_part = part * w * (ld + 1);
    const std::int64_t matrix = block / g.parts * ld * ld;
    const auto shared = ex.template shared<A>(0);
    const int at_t = w * ld_products, at_tau = at_t + w * ld_t;
    // The index of a reflector, counted from the first or from the last.
    const auto index = [&](int i) { return g.upper ? i : w - 1 - i; };

    const A* const products = static_cast<const A*>(g.products) + matrix + first_of_part;
    for (int e = thread; e < size; e += max_threads)
      shared.put(index(e % w) * ld_products + index(e / w), ex.load_cached(products + e % w + e / w * ld));
    for (int i = thread; i < w; i += max_threads) {
      const std::int64_t reflector = block * w + i;
      shared.put(at_tau + index(i), ex.load_cached_if(reflector < g.count, static_cast<const A*>(g.tau) + reflector));
    }
    ex.sync();

    const int lane = thread % lanes;
    for (int first = 0; first < w; first += max_threads / lanes) {
      const int j = first + thread / lanes;
      const bool there = j < w;
      for (int i = w - 1; i >= 0; --i) {
        A sum{};
        const int next = i + 1 + ((lane - (i + 1)) & (lanes - 1));  // the first of its elements
        if (there)
          for (int k = next; k <= j; k += lanes)
            sum = multiply_add(sum, shared.get(i * ld_products + k), shared.get(at_t + j * ld_t + k));
        for (int mask = lanes / 2; mask > 0; mask /= 2) sum = sum + ex.shuffle_xor(sum, mask);
        if (there && lane == i % lanes) {
          const A tau = shared.get(at_tau + i);
          shared.put(at_t + j * ld_t + i, i > j ? A{} : i == j ? tau : subtract_product(A{}, tau, sum));
        }
      }
    }
    ex.sync();
    A* const t = static_cast<A*>(g.t) + matrix + first_of_part;
    for (int e = thread; e < size; e += max_threads)
      ex.store(t + e % w + e / w * ld, shared.get(at_t + index(e / w) * ld_t + index(e % w)));
    // Below the first part of an upper T, above the second of a lower one.
    if (g.parts == 2 && (part == 0) == g.upper)
      for (int e = thread; e < size; e += max_threads) ex.store(t + e % w + e / w * ld + (g.upper ? w : -w), A{});
  }
};

}  // namespace onepass::kernels
