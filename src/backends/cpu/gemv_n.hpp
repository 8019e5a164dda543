// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Outputs along the contiguous dimension: y += s0 a0 + s1 a1 + ..., several columns in one pass over y.
//
//        q        q        q            The columns of a pass lie q apart, so that each of them goes
//   |a0      |a1      |a2      | ...    on where the last pass left it: C long streams through memory
//   | a0     | a1     | a2     |        rather than one jump per column.
#if defined(ONEPASS_CPU_GEMV_N) == defined(HWY_TARGET_TOGGLE)
#ifdef ONEPASS_CPU_GEMV_N
#undef ONEPASS_CPU_GEMV_N
#else
#define ONEPASS_CPU_GEMV_N
#endif

#include <algorithm>

#include "backends/cpu/block.hpp"
#include "backends/cpu/streams.hpp"
#include "backends/cpu/target.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::cpu::ONEPASS_CPU_TARGET {

// Complex numbers, v the vector (re, im, re, im, ...) of a column: with p = sum of v re(s) and
// q = sum of v im(s), sum of v s = p + (-im(q), re(q)), and sum of conj(v) s = conj(p) + (im(q), re(q)).
// So the columns are never shuffled, only the two sums are, once.
template <class T, class V>
[[gnu::always_inline]] inline V joined(const V (&sums)[components<T>], bool conjugate) {
  if constexpr (is_complex<T>) {
    using R = Component<T>;
    return conjugate ? add(negate_odd(sums[0]), swap_pairs<R>(sums[1]))
                     : add(sums[0], swap_pairs<R>(negate_odd(sums[1])));
  } else {
    return sums[0];
  }
}

// beta y
template <class T, class R = Component<Sum<T>>>
[[gnu::always_inline]] inline Vector<R> scaled(Sum<T> beta, Vector<R> y) {
  if constexpr (is_complex<T>)
    return joined<T>({multiply(y, splat(beta.re)), multiply(y, splat(beta.im))}, false);
  else
    return multiply(y, splat(beta));
}

// U vectors of y from component i on.
template <class T, int C, Start start, int U, class V>
[[gnu::always_inline]] inline void step_n(const Component<T>* const (&a)[C], const V (&s)[C][components<T>],
                                          Component<Sum<T>>* y, Sum<T> beta, bool conjugate, std::int64_t i) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  V sums[U][P];
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    for (int p = 0; p < P; ++p) sums[u][p] = zero<R>();
    if constexpr (start == Start::keep && P == 1) sums[u][0] = load(y + i + u * L);
    if constexpr (start == Start::scaled && P == 1) sums[u][0] = scaled<T>(beta, load(y + i + u * L));
  }
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) {
      const V v = load(a[c] + i + u * L);
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) sums[u][p] = add_product(sums[u][p], v, s[c][p]);
    }
  }
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    V result = joined<T>(sums[u], conjugate);
    if constexpr (start == Start::keep && P == 2) result = add(result, load(y + i + u * L));
    if constexpr (start == Start::scaled && P == 2) result = add(result, scaled<T>(beta, load(y + i + u * L)));
    store(result, y + i + u * L);
  }
}

// y := start(y) + the C columns first, first + distance, ...
template <class T, int C, Start start>
void columns_n(const Block<T>& b, std::int64_t first, std::int64_t distance) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  constexpr int U = std::max(1, 64 / static_cast<int>(L * sizeof(R)));
  // The factors s = alpha x, as numbers and as vectors.
  Sum<T> factor[C];
  Vector<R> s[C][P];
  const Component<T>* a[C];
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
    const std::int64_t column = first + c * distance;
    a[c] = b.a + column * b.lda;
    factor[c] = b.alpha * get<T>(b.x + column * b.incx);
    if constexpr (is_complex<T>) {
      s[c][0] = splat(factor[c].re);
      s[c][1] = splat(factor[c].im);
    } else {
      s[c][0] = splat(factor[c]);
    }
  }
  R* const y = b.y;
  const Sum<T> beta = b.beta;
  const bool conjugate = b.conjugate;
  const std::int64_t end = b.outputs * P;
  std::int64_t i = 0;
  for (; i + U * L <= end; i += U * L) step_n<T, C, start, U>(a, s, y, beta, conjugate, i);
  if constexpr (U > 1) {
    for (; i + L <= end; i += L) step_n<T, C, start, 1>(a, s, y, beta, conjugate, i);
  }
  for (; i < end; i += P) {
    Sum<T> sum{};
    if constexpr (start == Start::keep) sum = get<Sum<T>>(y + i);
    if constexpr (start == Start::scaled) sum = beta * get<Sum<T>>(y + i);
    for (int c = 0; c < C; ++c) sum = multiply_add(sum, conjugate_if(conjugate, get<T>(a[c] + i)), factor[c]);
    put<Sum<T>>(y + i, sum);
  }
}

template <class T, int C>
void pass_n(const Block<T>& b, std::int64_t first, std::int64_t distance) {
  const Start start = first == 0 ? b.start : Start::keep;
  if (start == Start::keep)
    columns_n<T, C, Start::keep>(b, first, distance);
  else if (start == Start::zero)
    columns_n<T, C, Start::zero>(b, first, distance);
  else
    columns_n<T, C, Start::scaled>(b, first, distance);
}

template <class T>
struct PassN {
  template <int C>
  static void run(const Block<T>& b, std::int64_t first, std::int64_t distance) {
    pass_n<T, C>(b, first, distance);
  }
};

// y := start(y) + alpha op(A) x
template <class T>
void block_n(const Block<T>& b) {
  if (streams<T>(b.lda) == 6)
    sweep<PassN<T>, 6>(b, b.terms);
  else
    sweep<PassN<T>, 3>(b, b.terms);
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
