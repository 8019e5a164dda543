// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of a few products with twice the digits in four operations a product, not the eight of multiply_add(). A sum s
// starts at an anchor, a number so large that s >= 2 |a b| whatever comes:
//
//     s' = s + a b           rounded
//     q = s' - s             exact, as s / 2 <= s' <= 2 s
//     rest += a b - q        what was rounded off, at most 2^-53 s'
//
// In the end the anchor is taken off, which is exact too. It is 32 times as large as the largest of the products, or
// more, which integers tell: the high word of a double is nearly a logarithm, and the sum of two high words that of a
// product. Read back as a double it is never less than 8/9 of the product. So 16 products are at most 18 times as large
// as it is, and s stays between 13 and 51 times that, with the sum so far, too.
#pragma once

#include <bit>
#include <cstdint>

#include "kernels/blocks/operand.hpp"
#include "numbers/double_length.hpp"

namespace onepass::kernels {

// Of a complex sum, at most, which are 16 products; a real one may have twice as many.
inline constexpr int anchored_terms = 8;
// Of n terms Dot2 loses at most (2 n 2^-53)^2 of the sum M of their magnitudes, and 16 products around an anchor, whose
// rests are up to 2^-48 times the largest of them, 4350 2^-106 M. So sums of fewer terms than this have no anchor.
inline constexpr int least_anchored = 64;

// Whether the sums of these elements can have an anchor: those with twice the digits. Only the complex ones of them
// take longer than the bytes in every kernel.
template <class E>
inline constexpr bool can_have_anchor = is_twice<RealOf<typename E::Sum>> && !is_head_tail<typename E::X>;
template <class E>
inline constexpr bool has_anchor = can_have_anchor<E>&& is_complex<typename E::Sum>;

// Of |v|, of a complex number for its larger part; from 2^1017 on all bits of that.
ONEPASS_HOST_DEVICE std::uint32_t high_word(double v) {
#if defined(__CUDA_ARCH__)
  return static_cast<std::uint32_t>(__double2hiint(v)) & 0x7fffffffu;
#else
  return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(v) >> 32) & 0x7fffffffu;
#endif
}
ONEPASS_HOST_DEVICE std::uint32_t high_word(Complex<double> v) {
#if defined(__CUDA_ARCH__)
  // Read as floats, of which one instruction takes the larger magnitude.
  std::uint32_t high;
  asm("{ .reg .f32 re, im; abs.f32 re, %1; abs.f32 im, %2; max.NaN.f32 re, re, im; mov.b32 %0, re; }"
      : "=r"(high)
      : "f"(__int_as_float(__double2hiint(v.re))), "f"(__int_as_float(__double2hiint(v.im))));
  return high;
#else
  constexpr std::uint32_t infinity = 0x7f800000u, nan = 0x7fffffffu;
  const std::uint32_t re = high_word(v.re), im = high_word(v.im), larger = re > im ? re : im;
  return larger > infinity ? nan : larger;
#endif
}

// A product by the sum of the high words of its factors, and the number 2^log2_times as large.
struct HighProduct {
  static constexpr std::uint32_t bias = 1023u << 20, least = bias + (200u << 20), most = bias + (2030u << 20);

  // Whether it is neither so small that the rest would underflow, nor zero, nor so large that the anchor would
  // overflow. Infinite factors stay so with any anchor.
  static ONEPASS_HOST_DEVICE bool is_usual(std::uint32_t product) { return product - least <= most - least; }
  static ONEPASS_HOST_DEVICE double times(std::uint32_t product, std::uint32_t log2_times) {
    const std::uint32_t high = product - bias + (log2_times << 20);
#if defined(__CUDA_ARCH__)
    return __hiloint2double(static_cast<int>(high), 0);
#else
    return std::bit_cast<double>(static_cast<std::uint64_t>(high) << 32);
#endif
  }
};

// The largest of some products.
class LargestProduct {
 public:
  // `high`: high_word() of each factor.
  ONEPASS_HOST_DEVICE void see(std::uint32_t high_a, std::uint32_t high) {
    const std::uint32_t product = high_a + high, before = other_;
    other_ = last_;
    last_ = product > before ? product : before;
  }
  ONEPASS_HOST_DEVICE bool is_usual() const { return HighProduct::is_usual(largest()); }
  ONEPASS_HOST_DEVICE double anchor() const { return HighProduct::times(largest(), 5); }

