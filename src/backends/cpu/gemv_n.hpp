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

// The factor of a column as vectors; those of complex numbers carry the signs of joined().
template <class T, class V>
[[gnu::always_inline]] inline void signed_factor(Sum<T> factor, bool conjugate, V (&s)[components<T>]) {
  if constexpr (is_complex<T>) {
    s[0] = splat(factor.re);
    s[1] = splat(factor.im);
    if (conjugate)
      s[0] = negate_odd(s[0]);
    else
      s[1] = negate_odd(s[1]);
  } else {
    s[0] = splat(factor);
  }
}

// U vectors of y from component i on.
template <class T, int C, Start start, int U, class V>
[[gnu::always_inline]] inline void step_n(const Component<T>* const (&a)[C], const V (&s)[C][components<T>],
                                          Component<Sum<T>>* y, Sum<T> beta, std::int64_t i) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  V sums[U][P];
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    for (int p = 0; p < P; ++p) sums[u][p] = zero<R>();
    if constexpr (start == Start::keep) sums[u][0] = load(y + i + u * L);
    if constexpr (start == Start::scaled) sums[u][0] = scaled<T>(beta, load(y + i + u * L));
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
    if constexpr (is_complex<T>) sums[u][0] = add(sums[u][0], swap_pairs<R>(sums[u][1]));
    store(sums[u][0], y + i + u * L);
  }
}

// y := start(y) + the C columns first, first + distance, ...
template <class T, int C, Start start>
[[gnu::always_inline]] inline void columns_n(const Block<T>& b, std::int64_t first, std::int64_t distance) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  constexpr int U = std::max(1, 64 / static_cast<int>(L * sizeof(R)));
  // The factors s = alpha x, as numbers and as vectors.
  Sum<T> factor[C];
  Vector<R> s[C][P];
  const Component<T>* a[C];
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
    a[c] = b.a + first * b.lda + c * (distance * b.lda);
    factor[c] = b.alpha * get<T>(b.x + first * b.incx + c * (distance * b.incx));
    signed_factor<T>(factor[c], b.conjugate, s[c]);
  }
  R* const y = b.y;
  const Sum<T> beta = b.beta;
  const bool conjugate = b.conjugate;
  const std::int64_t end = b.outputs * P;
  std::int64_t i = 0;
  for (; i + U * L <= end; i += U * L) step_n<T, C, start, U>(a, s, y, beta, i);
  if constexpr (U > 1) {
    for (; i + L <= end; i += L) step_n<T, C, start, 1>(a, s, y, beta, i);
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
[[gnu::always_inline]] inline void pass_n(const Block<T>& b, std::int64_t first, std::int64_t distance, bool begins) {
  const Start start = begins ? b.start : Start::keep;
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
  static void run(const Block<T>& b, std::int64_t first, std::int64_t distance, bool begins) {
    pass_n<T, C>(b, first, distance, begins);
  }
};

// sums += a x, for one column and one element of x.
template <class T, int U, class V>
[[gnu::always_inline]] inline void column_n(const Component<T>* a, const Component<T>* x, V (&sums)[U][components<T>]) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  const Sum<T> factor = get<T>(x);
  V s[P];
  if constexpr (is_complex<T>) {
    s[0] = splat(factor.re);
    s[1] = splat(factor.im);
  } else {
    s[0] = splat(factor);
  }
#pragma GCC unroll 16
  for (int u = 0; u < U; ++u) {
    const V v = load(a + u * L);
#pragma GCC unroll 2
    for (int p = 0; p < P; ++p) sums[u][p] = add_product(sums[u][p], v, s[p]);
  }
}

// op(A) x for U vectors of y from component i on, kept in registers while all columns pass by, K at a
// time with sums of their own: the fewer vectors, the longer one addition would wait for the last.
template <class T, int U, int K, class V>
[[gnu::always_inline]] inline void sums_n(const Block<T>& b, std::int64_t i, V (&result)[U]) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>;
  V sums[K][U][P];
#pragma GCC unroll 4
  for (int j = 0; j < K; ++j)
