// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums with twice the digits of their type: Dot2 of Ogita, Rump and Oishi, built of error-free transformations (Knuth,
// Dekker). A sum and a product are rounded, and what was rounded off is computed exactly and kept.
#pragma once

#include <cmath>

#include "numbers/scalar.hpp"

#if defined(__FAST_MATH__)
#error "fast-math would remove what was rounded off: error-free transformations need IEEE arithmetic"
#endif

namespace onepass {

// A sum as rounded, and the sum of all that was rounded off on the way.
template <class R>
struct Twice {
  R value{}, rest{};
  bool operator==(const Twice&) const = default;
};

// A number as the sum of two, an element of type w: the tail is at most half a unit in the last place of the head. In
// a sum under way it may be more, until that is settled().
struct alignas(16) DoubleDouble {
  double head{}, tail{};
  bool operator==(const DoubleDouble&) const = default;
};

template <class T>
inline constexpr bool is_twice = false;
template <class R>
inline constexpr bool is_twice<Twice<R>> = true;

// An element of a vector that is given as two, whose sum is meant.
template <class T>
struct HeadTail {
  T head{}, tail{};
  bool operator==(const HeadTail&) const = default;
};
template <class T>
inline constexpr bool is_head_tail = false;
template <class T>
inline constexpr bool is_head_tail<HeadTail<T>> = true;

namespace detail {

// One rounding each, whatever the compiler is allowed to contract into a fused multiply-add.
#if defined(__CUDA_ARCH__)
ONEPASS_HOST_DEVICE double add(double a, double b) { return __dadd_rn(a, b); }
ONEPASS_HOST_DEVICE double multiply(double a, double b) { return __dmul_rn(a, b); }
ONEPASS_HOST_DEVICE double fused_multiply_add(double a, double b, double c) { return __fma_rn(a, b, c); }
ONEPASS_HOST_DEVICE bool is_finite(double v) { return (__double2hiint(v) & 0x7ff00000) != 0x7ff00000; }
#else
// The compiler does not look through it.
inline double rounded(double v) {
#if defined(__x86_64__)
  asm("" : "+x"(v));
#elif defined(__aarch64__)
  asm("" : "+w"(v));
#else
  volatile double copy = v;
  v = copy;
#endif
  return v;
}
inline double add(double a, double b) { return rounded(a + b); }
inline double multiply(double a, double b) { return rounded(a * b); }
inline double fused_multiply_add(double a, double b, double c) { return std::fma(a, b, c); }
inline bool is_finite(double v) { return std::isfinite(v); }
#endif

}  // namespace detail

// a + b, and what was rounded off.
ONEPASS_HOST_DEVICE Twice<double> exact_sum(double a, double b) {
  const double sum = detail::add(a, b), of_b = detail::add(sum, -a);
  return {sum, detail::add(detail::add(a, -detail::add(sum, -of_b)), detail::add(b, -of_b))};
}
// a b, and what was rounded off.
ONEPASS_HOST_DEVICE Twice<double> exact_product(double a, double b) {
  const double product = detail::multiply(a, b);
  return {product, detail::fused_multiply_add(a, b, -product)};
}

// s + a b: the steps of exact_sum(s, a b), where one fused multiply-add takes what was rounded off the product along.
ONEPASS_HOST_DEVICE Twice<double> add_product(double s, double a, double b) {
  const double sum = detail::add(s, detail::multiply(a, b)), of_product = detail::add(sum, -s);
  const double off_s = detail::add(s, -detail::add(sum, -of_product));
  return {sum, detail::add(off_s, detail::fused_multiply_add(a, b, -of_product))};
}
ONEPASS_HOST_DEVICE Twice<double> multiply_add(Twice<double> s, double a, double b) {
  const Twice<double> sum = add_product(s.value, a, b);
  return {sum.value, detail::add(s.rest, sum.rest)};
}
ONEPASS_HOST_DEVICE Twice<double> multiply_add(Twice<double> s, double a, Twice<double> b) {
  const Twice<double> sum = add_product(s.value, a, b.value);
  return {sum.value, detail::add(s.rest, detail::fused_multiply_add(a, b.rest, sum.rest))};
}
ONEPASS_HOST_DEVICE Twice<double> operator+(Twice<double> a, Twice<double> b) {
  const Twice<double> sum = exact_sum(a.value, b.value);
  return {sum.value, detail::add(sum.rest, detail::add(a.rest, b.rest))};
}
ONEPASS_HOST_DEVICE Twice<double> operator-(Twice<double> a) { return {-a.value, -a.rest}; }
ONEPASS_HOST_DEVICE Twice<double> operator*(double a, Twice<double> b) {
  const Twice<double> product = exact_product(a, b.value);
  return {product.value, detail::fused_multiply_add(a, b.rest, product.rest)};
}

// The same sum, its tail at most half a unit in the last place of its head: nothing is rounded off. The tail of what is
// infinite or NaN is zero. Other types have nothing to settle.
template <class T>
ONEPASS_HOST_DEVICE T settled(T v) {
  return v;
}
ONEPASS_HOST_DEVICE DoubleDouble settled(DoubleDouble v) {
  const Twice<double> sum = exact_sum(v.head, v.tail);
  if (detail::is_finite(sum.value)) return {sum.value, sum.rest};
  return {detail::is_finite(v.head) ? sum.value : v.head, 0};
}
// s + a b. What is rounded off of the products of tails and of the sum's tail is at most 2^-53 of them each: where a, b
// and s are settled, of 2^-53 of the sum of magnitudes.
ONEPASS_HOST_DEVICE DoubleDouble multiply_add(DoubleDouble s, DoubleDouble a, DoubleDouble b) {
  const Twice<double> sum = add_product(s.head, a.head, b.head);
  double rest = detail::fused_multiply_add(a.head, b.tail, sum.rest);
  rest = detail::fused_multiply_add(a.tail, b.head, rest);
  rest = detail::fused_multiply_add(a.tail, b.tail, rest);
  return {sum.value, detail::add(s.tail, rest)};
}
// Not settled: of many sums one after the other, each waits for one addition of the one before.
ONEPASS_HOST_DEVICE DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
  const Twice<double> sum = exact_sum(a.head, b.head);
  return {sum.value, detail::add(sum.rest, detail::add(a.tail, b.tail))};
}
ONEPASS_HOST_DEVICE DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
  return settled(multiply_add(DoubleDouble{}, a, b));
}

