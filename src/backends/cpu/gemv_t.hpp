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

// Vectors that C numbers side by side fill.
template <class T, int C>
inline constexpr int vectors_of = (C * components<T> + lanes<Component<Sum<T>>> - 1) / lanes<Component<Sum<T>>>;

// The K sums of each column as a number, side by side. Complex numbers: sums[c][0] of (re a re x, im a im x, ...),
// sums[c][1] of (re a im x, im a re x, ...).
template <class T, int C, int K, class V>
[[gnu::always_inline]] inline void fold(const V (&sums)[C][components<T>][K], bool conjugate,
                                        V (&totals)[vectors_of<T, C>]) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, N = P * C, L = lanes<R>, full = (N - 1) / L;
  V parts[N];
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
#pragma GCC unroll 2
    for (int p = 0; p < P; ++p) {
      V part = sums[c][p][0];
#pragma GCC unroll 8
      for (int k = 1; k < K; ++k) part = add(part, sums[c][p][k]);
      parts[c * P + p] = P == 2 && conjugate == (p == 1) ? negate_odd(part) : part;
    }
  }
#pragma GCC unroll 8
  for (int k = 0; k < full; ++k) totals[k] = sums_of<R, L>(parts + k * L);
  totals[full] = sums_of<R, N - full * L>(parts + full * L);
}

// f(k, access) for each vector that N components fill.
template <class R, int N, class F>
[[gnu::always_inline]] inline void each_vector(F f) {
  constexpr int L = lanes<R>;
#pragma GCC unroll 8
  for (int k = 0; k < N / L; ++k) f(k, Whole{});
  if constexpr (N % L > 0) f(N / L, First{N % L});
}

// sums[c] += a_c x over U vectors from component i on, in K sums per column.
template <class T, int U, int C, int K, class V, class Access>
[[gnu::always_inline]] inline void step_t(const Component<T>* const (&a)[C], const Component<T>* x, std::int64_t i,
                                          V (&sums)[C][components<T>][K], Access access) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  V xs[U][P];
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    xs[u][0] = access.load(x + i + u * L);
    if constexpr (P == 2) xs[u][1] = swap_pairs<R>(xs[u][0]);
  }
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) {
      const V v = in_register(access.load(a[c] + i + u * L));
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) sums[c][p][u % K] = add_product(sums[c][p][u % K], v, xs[u][p]);
    }
  }
}

// The components i..end, fewer than a vector: the end of the last whole vector, if there is one.
template <class T, int C, int K, class V>
[[gnu::always_inline]] inline void rest_t(const Component<T>* const (&a)[C], const Component<T>* x, std::int64_t i,
                                          std::int64_t end, V (&sums)[C][components<T>][K]) {
  constexpr std::int64_t L = lanes<Component<Sum<T>>>;
  if (end < L)
    step_t<T, 1>(a, x, i, sums, First{static_cast<int>(end - i)});
  else
    step_t<T, 1>(a, x, end - L, sums, Last{static_cast<int>(end - i)});
}

template <class T>
struct PassT {
  // 1500x5 d on a Xeon: 0.98 us as 4 and 1, 1.14 as 3 and 2.
  static constexpr bool shares_last = false;
  template <int C>
  [[gnu::always_inline]] static void run(const Block<T>& b, std::int64_t first, std::int64_t distance, bool) {
    using R = Component<Sum<T>>;
    using V = Vector<R>;
    constexpr int P = components<T>, L = lanes<R>;
    constexpr int U = step_vectors<T>;
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
    for (; i + U * L <= end; i += U * L) step_t<T, U>(a, x, i, sums, Whole{});

    if constexpr (U > 1) {
      for (; i + L <= end; i += L) step_t<T, 1>(a, x, i, sums, Whole{});
    }
    if (i < end) rest_t<T>(a, x, i, end, sums);
    V totals[vectors_of<T, C>];
    fold<T>(sums, b.conjugate, totals);
    R* const y = b.y + first * b.incy;
    if (distance == 1 && b.incy == P)
      return each_vector<R, C * P>([&](int k, auto access) __attribute__((always_inline)) {
        access.template store<R>(finished<T>(b, y + k * L, totals[k], access), y + k * L);
      });
    R values[vectors_of<T, C> * L];
#pragma GCC unroll 8
    for (int k = 0; k < vectors_of<T, C>; ++k) store(totals[k], values + k * L);
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) finish(b, y + c * (distance * b.incy), get<Sum<T>>(values + c * P));
  }
};

// y := start(y) + alpha op(A) x. Columns that lie in one page are one stream however they are read, and so short that
// their sums are better stored side by side.
template <class T>
void block_t(const Block<T>& b) {
  constexpr int most = std::min(8, registers / 2 / components<T>);
  constexpr std::int64_t page = 4096;
  if (in_first_cache(b) || most * b.lda * static_cast<std::int64_t>(sizeof(Component<T>)) <= page)
    sweep<PassT<T>, most, Order::adjacent>(b, b.outputs);
  else
    sweep_streams<PassT>(b, b.outputs);
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
