// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Work by rows in the panel kernels that stream columns: 32 rows at a time, a row for each lane, and of the thin
// matrices of the panel every eighth column for each warp.
#pragma once

#include "kernels/lapack/reductions/stream_shared.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

// What a warp has of 32 rows of a thin matrix: those of its columns warp, warp + 8, ... of `count`, at most 8 N.
template <class A, int N>
struct PanelStrip {
  A value[N];

  template <class Ex>
  ONEPASS_DEVICE void load(Ex ex, const A* row, std::int64_t ld, bool live, int count) {
    const int warp = ex.thread() >> 5;
    const A* from = row + warp * ld;
#pragma unroll
    for (int i = 0; i < N; ++i, from += stream_warps * ld)
      value[i] = ex.load_fresh_if(live && warp + stream_warps * i < count, from);
  }
  // Column e alone.
  template <class Ex>
  ONEPASS_DEVICE void load_one(Ex ex, const A* row, std::int64_t ld, bool live, int e) {
    const int warp = ex.thread() >> 5;
#pragma unroll
    for (int i = 0; i < N; ++i)
      if (warp + stream_warps * i == e) value[i] = ex.load_fresh_if(live, row + e * ld);
  }
  // Parts of the sum with coefficients in shared memory, from `at` on.
  template <class Ex>
  ONEPASS_DEVICE A multiply(Ex ex, const typename Ex::template Shared<A>& shared, int at, int count) const {
    const int warp = ex.thread() >> 5;
    A sum{};
#pragma unroll
    for (int i = 0; i < N; ++i) {
      const int e = warp + stream_warps * i;
      if (e < count) sum = multiply_add(sum, value[i], shared.get(at + e));
    }
    return sum;
  }
  // dots += value^H x, x of this lane's row.
  ONEPASS_DEVICE void add_dots(A x, A (&dots)[8]) const {
#pragma unroll
    for (int i = 0; i < N; ++i) dots[i] = multiply_add(dots[i], conjugate(value[i]), x);
  }
  // The dot product of column warp + 8 (lane / 4) with x of these rows.
  template <class Ex>
  ONEPASS_DEVICE A dot(Ex ex, A x) const {
    A dots[8] = {};
    add_dots(x, dots);
    return transposed_sum<8>(ex, dots);
  }
};

// The sum of what the threads of this lane have in shared memory, from `at` on, one in each warp.
template <class A, class Ex>
ONEPASS_DEVICE A sum_of_lane(Ex ex, const typename Ex::template Shared<A>& shared, int at) {
  const int lane = ex.thread() & 31;
  A sum{};
#pragma unroll
  for (int w = 0; w < stream_warps; ++w) sum = sum + shared.get(at + w * 32 + lane);
  return sum;
}

// Dot products of the columns of strips, for NumbersOfBlocks: of column warp + 8 (lane / 4), or of those of a lane's
// row, which are yet to be summed up.
template <class A, class Ex>
ONEPASS_DEVICE void publish_dot(Ex ex, void* to, int publishers, int publisher, int count, A dot) {
  const int lane = ex.thread() & 31, e = (ex.thread() >> 5) + stream_warps * (lane >> 2);
  if ((lane & 3) == 0 && e < count) ex.store_fresh(static_cast<A*>(to) + e * publishers + publisher, dot);
}
template <class A, class Ex>
ONEPASS_DEVICE void publish_dots(Ex ex, void* to, int publishers, int publisher, int count, A (&dots)[8]) {
  publish_dot(ex, to, publishers, publisher, count, transposed_sum<8>(ex, dots));
}

}  // namespace onepass::kernels
