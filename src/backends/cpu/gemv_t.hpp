// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums along the contiguous dimension: y_c = a_c . x, several columns in one pass over x, in the
// same distant streams as gemv_n.
#if defined(ONEPASS_CPU_GEMV_T) == defined(HWY_TARGET_TOGGLE)
#ifdef ONEPASS_CPU_GEMV_T
#undef ONEPASS_CPU_GEMV_T
#else
#define ONEPASS_CPU_GEMV_T
#endif

#include <algorithm>

#include "backends/cpu/block.hpp"
#include "backends/cpu/streams.hpp"
#include "backends/cpu/target.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::cpu::ONEPASS_CPU_TARGET {

// Complex numbers: sums[0] of (re a re x, im a im x, ...), sums[1] of (re a im x, im a re x, ...).
template <class T, class V>
[[gnu::always_inline]] inline Sum<T> folded(const V (&sums)[components<T>], bool conjugate) {
  using R = Component<Sum<T>>;
  if constexpr (is_complex<T>) {
    return conjugate ? T{sum<R>(sums[0]), sum<R>(negate_odd(sums[1]))}
                     : T{sum<R>(negate_odd(sums[0])), sum<R>(sums[1])};
  } else {
    return sum<R>(sums[0]);
  }
}

// sums[c] += a_c x over U vectors from component i on, in K sums per column.
template <class T, int U, int C, int K, class V>
[[gnu::always_inline]] inline void step_t(const Component<T>* const (&a)[C], const Component<T>* x, std::int64_t i,
                                          V (&sums)[C][components<T>][K]) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  V xs[U][P];
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    xs[u][0] = load(x + i + u * L);
    if constexpr (P == 2) xs[u][1] = swap_pairs<R>(xs[u][0]);
  }
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) {
      const V v = load(a[c] + i + u * L);
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) sums[c][p][u % K] = add_product(sums[c][p][u % K], v, xs[u][p]);
    }
  }
}

template <class T>
struct PassT {
  template <int C>
  [[gnu::always_inline]] static void run(const Block<T>& b, std::int64_t first, std::int64_t distance, bool) {
    using R = Component<Sum<T>>;
    using V = Vector<R>;
    constexpr int P = components<T>, L = lanes<R>;
    constexpr int U = std::max(1, 64 / static_cast<int>(L * sizeof(R)));
    // Enough sums to hide the latency of the additions, few enough to leave registers for x and A.
    constexpr int K = std::clamp(registers / 2 / (P * C), 1, U);
    const Component<T>* a[C];
    V sums[C][P][K];
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) {
      a[c] = b.a + first * b.lda + c * (distance * b.lda);
      for (int p = 0; p < P; ++p)
        for (int k = 0; k < K; ++k) sums[c][p][k] = zero<R>();
    }
    const Component<T>* const x = b.x;
    const std::int64_t end = b.terms * P;
    std::int64_t i = 0;
    for (; i + U * L <= end; i += U * L) step_t<T, U>(a, x, i, sums);

    V narrow[C][P][1];
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) {
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) {
        narrow[c][p][0] = sums[c][p][0];
#pragma GCC unroll 8
        for (int k = 1; k < K; ++k) narrow[c][p][0] = add(narrow[c][p][0], sums[c][p][k]);
      }
    }
    if constexpr (U > 1) {
      for (; i + L <= end; i += L) step_t<T, 1>(a, x, i, narrow);
    }
    Sum<T> totals[C];
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) {
      V parts[P];
      for (int p = 0; p < P; ++p) parts[p] = narrow[c][p][0];
      totals[c] = folded<T>(parts, b.conjugate);
    }
    for (; i < end; i += P) {
      const Sum<T> factor = get<T>(x + i);
#pragma GCC unroll 8
      for (int c = 0; c < C; ++c)
        totals[c] = multiply_add(totals[c], conjugate_if(b.conjugate, get<T>(a[c] + i)), factor);
    }
    R* const y = b.y + first * b.incy;
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) finish(b, y + c * (distance * b.incy), totals[c]);
  }
};

// y := start(y) + alpha op(A) x
template <class T>
void block_t(const Block<T>& b) {
  if (in_first_cache(b))
    sweep<PassT<T>, 8 / components<T>, Order::adjacent>(b, b.outputs);
  else if (wants_six_streams(b))
    sweep<PassT<T>, 6>(b, b.outputs);
  else
    sweep<PassT<T>, 4>(b, b.outputs);
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
