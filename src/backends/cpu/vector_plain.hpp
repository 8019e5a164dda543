// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The vector vocabulary of the kernels without a SIMD library: plain loops over 16 bytes, which the
// compiler turns into the vectors of its baseline instruction set.
#pragma once

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "numbers/scalar.hpp"

namespace onepass::cpu::plain {

// The attribute makes the lanes one value to the optimiser; sums kept in arrays of structs of lanes
// went through memory at each step.
template <class R>
requires std::is_arithmetic_v<R>
struct VectorOf {
  typedef R type __attribute__((vector_size(16)));
};
template <class R>
using Vector = typename VectorOf<R>::type;

template <class R>
inline constexpr int lanes = static_cast<int>(16 / sizeof(R));

#if defined(__aarch64__)
inline constexpr int registers = 32;
#else
inline constexpr int registers = 16;
#endif

// Whether load_first() is one instruction.
inline constexpr bool partial_loads = false;

inline const char* instructions() { return "plain loops"; }

template <class R>
inline Vector<R> zero() {
  return Vector<R>{};
}
template <class R>
inline Vector<R> splat(R value) {
  return Vector<R>{} + value;
}
template <class R>
inline Vector<R> load(const R* p) {
  Vector<R> v;
  std::memcpy(&v, p, sizeof(v));
  return v;
}
// Half types, widened.
inline Vector<float> load(const Half* p) { return Vector<float>{widen(p[0]), widen(p[1]), widen(p[2]), widen(p[3])}; }
inline Vector<float> load(const Bfloat16* p) {
  return Vector<float>{widen(p[0]), widen(p[1]), widen(p[2]), widen(p[3])};
}
template <class R>
inline void store(Vector<R> v, R* p) {
  std::memcpy(p, &v, sizeof(v));
}
// The first `count` components from p on, and zeros; and those of v to p. Nothing behind them is touched.
template <class E>
inline auto load_first(const E* p, int count) {
  E some[lanes<Sum<E>>] = {};
  std::copy_n(p, count, some);
  return load(some);
}
template <class R>
inline void store_first(Vector<R> v, R* p, int count) {
  for (int i = 0; i < count; ++i) p[i] = v[i];
}
// a in the first `count` components, b in the others.
template <class R>
inline Vector<R> first_of(int count, Vector<R> a, Vector<R> b) {
  for (int i = 0; i < std::min(count, lanes<R>); ++i) b[i] = a[i];
  return b;
}
// Zeros in the first `count` components of v.
template <class R>
inline Vector<R> without_first(int count, Vector<R> v) {
  return first_of<R>(count, zero<R>(), v);
}
// A vector that is used several times.
template <class V>
inline V in_register(V v) {
  return v;
}
template <class V>
inline V add(V a, V b) {
  return a + b;
}
template <class V>
inline V multiply(V a, V b) {
  return a * b;
}
// s + a b
template <class V>
inline V add_product(V s, V a, V b) {
  return s + a * b;
}
// (v1, v0, v3, v2, ...)
template <class R>
inline Vector<R> swap_pairs(Vector<R> v) {
  if constexpr (lanes<R> == 4)
    return Vector<R>{v[1], v[0], v[3], v[2]};
  else
    return Vector<R>{v[1], v[0]};
}
// (v0, -v1, v2, -v3, ...)
template <class V>
inline V negate_odd(V v) {
  for (unsigned i = 1; i < sizeof(v) / sizeof(v[0]); i += 2) v[i] = -v[i];
  return v;
}
// The sums over the lanes of each of N vectors, one after the other, N at most lanes.
template <class R, int N>
inline Vector<R> sums_of(const Vector<R>* v) {
  Vector<R> sums = {};
  for (int k = 0; k < N; ++k)
    sums[k] = lanes<R> == 4 ? (v[k][0] + v[k][1]) + (v[k][lanes<R> - 2] + v[k][lanes<R> - 1]) : v[k][0] + v[k][1];
  return sums;
}

}  // namespace onepass::cpu::plain
