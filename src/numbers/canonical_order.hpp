// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The canonical order of a sum: one that its number of terms alone determines, so that every backend, whatever its
// vectors, threads and blocks, has the same bits.
//
//     chunk        256 terms: term k belongs to chunk k / 256
//     partial sum  32 of a chunk: term k belongs to partial sum k mod 32. Its eight terms k, k + 32, ... are added one
//                  after the other to +0, each by fused multiply-adds
//     a chunk      partial sums p and p + 16 are added, then p and p + 8, p + 4, p + 2, p + 1
//     all chunks   a binary tree: chunks 2 i and 2 i + 1 are added, then of those pairs 2 i and 2 i + 1, and so on
//     missing      terms, partial sums and chunks are left out, or +0 is added: no sum is ever -0, so that is the same
//
// A product of complex numbers is four fused multiply-adds: re + a.re x.re, im + a.re x.im, then re - a.im x.im and
// im + a.im x.re. The result is finish(), below. A NaN is written as one bit pattern.
//
// What it is good for: lanes of a GPU are the partial sums of a column, a thread of a GPU or a CPU has some of the
// partial sums of a row, and any 2^k chunks or partial sums with neighbouring places in the tree are a sum of their
// own, which a block or thread computes by itself.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "numbers/double_length.hpp"
#include "numbers/scalar.hpp"

namespace onepass::canonical {

inline constexpr int partial_sums = 32, depth = 8, chunk = partial_sums * depth;

// c + a b with one rounding.
ONEPASS_HOST_DEVICE float fused(float a, float b, float c) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}
ONEPASS_HOST_DEVICE double fused(double a, double b, double c) {
#if defined(__CUDA_ARCH__)
  return __fma_rn(a, b, c);
#else
  return std::fma(a, b, c);
#endif
}

template <class R>
ONEPASS_HOST_DEVICE R add_product(R s, R a, R x) {
  return fused(a, x, s);
}
template <class R>
ONEPASS_HOST_DEVICE Complex<R> add_product(Complex<R> s, Complex<R> a, Complex<R> x) {
  s.re = fused(a.re, x.re, s.re);
  s.im = fused(a.re, x.im, s.im);
  s.re = fused(-a.im, x.im, s.re);
  s.im = fused(a.im, x.re, s.im);
  return s;
}

// Elements that are narrower than the sum.
template <class S, class A, class X>
ONEPASS_HOST_DEVICE S add_product(S s, A a, X x) {
  return add_product(s, as<S>(a), as<S>(x));
}

// The sum of conj(a) x is conjugated(sum of a conj(x)): roundings are symmetric. 0 - 0 is +0, as a sum is.
template <class T>
ONEPASS_HOST_DEVICE T conjugated(T v) {
  if constexpr (is_complex<T>) v.im = 0 - v.im;
  return v;
}

// The one NaN.
template <class T>
ONEPASS_HOST_DEVICE T tidied(T v) {
  if constexpr (is_complex<T>)
    return {tidied(v.re), tidied(v.im)};
  else
    return v != v ? std::numeric_limits<T>::quiet_NaN() : v;
}

// alpha sum + beta y; alpha = 0 and beta = 0 leave their part out, and beta = 1 is no product: 0i times an infinity is
// NaN
template <class S>
ONEPASS_HOST_DEVICE S finish(S alpha, S sum, S beta, S old) {
  S value{};
  if (!(alpha == S{})) value = add_product(value, alpha, sum);
  if (beta == S{1})
    value = value + old;
  else if (!(beta == S{}))
    value = add_product(value, beta, old);
  return tidied(value);
}

// Adds what comes in order as a binary tree does: where 2^level neighbours are complete they become one. S: +, S{}.
template <class S, int levels>
struct Tree {
  S node[levels] = {};  // the left neighbours that wait; node[level] counts where bit `level` of `count` is set

  // The one after `count` others. Written without an index that a compiler would put the nodes into memory for.
  ONEPASS_HOST_DEVICE void push(S value, std::uint32_t count) {
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int level = 0; level < levels; ++level) {
      const std::uint32_t below = (std::uint32_t{1} << level) - 1, bits = count & (2 * below + 1);
      if (bits == below) node[level] = value;
      if (bits == 2 * below + 1) value = node[level] + value;
    }
  }
  // Of `count` that were pushed.
  ONEPASS_HOST_DEVICE S sum(std::uint32_t count) const {
    S value{};
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int level = 0; level < levels; ++level)
      if ((count >> level & 1u) != 0) value = node[level] + value;
    return value;
  }
};

// The definition as code. add(s, k): s with the term k added to it.
template <class S, class Add>
S sum(std::int64_t terms, Add add) {
  Tree<S, 31> tree;
  std::uint64_t count = 0;
  for (std::int64_t first = 0; first < terms; first += chunk, ++count) {
    S partial[partial_sums] = {};
    for (std::int64_t k = first; k < terms && k < first + chunk; ++k)
      partial[k % partial_sums] = add(partial[k % partial_sums], k);
    for (int stride = partial_sums / 2; stride > 0; stride /= 2)
      for (int p = 0; p < stride; ++p) partial[p] = partial[p] + partial[p + stride];
    tree.push(partial[0], static_cast<std::uint32_t>(count));
  }
  return tree.sum(static_cast<std::uint32_t>(count));
}

}  // namespace onepass::canonical
