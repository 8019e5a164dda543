// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of packed products: a tile of C is kept in registers while its terms pass by.
//
//     A  p           B   4 columns      C := C - A B
//     |##|         p ####  p            tile: up to 3 vectors of rows, 8 columns (4 with 16 registers; a complex
//     |##|           ####               column counts twice, since v re(b) and v im(b) are summed apart)
//
// A tile of A, of a chunk of terms, stays in the first cache for a block of columns, whose B stays there, too.
#if defined(ONEPASS_LAPACK_PACKED_KERNELS) == defined(HWY_TARGET_TOGGLE)
#ifdef ONEPASS_LAPACK_PACKED_KERNELS
#undef ONEPASS_LAPACK_PACKED_KERNELS
#else
#define ONEPASS_LAPACK_PACKED_KERNELS
#endif

#include <algorithm>

#include "backends/cpu/target.hpp"
#include "lapack/cpu/packed.hpp"

ONEPASS_CPU_BEGIN;
namespace onepass::lapack::ONEPASS_CPU_TARGET {

using namespace cpu::ONEPASS_CPU_TARGET;
using cpu::Component;
using cpu::components;

// Sums that a tile has side by side: each of V vectors by this many numbers.
inline constexpr int sums_across = registers == 32 ? 8 : 4;
template <class T>
inline constexpr int columns_across = sums_across / components<T>;
// Terms that are added up before C is looked at; columns that a tile of A is used for.
inline constexpr std::int64_t terms_at_once = 64;
inline constexpr int blocks_across = 4;

// B as a tile wants it: the columns one by one, or the columns of a term side by side.
template <class T>
struct ByColumns {
  const Component<T>* column[columns_across<T>];
  Component<T> at(std::int64_t p, int n) const {
    return column[n / components<T>][p * components<T> + n % components<T>];
  }
};
template <class T>
struct ByTerms {
  const Component<T>* b;
  std::int64_t ldb;
  Component<T> at(std::int64_t p, int n) const { return b[p * ldb + n]; }
};

template <class T, int V, class B>
[[gnu::always_inline]] inline void add_up(const Component<T>* a, std::int64_t terms, const B b,
                                          Vector<Component<T>> (&sums)[sums_across][V]) {
  using R = Component<T>;
  constexpr int L = lanes<R>;
  for (std::int64_t p = 0; p < terms; ++p, a += V * L) {
    Vector<R> v[V];
#pragma GCC unroll 4
    for (int k = 0; k < V; ++k) v[k] = load(a + k * L);
#pragma GCC unroll 8
    for (int n = 0; n < sums_across; ++n) {
      const Vector<R> factor = splat(b.at(p, n));
#pragma GCC unroll 4
      for (int k = 0; k < V; ++k) sums[n][k] = add_product(sums[n][k], v[k], factor);
    }
  }
}

// Vector k of column n of the product, of its one or two sums.
template <class T, int V>
[[gnu::always_inline]] inline Vector<Component<T>> element(const Vector<Component<T>> (&sums)[sums_across][V], int n,
                                                           int k, bool conjugate) {
  using R = Component<T>;
  if constexpr (is_complex<T>) {
    const Vector<R> by_re = sums[2 * n][k], by_im = sums[2 * n + 1][k];
    return add(by_re, conjugate ? negate_odd(swap_pairs<R>(by_im)) : swap_pairs<R>(negate_odd(by_im)));
  } else {
    return sums[n][k];
  }
}

// Where a tile goes: c := [c +] alpha A B, or with conj(B).
template <class T>
struct Target {
  Component<T>* c;
  std::int64_t ldc;
  Component<T> alpha;
  bool adds, conjugate;
};

// Asks for the tile below it, too, whose turn is soon.
template <class T, int V, class B>
void whole_tile(const Component<T>* a, std::int64_t terms, const B& b, const Target<T>& to) {
  using R = Component<T>;
  constexpr int L = lanes<R>, C = columns_across<T>;
  Vector<R> sums[sums_across][V];
#pragma GCC unroll 8
  for (int n = 0; n < sums_across; ++n)
#pragma GCC unroll 4
    for (int k = 0; k < V; ++k) sums[n][k] = zero<R>();
#pragma GCC unroll 8
  for (int n = 0; n < C; ++n)
#pragma GCC unroll 4
    for (int k = 0; k < V; ++k) __builtin_prefetch(to.c + n * to.ldc + (V + k) * L, 1);
  add_up<T, V>(a, terms, b, sums);
  const Vector<R> alpha = splat(to.alpha);
  const auto finish = [&](auto with) __attribute__((always_inline)) {
#pragma GCC unroll 8
    for (int n = 0; n < C; ++n)
#pragma GCC unroll 4
      for (int k = 0; k < V; ++k) {
        R* const c = to.c + n * to.ldc + k * L;
        store(with(c, element<T, V>(sums, n, k, to.conjugate)), c);
      }
  };
  if (to.adds)
    finish([&](const R* c, Vector<R> v) { return add_product(load(c), v, alpha); });
  else
    finish([&](const R*, Vector<R> v) { return multiply(v, alpha); });
}

// Rows and columns of a tile that belong to C, in elements. Of a lower part those on and below the diagonal are meant,
// of an upper part those on and above it; it crosses column n in row `diagonal` + n.
struct Bounds {
  std::int64_t rows, columns;
  Part part;
  std::int64_t diagonal;
};

template <class T, int V, class B>
void part_of_tile(const Component<T>* a, std::int64_t terms, const B& b, const Target<T>& to, const Bounds& bounds) {
  using R = Component<T>;
  constexpr int height = V * lanes<R>, P = components<T>;
  R whole[columns_across<T> * height];
  whole_tile<T, V>(a, terms, b, Target<T>{whole, height, to.alpha, false, to.conjugate});
  for (std::int64_t n = 0; n < bounds.columns; ++n) {
    const std::int64_t on_diagonal = std::clamp<std::int64_t>(bounds.diagonal + n, 0, bounds.rows);
    const std::int64_t begin = bounds.part == Part::lower ? on_diagonal : 0;
    const std::int64_t end =
        bounds.part == Part::upper ? std::clamp<std::int64_t>(bounds.diagonal + n + 1, 0, bounds.rows) : bounds.rows;
    R* const c = to.c + n * to.ldc;
    for (std::int64_t i = begin * P; i < end * P; ++i)
      c[i] = to.adds ? c[i] + whole[n * height + i] : whole[n * height + i];
  }
}

// Terms from `term` on, for the columns that a tile has side by side, from `column` on.
template <class T, int V>
void block_of_columns(const PackedProduct<T>& p, std::int64_t term, std::int64_t terms, const Component<T>* a,
                      std::int64_t row, std::int64_t column) {
  using R = Component<T>;
  constexpr int P = components<T>, C = columns_across<T>;
  constexpr std::int64_t height = V * lanes<R> / P;
  const std::int64_t columns = std::min<std::int64_t>(C, p.last - column), rows = std::min(height, p.rows - row);
  const Bounds bounds = {rows, columns, p.part, column - row};
  const std::int64_t end = row + rows, last = column + columns;
  if (p.part == Part::lower && end <= column) return;
  if (p.part == Part::upper && row >= last) return;
  const bool crossed = (p.part == Part::lower && row < last - 1) || (p.part == Part::upper && end - 1 > column);
  const Target<T> to = {.c = p.c + row * P + column * p.ldc,
                        .ldc = p.ldc,
                        .alpha = p.alpha,
                        .adds = p.adds || term > 0,
                        .conjugate = p.adjoint};
  const auto multiply_by = [&](const auto& b) {
    if (rows == height && columns == C && !crossed)
      whole_tile<T, V>(a, terms, b, to);
    else
      part_of_tile<T, V>(a, terms, b, to, bounds);
  };
  if (p.adjoint && columns == C) return multiply_by(ByTerms<T>{p.b + term * p.ldb + column * P, p.ldb});
  if (p.adjoint) {
    R few[terms_at_once * sums_across] = {};
    for (std::int64_t k = 0; k < terms; ++k)
      std::copy_n(p.b + (term + k) * p.ldb + column * P, columns * P, few + k * sums_across);
    return multiply_by(ByTerms<T>{few, sums_across});
  }
  ByColumns<T> b;
  for (int n = 0; n < C; ++n) b.column[n] = p.b + term * P + std::min<std::int64_t>(column + n, p.last - 1) * p.ldb;
  multiply_by(b);
}

template <class T, int V>
void multiply_tiles(const PackedProduct<T>& p) {
  constexpr std::int64_t height = V * lanes<Component<T>>, C = columns_across<T>;
  constexpr std::int64_t rows_of_tile = height / components<T>;
  for (std::int64_t column = p.first; column < p.last; column += blocks_across * C) {
    const std::int64_t last = std::min(p.last, column + blocks_across * C);
    for (std::int64_t term = 0; term < p.a.terms; term += terms_at_once) {
      const std::int64_t terms = std::min(terms_at_once, p.a.terms - term);
      for (std::int64_t row = 0; row < p.rows; row += rows_of_tile) {
        const Component<T>* const a = p.a.data + (row / rows_of_tile * p.a.terms + term) * height;
        for (std::int64_t at = column; at < last; at += C) block_of_columns<T, V>(p, term, terms, a, row, at);
      }
    }
  }
}

template <class T>
void multiply_packed(const PackedProduct<T>& p) {
  switch (p.a.height / lanes<Component<T>>) {
    case 1: return multiply_tiles<T, 1>(p);
    case 2: return multiply_tiles<T, 2>(p);
    default: return multiply_tiles<T, 3>(p);
  }
}

template <class T>
void pack_tiles(const Unpacked<T>& from, int height, std::int64_t first_tile, std::int64_t last_tile,
                Component<T>* packed) {
  using R = Component<T>;
  constexpr int P = components<T>, L = lanes<R>;
  const std::int64_t components_of_rows = from.rows * P;
  for (std::int64_t tile = first_tile; tile < last_tile; ++tile) {
    const std::int64_t row = tile * height, rows = std::min<std::int64_t>(height, components_of_rows - row);
    R* const to = packed + row * from.terms;
    if (rows < height) std::fill_n(to, height * from.terms, R{});
    if (from.adjoint) {
      for (std::int64_t i = 0; i < rows; i += P) {
        const R* const a = from.a + (row + i) / P * from.lda;
        for (std::int64_t k = 0; k < from.terms; ++k) {
          const R* const v = a + (k ^ std::int64_t{from.exchanged}) * P;
          to[k * height + i] = v[0];
          if constexpr (P == 2) to[k * height + i + 1] = -v[1];
        }
      }
    } else {
      for (std::int64_t k = 0; k < from.terms; ++k) {
        const R* const a = from.a + (k ^ std::int64_t{from.exchanged}) * from.lda + row;
        if (rows == height)
          for (int i = 0; i < height; i += L) store(load(a + i), to + k * height + i);
        else
          std::copy_n(a, rows, to + k * height);
      }
    }
  }
}

}  // namespace onepass::lapack::ONEPASS_CPU_TARGET
ONEPASS_CPU_END;

#endif
