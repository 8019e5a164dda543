// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The first launch of singular value decompositions of up to 32 rows (batch_refine_small.hpp): eigenvectors V of M^H M,
// the rows of which are in registers (batch_small_core.hpp); and how both launches load M.
//
// Eigenvectors for `double` are found in `float`, which takes half the time: they are a start, and V is made unitary
// before it is used.
#pragma once

#include "kernels/lapack/batched/batch_refine_args.hpp"
#include "kernels/lapack/batched/batch_small_core.hpp"

namespace onepass::kernels {

template <class A>
using RefineSmallStart = std::conditional_t<std::is_same_v<A, double>, float, A>;

template <class E, class A>
ONEPASS_DEVICE E converted(A value) {
  if constexpr (std::is_same_v<E, A>)
    return value;
  else
    return static_cast<E>(value);
}

// The matrices of a warp, N lanes each, and how they are loaded.
template <class A, int N, class Ex>
struct RefineSmallMatrix {
  using R = RealOf<A>;
  static constexpr int together = 32 / N;
  Ex ex;
  const BatchSvdArgs& g;
  std::int64_t first;  // of the warp
  int lane = ex.thread(), row = lane % N, base = lane - row;
  bool there = first + lane / N < g.count;  // else the lanes work with another's matrix, and store nothing
  std::int64_t index = there ? first + lane / N : first;
  bool wide = g.m < g.n;
  int p = wide ? g.n : g.m, q = wide ? g.m : g.n;

  template <class T>
  ONEPASS_DEVICE T* matrix(T* array, std::int64_t stride) const {
    using Pointer = T* const*;
    return g.pointer_arrays ? ex.load_cached(reinterpret_cast<Pointer>(array) + index) : array + index * stride;
  }
  // put(r, c, element) of all of M, zeros being around it, times a power of two, by which its largest element is
  // between 1 and 2; the power, and whether all of it is finite. Else it is zero.
  template <class Put>
  ONEPASS_DEVICE R load(bool& finite, Put put) const {
    const A* const a = matrix(static_cast<const A*>(g.a), g.stride_a);
    A line[N];
#pragma unroll
    for (int c = 0; c < N; ++c) {
      const bool wanted = row < g.m && c < g.n;
      line[c] = ex.load_cached_predicated(wanted, a + (wanted ? row + c * g.lda : 0));
    }
    R largest = 0;
#pragma unroll
    for (int c = 0; c < N; ++c) largest = larger(largest, magnitude(line[c]));
    largest = group_largest<N>(ex, largest);
    finite = largest <= std::numeric_limits<R>::max();
    const R scale = finite ? ex.power_of_two_near_reciprocal(largest) : R{0};
#pragma unroll
    for (int c = 0; c < N; ++c) {
      const A value = choose(finite, times_real(scale, line[c]), A{});
      if (wide)
        put(c, row, conjugate(value));
      else
        put(row, c, value);
    }
    return scale;
  }
};

// Elements of rows, sixteen bytes at a time.
template <class A>
struct alignas(16) RefineQuad {
  static constexpr int count = 16 / static_cast<int>(sizeof(A));
  A element[count];
};

template <class A, int N>
struct BatchRefineSmallStart {
  using E = RefineSmallStart<A>;
  using R = RealOf<E>;
  using Quad = RefineQuad<E>;
  static constexpr int max_threads = 32, min_blocks = 8, together = 32 / N, pitch = refine_small_pitch(sizeof(E));

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const RefineSmallArgs& g) {
    for (std::int64_t first = ex.block_x() * together; first < g.svd.count; first += ex.grid_x() * together) {
      solve(ex, g, first);
      ex.sync();  // shared memory is free again
    }
  }

 private:
  template <class Ex>
  static ONEPASS_DEVICE void solve(Ex ex, const RefineSmallArgs& g, std::int64_t first) {
    const RefineSmallMatrix<A, N, Ex> of = {ex, g.svd, first};
    BatchSmallCore<E, N, Ex> core = {ex, of.q};
    const auto m = ex.template shared<E>(0);
    const auto quads = ex.template shared<Quad>(0);
    bool finite = true;
    of.load(finite, [&](int r, int c, A value) { m.put(r * pitch + of.base + c, converted<E>(value)); });
    ex.sync();
#pragma unroll 2
    for (int r = 0; r < of.p; ++r) {
      const E own = conjugate(m.get(r * pitch + of.lane));
#pragma unroll
      for (int c = 0; c < N; c += Quad::count) {
        const Quad others = quads.get((r * pitch + of.base + c) / Quad::count);
#pragma unroll
        for (int i = 0; i < Quad::count; ++i) core.line[c + i] = multiply_add(core.line[c + i], own, others.element[i]);
      }
    }
#pragma unroll
    for (int c = 0; c < N; ++c) core.line[c] = choose(of.row == c, from_real<E>(real_part(core.line[c])), core.line[c]);
    ex.sync();
    core.reduce();
    typename BatchSmallCore<E, N, Ex>::SmallValues values{ex, of.q, true, core.d, core.e, core.z};
    values.solve();  // what has not converged is left to rotations
    ex.sync();
    core.multiply_by_q(of.row);
    if (!of.there || of.row >= of.q) return;
    E* const v = static_cast<E*>(g.v) + of.index * of.q * of.q;
#pragma unroll
    for (int r = 0; r < N; ++r)
      if (r < of.q) ex.store(v + r * of.q + of.row, core.line[r]);
  }
};

}  // namespace onepass::kernels
