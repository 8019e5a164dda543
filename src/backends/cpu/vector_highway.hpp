// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The vector vocabulary of the kernels, as Highway; compiled once per instruction set.
// vector_plain.hpp gives the same words their second meaning.
#if defined(ONEPASS_CPU_VECTOR_HIGHWAY) == defined(HWY_TARGET_TOGGLE)
#ifdef ONEPASS_CPU_VECTOR_HIGHWAY
#undef ONEPASS_CPU_VECTOR_HIGHWAY
#else
#define ONEPASS_CPU_VECTOR_HIGHWAY
#endif

#include <algorithm>
#include <cstddef>

#include "hwy/highway.h"
#include "numbers/scalar.hpp"

HWY_BEFORE_NAMESPACE();
namespace onepass::cpu::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class R>
using Tag = hn::ScalableTag<R>;
template <class R>
using Vector = hn::Vec<Tag<R>>;

template <class R>
inline constexpr int lanes = static_cast<int>(hn::MaxLanes(Tag<R>()));

#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2
inline constexpr int registers = 16;
#else
inline constexpr int registers = 32;
#endif

// Whether load_first() is one instruction.
inline constexpr bool partial_loads = HWY_MEM_OPS_MIGHT_FAULT == 0;

inline const char* instructions() { return hwy::TargetName(HWY_TARGET); }

template <class R>
HWY_INLINE Vector<R> zero() {
  return hn::Zero(Tag<R>());
}
template <class R>
HWY_INLINE Vector<R> splat(R value) {
  return hn::Set(Tag<R>(), value);
}
template <class R>
HWY_INLINE Vector<R> load(const R* p) {
  return hn::LoadU(Tag<R>(), p);
}
// Half types, widened.
HWY_INLINE Vector<float> load(const Half* p) {
  const hn::Rebind<hwy::float16_t, Tag<float>> narrow;
  return hn::PromoteTo(Tag<float>(), hn::LoadU(narrow, reinterpret_cast<const hwy::float16_t*>(p)));
}
HWY_INLINE Vector<float> load(const Bfloat16* p) {
  const hn::Rebind<hwy::bfloat16_t, Tag<float>> narrow;
  return hn::PromoteTo(Tag<float>(), hn::LoadU(narrow, reinterpret_cast<const hwy::bfloat16_t*>(p)));
}
template <class R>
HWY_INLINE void store(Vector<R> v, R* p) {
  hn::StoreU(v, Tag<R>(), p);
}
// The first `count` components from p on, and zeros; and those of v to p. Nothing behind them is touched.
template <class E>
HWY_INLINE auto load_first(const E* p, int count) {
  constexpr bool widens = sizeof(E) < sizeof(float);
  if constexpr (HWY_MEM_OPS_MIGHT_FAULT || widens) {
    E some[lanes<Sum<E>>] = {};
    std::copy_n(p, count, some);
    return load(some);
  } else {
    const Tag<E> d;
    return hn::MaskedLoad(hn::FirstN(d, static_cast<std::size_t>(count)), d, p);
  }
}
template <class R>
HWY_INLINE void store_first(Vector<R> v, R* p, int count) {
  const Tag<R> d;
  if constexpr (HWY_MEM_OPS_MIGHT_FAULT) {
    R all[lanes<R>];
    hn::StoreU(v, d, all);
    std::copy_n(all, count, p);
  } else {
    hn::BlendedStore(v, hn::FirstN(d, static_cast<std::size_t>(count)), d, p);
  }
}
// a in the first `count` components, b in the others.
template <class R>
HWY_INLINE Vector<R> first_of(int count, Vector<R> a, Vector<R> b) {
  return hn::IfThenElse(hn::FirstN(Tag<R>(), static_cast<std::size_t>(count)), a, b);
}
// Zeros in the first `count` components of v.
template <class R>
HWY_INLINE Vector<R> without_first(int count, Vector<R> v) {
  return hn::IfThenZeroElse(hn::FirstN(Tag<R>(), static_cast<std::size_t>(count)), v);
}
// A vector that is used several times. g++ would rather load it for each of them.
template <class V>
HWY_INLINE V in_register(V v) {
#if HWY_ARCH_X86
  asm("" : "+v"(v.raw));
#endif
  return v;
}
template <class V>
HWY_INLINE V add(V a, V b) {
  return hn::Add(a, b);
}
template <class V>
HWY_INLINE V multiply(V a, V b) {
  return hn::Mul(a, b);
}
// s + a b
template <class V>
HWY_INLINE V add_product(V s, V a, V b) {
  return hn::MulAdd(a, b, s);
}
// (v1, v0, v3, v2, ...)
template <class R>
HWY_INLINE Vector<R> swap_pairs(Vector<R> v) {
  return hn::Reverse2(Tag<R>(), v);
}
// (v0, -v1, v2, -v3, ...)
template <class V>
HWY_INLINE V negate_odd(V v) {
  return hn::OddEven(hn::Neg(v), v);
}
// The sums over the lanes of each of N vectors, one after the other, N at most lanes: the pairs of lanes of two vectors
// are added at a time. W: lanes that still belong to one sum.
template <class R, int N, int W = lanes<R>>
HWY_INLINE Vector<R> sums_of(const Vector<R>* v) {
  if constexpr (W == 1) {
    return v[0];
  } else {
    const Tag<R> d;
    constexpr int half = (N + 1) / 2;
    Vector<R> pairs[half];
#pragma GCC unroll 8
    for (int k = 0; k < half; ++k) {
      const Vector<R> a = v[2 * k], b = v[std::min(2 * k + 1, N - 1)];
      pairs[k] = hn::Add(hn::ConcatEven(d, b, a), hn::ConcatOdd(d, b, a));
    }
    return sums_of<R, half, W / 2>(pairs);
  }
}

}  // namespace onepass::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