#pragma GCC unroll 16
    for (int u = 0; u < U; ++u)
      for (int p = 0; p < P; ++p) sums[j][u][p] = zero<R>();
  const Component<T>* a = b.a + i;
  const Component<T>* x = b.x;
  const std::int64_t terms = b.terms, lda = b.lda, incx = b.incx;
  std::int64_t k = 0;
  for (; k + K <= terms; k += K, a += K * lda, x += K * incx) {
#pragma GCC unroll 4
    for (int j = 0; j < K; ++j) column_n<T>(a + j * lda, x + j * incx, sums[j]);
  }
  if constexpr (K > 1) {
    for (; k < terms; ++k, a += lda, x += incx) column_n<T>(a, x, sums[0]);
  }
#pragma GCC unroll 16
  for (int u = 0; u < U; ++u) {
#pragma GCC unroll 4
    for (int j = 1; j < K; ++j)
      for (int p = 0; p < P; ++p) sums[0][u][p] = add(sums[0][u][p], sums[j][u][p]);
    result[u] = joined<T>(sums[0][u], b.conjugate);
  }
}

template <class T, int U, int K>
[[gnu::always_inline]] inline void tile_n(const Block<T>& b, std::int64_t i) {
  using R = Component<Sum<T>>;
  Vector<R> sums[U];
  sums_n<T, U, K>(b, i, sums);
#pragma GCC unroll 16
  for (int u = 0; u < U; ++u) {
    R* const y = b.y + i + u * lanes<R>;
    Vector<R> result = scaled<T>(b.alpha, sums[u]);
    if (b.start == Start::keep) result = add(load(y), result);
    if (b.start == Start::scaled) result = add(scaled<T>(b.beta, load(y)), result);
    store(result, y);
  }
}

// The last elements of y, fewer than a vector, from component i on.
template <class T>
void tail_n(const Block<T>& b, std::int64_t i) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  const std::int64_t end = b.outputs * P;
  if (end >= L) {
    // The last full vector of the columns overlaps with what is done already; only its end counts.
    Vector<R> sums[1];
    sums_n<T, 1, 4>(b, end - L, sums);
    R values[L];
    store(sums[0], values);
    for (; i < end; i += P) finish(b, b.y + i, get<Sum<T>>(values + (i - end + L)));
    return;
  }
  for (; i < end; i += P) {
    Sum<T> sum{};
    for (std::int64_t k = 0; k < b.terms; ++k)
      sum = multiply_add(sum, conjugate_if(b.conjugate, get<T>(b.a + k * b.lda + i)), get<T>(b.x + k * b.incx));
    finish(b, b.y + i, sum);
  }
}

// A matrix in the first cache: there the order of reading is free, and y never leaves the registers.
template <class T>
void small_n(const Block<T>& b) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>, U = registers / 2 / P;
  const std::int64_t end = b.outputs * P;
  std::int64_t i = 0;
  for (; i + U * L <= end; i += U * L) tile_n<T, U, 1>(b, i);
  if (i + U / 2 * L <= end) {
    tile_n<T, U / 2, 2>(b, i);
    i += U / 2 * L;
  }
  if (i + U / 4 * L <= end) {
    tile_n<T, U / 4, 4>(b, i);
    i += U / 4 * L;
  }
  for (; i + L <= end; i += L) tile_n<T, 1, 4>(b, i);

  if (i < end) tail_n(b, i);
}

// Columns so short that one tile holds all of y: the columns are then one stream, read in order.
template <class T>
bool one_tile(const Block<T>& b) {
  constexpr int L = lanes<Component<Sum<T>>>, U = registers / 2 / components<T>;
  const std::int64_t end = b.outputs * components<T>;
  return end == U * L || end == U / 2 * L || end == U / 4 * L;
}

// y := start(y) + alpha op(A) x
template <class T>
void block_n(const Block<T>& b) {
  if (in_first_cache(b) || one_tile(b)) return small_n(b);
  if (wants_six_streams(b))
    sweep<PassN<T>, 6>(b, b.terms);
  else
    sweep<PassN<T>, 4>(b, b.terms);
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
