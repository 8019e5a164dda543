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
#include "problem/scalar.hpp"

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
// The components first..last of v, and zeros.
template <class R>
HWY_INLINE Vector<R> keep(Vector<R> v, int first, int last) {
  const Tag<R> d;
  const auto before = hn::FirstN(d, static_cast<std::size_t>(first)),
             up_to = hn::FirstN(d, static_cast<std::size_t>(last));
  return hn::IfThenElseZero(hn::AndNot(before, up_to), v);
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
// The blocks of 16 bytes of v, added up; D: its tag.
template <class D, class V>
HWY_INLINE auto sum_of_blocks(V v) {
  if constexpr (hn::MaxLanes(D()) * sizeof(hn::TFromD<D>) > 16) {
    const hn::Half<D> half;
    return sum_of_blocks<hn::Half<D>>(hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)));
  } else {
    return v;
  }
}
// (a0 + a2, b0 + b2, a1 + a3, b1 + b3) of each block of 16 bytes, for elements as wide as those of D.
template <class D, class V>
HWY_INLINE V sum_pair(D d, V a, V b) {
  return hn::Add(hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b));
}
// The sums over the lanes of as many vectors as a block has lanes.
HWY_INLINE void sums_of_block(const Vector<double>* v, double* to) {
  const Tag<double> d;
  const auto sums = sum_of_blocks<Tag<double>>(sum_pair(d, v[0], v[1]));
  hn::StoreU(sums, hn::DFromV<decltype(sums)>(), to);
}
HWY_INLINE void sums_of_block(const Vector<float>* v, float* to) {
  const Tag<float> d;
  const Tag<double> wide;
  const auto low = hn::BitCast(wide, sum_pair(d, v[0], v[1])), high = hn::BitCast(wide, sum_pair(d, v[2], v[3]));
  const auto sums = sum_of_blocks<Tag<float>>(hn::Add(hn::BitCast(d, hn::InterleaveLower(wide, low, high)),
                                                      hn::BitCast(d, hn::InterleaveUpper(wide, low, high))));
  hn::StoreU(sums, hn::DFromV<decltype(sums)>(), to);
}
template <class R>
HWY_INLINE R sum(Vector<R> v) {
  return hn::GetLane(hn::SumOfLanes(Tag<R>(), v));
}

}  // namespace onepass::cpu::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
