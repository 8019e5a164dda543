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
#include "backends/cpu/symv_small.hpp"
#include "backends/cpu/target.hpp"
#include "backends/cpu/team.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::cpu::ONEPASS_CPU_TARGET {

// U vectors of rows from component i on, C columns, K sums per column. add_y(sum, v, factor, c) and add_t(...): of a
// vector of column c, what lies in the triangle, with the diagonal and without it.
template <class T, int U, int C, int K, class V, class Access, class AddY, class AddT>
[[gnu::always_inline]] inline void step_symv(const Component<T>* const (&a)[C], const V (&s)[C][components<T>],
                                             const Component<T>* x, Component<Sum<T>>* y, std::int64_t i,
                                             V (&t)[C][components<T>][K], Access access, AddY add_y, AddT add_t) {
  using R = Component<Sum<T>>;
  constexpr int P = components<T>, L = lanes<R>;
  V xs[U][P], sums[U][P];
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    xs[u][0] = access.load(x + i + u * L);
    if constexpr (P == 2) xs[u][1] = swap_pairs<R>(xs[u][0]);
    for (int p = 0; p < P; ++p) sums[u][p] = zero<R>();
  }
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
#pragma GCC unroll 8
    for (int u = 0; u < U; ++u) {
      const V v = in_register(access.load(a[c] + i + u * L));
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) {
        sums[u][p] = add_y(sums[u][p], v, s[c][p], c);
        t[c][p][u % K] = add_t(t[c][p][u % K], v, xs[u][p], c);
      }
    }
  }
#pragma GCC unroll 8
  for (int u = 0; u < U; ++u) {
    if constexpr (P == 2) sums[u][0] = add(sums[u][0], swap_pairs<R>(sums[u][1]));
    // y comes last: the group before this one may have just stored it.
    access.template store<R>(add(access.load(y + i + u * L), sums[u][0]), y + i + u * L);
  }
}

template <class R>
int within_vector(std::int64_t component) {
  return static_cast<int>(std::clamp<std::int64_t>(component, 0, lanes<R>));
}

// The C columns from j on: the triangle d of their own rows, and the rows a below or above it.
template <class T, int C, bool lower>
void columns_symv(const Triangle<T>& b, std::int64_t j) {
  using R = Component<Sum<T>>;
  using V = Vector<R>;
  constexpr int P = components<T>, L = lanes<R>, U = 2;
  // Eight additions in flight hide their latency.
  constexpr int K = P * C < 8 ? 2 : 1;
  const Component<T>* a[C];
  V s[C][P], t[C][P][K];
#pragma GCC unroll 8
  for (int c = 0; c < C; ++c) {
    a[c] = b.a + (j + c) * b.lda;
    signed_factor<T>(b.alpha * get<T>(b.x + (j + c) * P), b.conjugate, s[c]);
    for (int p = 0; p < P; ++p)
      for (int k = 0; k < K; ++k) t[c][p][k] = zero<R>();
  }
  const Component<T>* const x = b.x;
  R* const y = b.y;
  const std::int64_t end_of_all = b.order * P, corner = j * P;  // in components
  const auto whole = [](V sum, V v, V factor, int) __attribute__((always_inline)) {
    return add_product(sum, v, factor);
  };
  // A product with zero would be NaN where the factor is infinite.
  const auto masked = [](V sum, V v, V factor, int first, int last) __attribute__((always_inline)) {
    const V added = add_product(sum, v, factor);
    return first_of<R>(first, sum, last == L ? added : first_of<R>(last, added, sum));
  };
  // A vector of d, whose first column has its diagonal in component `first`, but for the components before `skip`.
  const auto step_diagonal = [&](std::int64_t i, std::int64_t first, int skip, auto access)
      __attribute__((always_inline)) {
    const auto clipped = [=](V sum, V v, V factor, std::int64_t border) __attribute__((always_inline)) {
      const int at = within_vector<R>(border);
      return masked(sum, v, factor, lower ? std::max(at, skip) : skip, lower ? L : at);
    };
    const auto with_diagonal = [&](V sum, V v, V factor, int c) __attribute__((always_inline)) {
      const std::int64_t at = first + c * P;
      if constexpr (is_complex<T>) {
        const int im = b.hermitian ? within_vector<R>(at + 1) : L;
        v = first_of<R>(im, v, without_first<R>(im + (at + 1 >= 0 ? 1 : 0), v));
      }
      return clipped(sum, v, factor, lower ? at : at + P);
    };
    const auto without = [&](V sum, V v, V factor, int c) __attribute__((always_inline)) {
      return clipped(sum, v, factor, first + c * P + (lower ? P : 0));
    };
    step_symv<T, 1>(a, s, x, y, i, t, access, with_diagonal, without);
  };
  // The triangle d: its rows begin or end a block of whole vectors.
  constexpr int own = C * P, side = (own + L - 1) / L * L;
  const std::int64_t from = lower ? corner : corner + own - side, to = from + side;
  // A vector from component i on, of a triangle whose rows are too few for such a block. Where there is no whole vector
  // left it begins earlier.
  const auto partly = [&](std::int64_t i, auto access) __attribute__((always_inline)) {
    const std::int64_t at = std::max<std::int64_t>(std::min(i, end_of_all - L), 0);
    step_diagonal(at, corner - at, static_cast<int>(i - at), access);
  };
  const auto diagonal = [&]() __attribute__((always_inline)) {
#pragma GCC unroll 8
    for (int k = 0; k < side; k += L) step_diagonal(from + k, lower ? -k : side - own - k, 0, Whole{});
  };
  const auto others = [&](std::int64_t i, std::int64_t end) __attribute__((always_inline)) {
    for (; i + U * L <= end; i += U * L) step_symv<T, U>(a, s, x, y, i, t, Whole{}, whole, whole);
    for (; i + L <= end; i += L) step_symv<T, 1>(a, s, x, y, i, t, Whole{}, whole, whole);
    if (i == end) return;
    const std::int64_t at = std::min(i, end_of_all - L);
    const int first = static_cast<int>(i - at), last = static_cast<int>(end - at);
    const auto wanted = [=](V sum, V v, V factor, int) __attribute__((always_inline)) {
      return masked(sum, v, factor, first, last);
    };
    step_symv<T, 1>(a, s, x, y, at, t, Whole{}, wanted, wanted);
  };
  if (end_of_all < L) {
    partly(lower ? corner : 0, First{static_cast<int>(end_of_all)});
  } else if (from < 0 || to > end_of_all) {
    for (std::int64_t i = std::max<std::int64_t>(from, 0); i < std::min(to, end_of_all); i += L) partly(i, Whole{});
  } else {
    if (!lower) others(0, from);
    diagonal();
    if (lower) others(to, end_of_all);
  }

  // y := y + alpha t in the rows of d
  V totals[vectors_of<T, C>];
  fold<T>(t, b.conjugate != b.hermitian, totals);
  each_vector<R, own>([&](int k, auto access) __attribute__((always_inline)) {
    R* const own_y = y + corner + k * L;
    access.template store<R>(add(access.load(own_y), scaled<T>(b.alpha, totals[k])), own_y);
  });
}

