// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Symmetric and Hermitian matrices: each element of the stored triangle is read once and used twice.
//
//    \              C neighbouring columns a at a time, here of a lower triangle. With x and y of the rows below the
//    |d\            small triangle d of the diagonal:
//    |aa|              y += s0 a0 + s1 a1 + ...      s = alpha x of the columns, as gemv_n does
//    |aa|              t0 += a0 . x, t1 += a1 . x    as gemv_t does; then y += alpha t for the columns themselves
#if defined(ONEPASS_CPU_SYMV) == defined(HWY_TARGET_TOGGLE)
#ifdef ONEPASS_CPU_SYMV
#undef ONEPASS_CPU_SYMV
#else
#define ONEPASS_CPU_SYMV
#endif

#include <algorithm>

#include "backends/cpu/block.hpp"
#include "backends/cpu/gemv_n.hpp"
#include "backends/cpu/gemv_t.hpp"
#include "backends/cpu/target.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::cpu::ONEPASS_CPU_TARGET {

// U vectors of rows from component i on, C columns, K sums per column.
template <class T, int U, int C, int K, class V>
[[gnu::always_inline]] inline void step_symv(const Component<T>* const (&a)[C], const V (&s)[C][components<T>],
                                             const Component<T>* x, Component<Sum<T>>* y, std::int64_t i,
                                             V (&t)[C][components<T>][K]) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  V xs[U][P], sums[U][P];
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    xs[u][0] = load(x + i + u * L);
    sums[u][0] = load(y + i + u * L);
    if constexpr (P == 2) {
      xs[u][1] = swap_pairs<R>(xs[u][0]);
      sums[u][1] = zero<R>();
    }
  }
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) {
      const V v = load(a[c] + i + u * L);
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) {
        sums[u][p] = add_product(sums[u][p], v, s[c][p]);
        t[c][p][u % K] = add_product(t[c][p][u % K], v, xs[u][p]);
      }
    }
  }
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    if constexpr (P == 2) sums[u][0] = add(sums[u][0], swap_pairs<R>(sums[u][1]));
    store(sums[u][0], y + i + u * L);
  }
}

// The rows begin..end of the C columns from j on, none of which crosses the diagonal: y of the rows, and the sums of
// the columns.
template <class T, int C>
[[gnu::always_inline]] inline void rows_symv(const Triangle<T>& b, std::int64_t j, std::int64_t begin,
                                             std::int64_t finish, Sum<T> (&totals)[C]) {
  using R = Component<Sum<T>>;
  using V = Vector<R>;
  constexpr int P = components<T>, L = lanes<R>, U = 2;
  // Two sums per column hide the latency of the additions where registers are left.
  constexpr int K = P * C * 4 <= registers / 2 ? 2 : 1;
  const Component<T>* a[C];
  Sum<T> factor[C];
  V s[C][P], t[C][P][K];
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
    a[c] = b.a + (j + c) * b.lda;
    factor[c] = b.alpha * get<T>(b.x + (j + c) * P);
    signed_factor<T>(factor[c], b.conjugate, s[c]);
    for (int p = 0; p < P; ++p)
      for (int k = 0; k < K; ++k) t[c][p][k] = zero<R>();
  }
  const Component<T>* const x = b.x;
  R* const y = b.y;
  const std::int64_t end = finish * P;
  std::int64_t i = begin * P;
  for (; i + U * L <= end; i += U * L) step_symv<T, U>(a, s, x, y, i, t);
  for (; i + L <= end; i += L) step_symv<T, 1>(a, s, x, y, i, t);

  const bool mirrored = b.conjugate != b.hermitian;
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
    V parts[P];
    for (int p = 0; p < P; ++p) {
      parts[p] = t[c][p][0];
      if constexpr (K > 1) parts[p] = add(parts[p], t[c][p][1]);
    }
    totals[c] = folded<T>(parts, mirrored);
  }
  for (; i < end; i += P) {
    Sum<T> sum = get<Sum<T>>(y + i);
    const Sum<T> xi = get<T>(x + i);
#pragma GCC unroll 8
    for (int c = 0; c < C; ++c) {
      const Sum<T> v = get<T>(a[c] + i);
      sum = multiply_add(sum, conjugate_if(b.conjugate, v), factor[c]);
      totals[c] = multiply_add(totals[c], conjugate_if(mirrored, v), xi);
    }
    put<Sum<T>>(y + i, sum);
  }
}

// The C columns from j on, down from the diagonal or up to it.
template <class T, int C>
void columns_symv(const Triangle<T>& b, std::int64_t j) {
  constexpr int P = components<T>;
  const bool lower = b.uplo == Uplo::lower;
  Sum<T> totals[C];
  rows_symv<T, C>(b, j, lower ? j + C : 0, lower ? b.order : j, totals);

  // The small triangle of the diagonal: t_r += A(r, c) x_c and t_c += A(c, r) x_r.
  Sum<T> xs[C];
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) xs[c] = get<T>(b.x + (j + c) * P);
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
    const Component<T>* const a = b.a + (j + c) * b.lda + j * P;
    Sum<T> diagonal = get<T>(a + c * P);
    if constexpr (is_complex<T>)
      if (b.hermitian) diagonal.im = 0;
    totals[c] = multiply_add(totals[c], diagonal, xs[c]);
#pragma GCC unroll 8
    for (int k = 0; k < C; ++k) {
      if (lower ? k <= c : k >= c) continue;
      const Sum<T> v = get<T>(a + k * P);
      totals[k] = multiply_add(totals[k], conjugate_if(b.conjugate, v), xs[c]);
      totals[c] = multiply_add(totals[c], conjugate_if(b.conjugate != b.hermitian, v), xs[k]);
    }
  }
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
    Component<Sum<T>>* const y = b.y + (j + c) * P;
    put<Sum<T>>(y, multiply_add(get<Sum<T>>(y), b.alpha, totals[c]));
  }
}

// y := y + alpha A x, for the columns of the block. Those left over by groups of four come first in a lower triangle
// and last in an upper one, so that the rows of a group are a multiple of four as well.
template <class T>
void block_symv(const Triangle<T>& b) {
  constexpr int C = 4;
  const std::int64_t left = (b.end - b.begin) % C;
  std::int64_t j = b.begin;
  if (b.uplo == Uplo::lower)
    for (; j < b.begin + left; ++j) columns_symv<T, 1>(b, j);
  for (; j + C <= b.end; j += C) columns_symv<T, C>(b, j);
  for (; j < b.end; ++j) columns_symv<T, 1>(b, j);
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
