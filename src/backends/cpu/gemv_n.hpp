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

// U vectors of y from component i on, the last of them from component `last` on.
template <class T, int C, Start start, int U, class V>
[[gnu::always_inline]] inline void step_n(const Component<T>* const (&a)[C], const V (&s)[C][components<T>],
                                          Component<Sum<T>>* y, Sum<T> beta, std::int64_t i, std::int64_t last) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  const auto at = [=](int u) { return u == U - 1 ? last : i + u * L; };
  V sums[U][P];
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    for (int p = 0; p < P; ++p) sums[u][p] = zero<R>();
    if constexpr (start == Start::keep) sums[u][0] = load(y + at(u));
    if constexpr (start == Start::scaled) sums[u][0] = scaled<T>(beta, load(y + at(u)));
  }
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) {
      const V v = in_register(load(a[c] + at(u)));
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) sums[u][p] = add_product(sums[u][p], v, s[c][p]);
    }
  }
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    if constexpr (is_complex<T>) sums[u][0] = add(sums[u][0], swap_pairs<R>(sums[u][1]));
    store(sums[u][0], y + at(u));
  }
}

// y := start(y) + the C columns first, first + distance, ...: at least a vector of each.
template <class T, int C, Start start>
[[gnu::always_inline]] inline void columns_n(const Block<T>& b, std::int64_t first, std::int64_t distance) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  constexpr int U = step_vectors<T>;
  Vector<R> s[C][P];  // alpha x
  const Component<T>* a[C];
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
    a[c] = b.a + first * b.lda + c * (distance * b.lda);
    signed_factor<T>(b.alpha * get<T>(b.x + first * b.incx + c * (distance * b.incx)), b.conjugate, s[c]);
  }
  R* const y = b.y;
  const Sum<T> beta = b.beta;
  const std::int64_t end = b.outputs * P;
  // Rows that fill no vector are in one with others that overlaps with the vector before it.
  const std::int64_t even = end % L == 0 ? end : (end / L - 1) * L;
  std::int64_t i = 0;
  for (; i + U * L <= even; i += U * L) step_n<T, C, start, U>(a, s, y, beta, i, i + (U - 1) * L);
  if constexpr (U > 1) {
    for (; i < even; i += L) step_n<T, C, start, 1>(a, s, y, beta, i, i);
  }
  if (i < end) step_n<T, C, start, 2>(a, s, y, beta, i, end - L);
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
  static constexpr bool shares_last = true;
  template <int C>
  static void run(const Block<T>& b, std::int64_t first, std::int64_t distance, bool begins) {
    pass_n<T, C>(b, first, distance, begins);
  }
};

// y := start(y) + alpha op(A) x for U vectors of y from component i on, the last of them from component `last` on. They
// are kept in registers while all columns pass by, K at a time with sums of their own: the fewer vectors, the longer
// one addition would wait for the last.
template <class T, int U, class Access>
void tile_n(const Block<T>& b, std::int64_t i, std::int64_t last, Access access) {
  using R = Component<Sum<T>>;
  using V = Vector<R>;
  constexpr int P = components<T>, L = lanes<R>, K = std::clamp(registers / 2 / P / U, 1, 4);
  const auto at = [=](int u) { return u == U - 1 ? last - i : u * L; };
  V sums[K][U][P];
#pragma GCC unroll 4
  for (int j = 0; j < K; ++j)
#pragma GCC unroll 16
    for (int u = 0; u < U; ++u)
      for (int p = 0; p < P; ++p) sums[j][u][p] = zero<R>();
  const Component<T>* a = b.a + i;
  const Component<T>* x = b.x;
  const std::int64_t terms = b.terms, lda = b.lda, incx = b.incx;
  const auto add_column = [&](int j) __attribute__((always_inline)) {
    const Sum<T> factor = get<T>(x + j * incx);
    V s[P];
    if constexpr (is_complex<T>) {
      s[0] = splat(factor.re);
      s[1] = splat(factor.im);
    } else {
      s[0] = splat(factor);
    }
#pragma GCC unroll 16
    for (int u = 0; u < U; ++u) {
      const V v = in_register(access.load(a + j * lda + at(u)));
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) sums[j][u][p] = add_product(sums[j][u][p], v, s[p]);
    }
  };
  std::int64_t k = 0;
  for (; k + K <= terms; k += K, a += K * lda, x += K * incx) {
#pragma GCC unroll 4
    for (int j = 0; j < K; ++j) add_column(j);
  }
  if constexpr (K > 1) {
    for (; k < terms; ++k, a += lda, x += incx) add_column(0);
  }
  R* const y = b.y + i;
  V result[U];
#pragma GCC unroll 16
  for (int u = 0; u < U; ++u) {
#pragma GCC unroll 4
    for (int j = 1; j < K; ++j)
      for (int p = 0; p < P; ++p) sums[0][u][p] = add(sums[0][u][p], sums[j][u][p]);
    result[u] = finished<T>(b, y + at(u), joined<T>(sums[0][u], b.conjugate), access);
  }
#pragma GCC unroll 16
  for (int u = 0; u < U; ++u) access.template store<R>(result[u], y + at(u));
}

template <class T>
inline constexpr int most_of_tile = registers / 2 / components<T>;

// Likewise for `vectors` of them, 1 to U.
template <class T, int U = most_of_tile<T>>
void tile_of(int vectors, const Block<T>& b, std::int64_t i, std::int64_t last) {
  if constexpr (U > 1)
    if (vectors < U) return tile_of<T, U - 1>(vectors, b, i, last);
  tile_n<T, U>(b, i, last, Whole{});
}

// A matrix in the first cache: there the order of reading is free, and y never leaves the registers. Rows that fill no
// vector are in one with others, which overlaps with the vector before it in the same tile.
template <class T>
void small_n(const Block<T>& b) {
  constexpr std::int64_t L = lanes<Component<Sum<T>>>, U = most_of_tile<T>;
  const std::int64_t end = b.outputs * components<T>;
  if (end < L) return tile_n<T, 1>(b, 0, 0, First{static_cast<int>(end)});
  std::int64_t i = 0;
  while (end - i > U * L) {
    const std::int64_t vectors = std::min(U, (end - i) / L - 1);
    tile_of<T>(static_cast<int>(vectors), b, i, i + (vectors - 1) * L);
    i += vectors * L;
  }
  tile_of<T>(static_cast<int>((end - i + L - 1) / L), b, i, end - L);
}

// Columns so short that one tile holds all of y: they are one stream, read in order. Of complex numbers two tiles, if
// the second finds the columns in the second cache.
template <class T>
bool few_tiles(const Block<T>& b) {
  const std::int64_t vectors = (b.outputs * components<T> + lanes<Component<Sum<T>>> - 1) / lanes<Component<Sum<T>>>;
  return vectors <= most_of_tile<T> || (vectors <= registers / 2 && matrix_bytes(b) <= caches().second);
}

// y := start(y) + alpha op(A) x
template <class T>
void block_n(const Block<T>& b) {
  if (in_first_cache(b) || few_tiles(b)) return small_n(b);
  sweep_streams<PassN>(b, b.terms);
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
