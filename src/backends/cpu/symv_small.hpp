// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Small symmetric and Hermitian matrices: all vectors begin at multiples of their length, so that what one group of
// columns adds to y is loaded by the next as it was stored. Here a lower triangle of four groups, d as in symv.hpp:
//
//    |d        a group has as many columns as d has rows, those of one vector. Columns that the last group lacks are
//    |ad       zeros in place of a and of x. x lies in memory followed by zeros; sums of y do until their group is
//    done, |aad      which is the last one to touch its rows: that of a lower triangle from above, of an upper one from
//    below. |aaad
#if defined(ONEPASS_CPU_SYMV_SMALL) == defined(HWY_TARGET_TOGGLE)
#ifdef ONEPASS_CPU_SYMV_SMALL
#undef ONEPASS_CPU_SYMV_SMALL
#else
#define ONEPASS_CPU_SYMV_SMALL
#endif

#include <algorithm>

#include "backends/cpu/block.hpp"
#include "backends/cpu/gemv_t.hpp"
#include "backends/cpu/target.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::cpu::ONEPASS_CPU_TARGET {

inline constexpr int most_vectors_of_small = 16;

template <int count>
struct Columns {};

// y := y + alpha A x for all columns.
template <class T, bool lower>
void small_symv(const Triangle<T>& b) {
  using R = Component<T>;
  using V = Vector<R>;
  constexpr int P = components<T>, L = lanes<R>;
  alignas(64) static constexpr R zeros[most_vectors_of_small * L] = {};
  alignas(64) R x[most_vectors_of_small * L];
  V sums[most_vectors_of_small][P];
  const std::int64_t order = b.order, lda = b.lda, end = order * P, last = (end - 1) / L;
  const First rest = {static_cast<int>(end - last * L)};
  for (std::int64_t k = 0; k < last; ++k) store(load(b.x + k * L), x + k * L);
  store(rest.load(b.x + last * L), x + last * L);
  for (std::int64_t k = 0; k <= last; ++k)
    for (int p = 0; p < P; ++p) sums[k][p] = zero<R>();

  const auto group = [&]<int C>(std::int64_t r, auto access, Columns<C>) __attribute__((always_inline)) {
    constexpr int K = std::min(C, 4);  // sums of a row vector that do not wait for each other
    constexpr bool all_there = std::is_same_v<decltype(access), Whole>;
    const R* a[C];
    V t[C][P][1];
#pragma GCC unroll 16
    for (int c = 0; c < C; ++c) {
      a[c] = all_there || r * (L / P) + c < order ? b.a + (r * (L / P) + c) * lda : zeros;
      for (int p = 0; p < P; ++p) t[c][p][0] = zero<R>();
    }
    const R* const factors = x + r * L;
    // The row vector k of the columns times x of these columns to the sums of y, and times its x to t.
    const auto step = [&](std::int64_t k, auto access_a, auto add_y, auto add_t) __attribute__((always_inline)) {
      V y[K][P], own_x[2];
#pragma GCC unroll 4
      for (int j = 0; j < K; ++j)
        for (int p = 0; p < P; ++p) y[j][p] = j == 0 ? sums[k][p] : zero<R>();
      own_x[0] = load(x + k * L);
      if constexpr (P == 2) own_x[1] = swap_pairs<R>(own_x[0]);
#pragma GCC unroll 16
      for (int c = 0; c < C; ++c) {
        const V v = in_register(access_a.load(a[c] + k * L));
#pragma GCC unroll 2
        for (int p = 0; p < P; ++p) {
          y[c % K][p] = add_y(y[c % K][p], v, splat(factors[c * P + p]), c);
          t[c][p][0] = add_t(t[c][p][0], v, own_x[p], c);
        }
      }
#pragma GCC unroll 2
      for (int p = 0; p < P; ++p) {
#pragma GCC unroll 4
        for (int j = K / 2; j > 0; j /= 2)
#pragma GCC unroll 4
          for (int i = 0; i < j; ++i) y[i][p] = add(y[i][p], y[i + j][p]);
        sums[k][p] = y[0][p];
      }
    };
    const auto whole = [](V sum, V v, V factor, int) __attribute__((always_inline)) {
      return add_product(sum, v, factor);
    };
    const auto below = [=](V sum, V v, V factor, int c) __attribute__((always_inline)) {
      const V added = add_product(sum, v, factor);
      return lower ? first_of<R>((c + 1) * P, sum, added) : first_of<R>(c * P, added, sum);
    };
    const auto with_diagonal = [=](V sum, V v, V factor, int c) __attribute__((always_inline)) {
      const V added = add_product(sum, v, factor);
      return lower ? first_of<R>(c * P, sum, added) : first_of<R>((c + 1) * P, added, sum);
    };
    if constexpr (P == 2) {
      const auto with_real_diagonal = [=](V sum, V v, V factor, int c) __attribute__((always_inline)) {
        return with_diagonal(sum, first_of<R>(2 * c + 1, v, without_first<R>(2 * c + 2, v)), factor, c);
      };
      if (b.hermitian)
        step(r, access, with_real_diagonal, below);
      else
        step(r, access, with_diagonal, below);
    } else {
      step(r, access, with_diagonal, below);
    }
    for (std::int64_t k = lower ? r + 1 : 0; k < (lower ? last : r); ++k) step(k, Whole{}, whole, whole);
    if (lower && r < last) step(last, rest, whole, whole);
    V total[1];
    fold<T>(t, b.conjugate != b.hermitian, total);
    const V sum = scaled<T>(b.alpha, add(joined<T>(sums[r], b.conjugate), total[0]));
    R* const y = b.y + r * L;
    access.template store<R>(add(access.load(y), sum), y);
  };
  const auto last_group = [&]() __attribute__((always_inline)) {
    constexpr int C = L / P;
    if (rest.count <= L / 4)
      group(last, rest, Columns<(C + 3) / 4>{});
    else if (rest.count <= L / 2)
      group(last, rest, Columns<(C + 1) / 2>{});
    else
      group(last, rest, Columns<C>{});
  };
  if (!lower) last_group();
  for (std::int64_t r = 0; r < last; ++r) group(lower ? r : last - 1 - r, Whole{}, Columns<L / P>{});
  if (lower) last_group();
}

// Where a part of a vector is loaded by one instruction.
template <class T>
inline constexpr bool has_small_symv = partial_loads&& std::is_same_v<Component<T>, Component<Sum<T>>>;

template <class T>
bool is_small_symv(const Triangle<T>& b) {
  return b.order * components<T> <= most_vectors_of_small * lanes<Component<T>> && b.begin == 0 && b.end == b.order;
}

}  // namespace onepass::cpu::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
