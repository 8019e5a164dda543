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
#include "backends/cpu/team.hpp"

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

// y_c := y_c + alpha t_c for the C columns from j on.
template <class T, int C>
[[gnu::always_inline]] inline void add_totals(const Triangle<T>& b, std::int64_t j, const Sum<T> (&totals)[C]) {
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
    Component<Sum<T>>* const y = b.y + (j + c) * components<T>;
    put<Sum<T>>(y, multiply_add(get<Sum<T>>(y), b.alpha, totals[c]));
  }
}

// The C columns from j on in some rows, none of which crosses the diagonal.
template <class T, int C>
[[gnu::always_inline]] inline void pass_symv(const Triangle<T>& b, std::int64_t j, Range rows) {
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
  const std::int64_t end = rows.end * P;
  std::int64_t i = rows.begin * P;
  for (; i + U * L <= end; i += U * L) step_symv<T, U>(a, s, x, y, i, t);
  for (; i + L <= end; i += L) step_symv<T, 1>(a, s, x, y, i, t);

  const bool mirrored = b.conjugate != b.hermitian;
  Sum<T> totals[C];
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
  add_totals(b, j, totals);
}

// The small triangle on the diagonal at column j: t_k += A(k, c) x_c and t_c += A(c, k) x_k for k > c. Its element
// (k, c) lies below the diagonal of a lower triangle, and is (c, k) above that of an upper one.
template <class T, int C>
[[gnu::always_inline]] inline void corner_symv(const Triangle<T>& b, std::int64_t j) {
  constexpr int P = components<T>;
  const bool lower = b.uplo == Uplo::lower, mirrored = b.conjugate != b.hermitian;
  const bool conjugate_k = lower ? b.conjugate : mirrored, conjugate_c = lower ? mirrored : b.conjugate;
  const std::int64_t step_c = lower ? b.lda : P, step_k = lower ? P : b.lda;
  const Component<T>* const a = b.a + j * (b.lda + P);
  Sum<T> xs[C], totals[C];
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
    Sum<T> diagonal = get<T>(a + c * (b.lda + P));
    if constexpr (is_complex<T>)
      if (b.hermitian) diagonal.im = 0;
    xs[c] = get<T>(b.x + (j + c) * P);
    totals[c] = diagonal * xs[c];
  }
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
#pragma GCC unroll 8
    for (int k = c + 1; k < C; ++k) {
      const Sum<T> v = get<T>(a + c * step_c + k * step_k);
      totals[k] = multiply_add(totals[k], conjugate_if(conjugate_k, v), xs[c]);
      totals[c] = multiply_add(totals[c], conjugate_if(conjugate_c, v), xs[k]);
    }
  }
  add_totals(b, j, totals);
}

// The C columns from j on: the rows below or above them, and their own triangle.
template <class T, int C>
void columns_symv(const Triangle<T>& b, std::int64_t j) {
  const bool lower = b.uplo == Uplo::lower;
  pass_symv<T, C>(b, j, lower ? Range{.begin = j + C, .end = b.order} : Range{.begin = 0, .end = j});
  if constexpr (C <= 4) {
    corner_symv<T, C>(b, j);
  } else {
    constexpr int H = C / 2;
    const std::int64_t middle = j + H;
    corner_symv<T, H>(b, j);
    if (lower)
      pass_symv<T, H>(b, j, {.begin = middle, .end = j + C});
    else
      pass_symv<T, H>(b, middle, {.begin = j, .end = middle});
    corner_symv<T, H>(b, middle);
  }
}

// Eight columns at a time; complex numbers have registers for four. Measured in GB/s with eight and with four, d L:
// 1000x1000 35 and 33, 5001x5001 26 and 22, 4096x4096 21 and 22.
template <class T>
inline constexpr int group_symv = 8 / components<T>;

// y := y + alpha A x for the columns of the block. Those that the groups leave over come first in a lower triangle and
// last in an upper one: then a group has a multiple of four rows, and vectors leave nothing over.
template <class T>
void block_symv(const Triangle<T>& b) {
  constexpr int C = group_symv<T>;
  const bool lower = b.uplo == Uplo::lower;
  const bool forward = b.direction == Direction::forward;
  const std::int64_t left = (b.end - b.begin) % C, single = left % 4, groups = (b.end - b.begin) / C;
  const std::int64_t first_of_left = lower ? b.begin : b.end - left, first_of_groups = b.begin + (lower ? left : 0);
  const auto leave_over = [&] {
    for (std::int64_t k = 0; k < single; ++k) columns_symv<T, 1>(b, first_of_left + (lower ? 0 : left - single) + k);
    if (C > 4 && left >= 4) columns_symv<T, 4>(b, first_of_left + (lower ? single : 0));
  };
  if (lower == forward) leave_over();
  for (std::int64_t k = 0; k < groups; ++k) columns_symv<T, C>(b, first_of_groups + (forward ? k : groups - 1 - k) * C);
  if (lower != forward) leave_over();
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