 private:
  ONEPASS_HOST_DEVICE std::uint32_t largest() const { return last_ > other_ ? last_ : other_; }
  std::uint32_t last_ = 0, other_ = 0;  // two maxima by turns, which do not wait for each other
};

ONEPASS_HOST_DEVICE Twice<double> add_to_anchored(Twice<double> s, double a, double b) {
  const double sum = detail::fused_multiply_add(a, b, s.value), of_product = detail::add(sum, -s.value);
  return {sum, detail::add(s.rest, detail::fused_multiply_add(a, b, -of_product))};
}
ONEPASS_HOST_DEVICE Complex<Twice<double>> add_to_anchored(Complex<Twice<double>> s, Complex<double> a,
                                                           Complex<double> b) {
  s.re = add_to_anchored(s.re, a.re, b.re);
  s.im = add_to_anchored(s.im, a.re, b.im);
  s.re = add_to_anchored(s.re, -a.im, b.im);
  s.im = add_to_anchored(s.im, a.im, b.re);
  return s;
}

// A first product, and in the end the sum of all.
ONEPASS_HOST_DEVICE Twice<double> start_at_anchor(double anchor, double a, double b) {
  const double sum = detail::fused_multiply_add(a, b, anchor), of_product = detail::add(sum, -anchor);
  return {sum, detail::fused_multiply_add(a, b, -of_product)};
}
ONEPASS_HOST_DEVICE Complex<Twice<double>> start_at_anchor(double anchor, Complex<double> a, Complex<double> b) {
  const Twice<double> re = start_at_anchor(anchor, a.re, b.re), im = start_at_anchor(anchor, a.re, b.im);
  return {add_to_anchored(re, -a.im, b.im), add_to_anchored(im, a.im, b.re)};
}
ONEPASS_HOST_DEVICE Twice<double> without_anchor(Twice<double> s, double anchor) {
  return {detail::add(s.value, -anchor), s.rest};
}
ONEPASS_HOST_DEVICE Complex<Twice<double>> without_anchor(Complex<Twice<double>> s, double anchor) {
  return {without_anchor(s.re, anchor), without_anchor(s.im, anchor)};
}

// A sum that goes on around an anchor: what is rounded off joins the rest.
ONEPASS_HOST_DEVICE Twice<double> with_anchor(Twice<double> s, double anchor) {
  const double sum = detail::add(anchor, s.value), of_value = detail::add(sum, -anchor);
  return {sum, detail::add(s.rest, detail::add(s.value, -of_value))};
}
ONEPASS_HOST_DEVICE Complex<Twice<double>> with_anchor(Complex<Twice<double>> s, double anchor) {
  return {with_anchor(s.re, anchor), with_anchor(s.im, anchor)};
}

// Of the value of a sum.
ONEPASS_HOST_DEVICE std::uint32_t high_word(Twice<double> s) { return high_word(s.value); }
ONEPASS_HOST_DEVICE std::uint32_t high_word(Complex<Twice<double>> s) {
  return high_word(Complex<double>{s.re.value, s.im.value});
}

// sum + a(0) x(0) + a(1) x(1) + ..., `terms` of them, around an anchor if that is asked for and they are of a usual
// size. high(k): high_word() of x(k). goes_on: the sum so far stands on the anchor, too, which is then as large as that
// needs. It takes five operations in place of eight, and its error grows with the number of such calls: for long sums.
template <int terms, bool goes_on, class S, class A, class X, class High>
ONEPASS_DEVICE S add_terms(S sum, bool anchored, A a, X x, High high) {
  static_assert(terms <= anchored_terms * (is_complex<S> ? 1 : 2));
  LargestProduct largest;
#pragma unroll
  for (int k = 0; k < terms; ++k) largest.see(high_word(a(k)), high(k));
  if constexpr (goes_on) largest.see(high_word(sum), high_word(1.0));
  if (anchored && largest.is_usual()) {
    const double anchor = largest.anchor();
    S s;
    if constexpr (goes_on)
      s = add_to_anchored(with_anchor(sum, anchor), a(0), x(0));
    else
      s = start_at_anchor(anchor, a(0), x(0));
#pragma unroll
    for (int k = 1; k < terms; ++k) s = add_to_anchored(s, a(k), x(k));
    s = without_anchor(s, anchor);
    return goes_on ? s : sum + s;
  }
#pragma unroll
  for (int k = 0; k < terms; ++k) sum = multiply_add(sum, a(k), x(k));
  return sum;
}

}  // namespace onepass::kernels