// As many columns at a time as there are registers for their sums and factors. Measured in GB/s with eight and with
// four in 32 registers, d L: 1000x1000 35 and 33, 5001x5001 26 and 22, 4096x4096 21 and 22.
template <class T>
inline constexpr int group_symv = is_complex<T> ? 4 : std::min(8, std::max(registers / 4, lanes<Component<Sum<T>>>));

// Fewer columns than C.
template <class T, int C, bool lower>
void few_columns_symv(const Triangle<T>& b, std::int64_t j, std::int64_t columns) {
  constexpr int half = C / 2;
  if (columns >= half) columns_symv<T, half, lower>(b, j);
  if constexpr (half > 1) few_columns_symv<T, half, lower>(b, columns >= half ? j + half : j, columns % half);
}

// y := y + alpha A x for the columns of the block. Forward is away from the corner where columns are long: the rows of
// a group's own triangle, which are stored last, are then not read by the next one. Columns that the groups leave over
// come first in a lower triangle and last in an upper one: a group has a multiple of four rows, and vectors leave less
// over.
template <class T, bool lower>
void sweep_symv(const Triangle<T>& b) {
  constexpr int C = group_symv<T>;
  const std::int64_t left = (b.end - b.begin) % C, groups = (b.end - b.begin) / C;
  const std::int64_t first_of_left = lower ? b.begin : b.end - left, first_of_groups = b.begin + (lower ? left : 0);
  const auto leave_over = [&] { few_columns_symv<T, C, lower>(b, first_of_left, left); };
  const bool forward = b.direction == Direction::forward;
  if (forward) leave_over();
  for (std::int64_t k = 0; k < groups; ++k)
    columns_symv<T, C, lower>(b, first_of_groups + (forward == lower ? k : groups - 1 - k) * C);
  if (!forward) leave_over();
}

template <class T>
void block_symv(const Triangle<T>& b) {
  if constexpr (has_small_symv<T>)
    if (is_small_symv(b)) return b.uplo == Uplo::lower ? small_symv<T, true>(b) : small_symv<T, false>(b);
  if (b.uplo == Uplo::lower)
    sweep_symv<T, true>(b);
  else
    sweep_symv<T, false>(b);
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