template <class R, class B>
ONEPASS_HOST_DEVICE Complex<Twice<R>> multiply_add(Complex<Twice<R>> s, Complex<R> a, Complex<B> b) {
  s.re = multiply_add(s.re, a.re, b.re);
  s.im = multiply_add(s.im, a.re, b.im);
  s.re = multiply_add(s.re, -a.im, b.im);
  s.im = multiply_add(s.im, a.im, b.re);
  return s;
}
template <class R>
ONEPASS_HOST_DEVICE Complex<Twice<R>> operator*(Complex<R> a, Complex<Twice<R>> b) {
  return {a.re * b.re + (-a.im) * b.im, a.re * b.im + a.im * b.re};
}

// A sum as a plain number. Where it is infinite or NaN, its rest is NaN and says nothing.
ONEPASS_HOST_DEVICE double collected(Twice<double> s) {
  return s.value - s.value == 0 ? detail::add(s.value, s.rest) : s.value;
}

// Into the type of factors or sums.
template <class To, class From>
ONEPASS_HOST_DEVICE To as(From v) {
  const auto w = widen(v);
  if constexpr (std::is_same_v<To, decltype(widen(v))>) {
    return w;
  } else if constexpr (is_complex<To>) {
    return {as<RealOf<To>>(w.re), as<RealOf<To>>(w.im)};
  } else if constexpr (is_twice<To>) {
    return {w, 0};
  } else {
    return static_cast<To>(w);
  }
}
// Head and tail may overlap: their sum is exact, or that of doubles.
template <class To, class T>
ONEPASS_HOST_DEVICE To as(HeadTail<T> v) {
  if constexpr (is_complex<To>) {
    using R = RealOf<T>;
    return {as<RealOf<To>>(HeadTail<R>{v.head.re, v.tail.re}), as<RealOf<To>>(HeadTail<R>{v.head.im, v.tail.im})};
  } else if constexpr (is_twice<To>) {
    return exact_sum(v.head, v.tail);
  } else {
    return static_cast<To>(v.head) + static_cast<To>(v.tail);
  }
}
// Out of the type of sums.
template <class To, class From>
ONEPASS_HOST_DEVICE To rounded(From v) {
  if constexpr (is_complex<To>) {
    return {rounded<RealOf<To>>(v.re), rounded<RealOf<To>>(v.im)};
  } else if constexpr (std::is_same_v<To, DoubleDouble>) {
    return settled(v);
  } else if constexpr (is_twice<From>) {
    return narrow<To>(collected(v));
  } else {
    return narrow<To>(static_cast<Sum<To>>(v));
  }
}
// Likewise as head and tail. The tail of what is infinite or NaN is zero.
template <class To, class From>
ONEPASS_HOST_DEVICE HeadTail<To> split(From v) {
  if constexpr (is_complex<To>) {
    const HeadTail<RealOf<To>> re = split<RealOf<To>>(v.re), im = split<RealOf<To>>(v.im);
    return {{re.head, im.head}, {re.tail, im.tail}};
  } else if constexpr (is_twice<From>) {
    const Twice<double> sum = exact_sum(v.value, v.rest);
    return v.value - v.value == 0 && sum.value - sum.value == 0 ? HeadTail<To>{sum.value, sum.rest}
                                                                : HeadTail<To>{collected(v), 0};
  } else {
    const To head = static_cast<To>(v);
    return {head, head - head == 0 ? static_cast<To>(v - static_cast<From>(head)) : To{}};
  }
}
// a b as a sum: exactly, where it has twice the digits.
template <class S, class F, class G>
ONEPASS_HOST_DEVICE S product_of(F a, G b) {
  if constexpr (std::is_same_v<S, F> && std::is_same_v<S, G>) {
    return a * b;
  } else {
    return multiply_add(S{}, a, b);
  }
}
// alpha s
template <class Scalar, class S>
ONEPASS_HOST_DEVICE S scaled(Scalar alpha, S s) {
  if constexpr (std::is_same_v<S, Scalar> || is_twice<RealOf<S>>) {
    return alpha * s;
  } else {
    return as<S>(alpha) * s;
  }
}

}  // namespace onepass
