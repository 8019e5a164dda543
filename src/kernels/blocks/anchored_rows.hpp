// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of a lane's rows with twice the digits that stay on their anchors (blocks/anchored.hpp) from column to column:
// four operations a product, and none to set an anchor and to take it off.
//
// An anchor is 64 times as large as its limit, the largest product that it is good for. A product beyond the limit
// makes a new one, 64 times as large as itself, so that few will follow. Between two looks at them, settle(), sums get
// the products of eight columns, 16 each and at most 18 limits. They are looked at where they are no more than 0.13
// anchors from their own, so that they stay within 0.41.
//
// What is rounded off a product is at most 2^-52 anchors, or 2^-40 times the row's largest product P. It is summed in
// the rest, whose head the value gets with each look: so k columns lose at most 2.9 * 2^15 k 2^-106 P, less than the
// (n 2^-53)^2 P that is promised as long as a warp has no more than n^2 / 95000 columns of a strip.
#pragma once

#include <algorithm>
#include <cstdint>

#include "kernels/blocks/anchored.hpp"

namespace onepass::kernels {

template <int rows>
class AnchoredRows {
 public:
  using Sum = Complex<Twice<double>>;

  // Zeros, on the least anchor.
  ONEPASS_DEVICE AnchoredRows() {
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      less_[i] = bias - HighProduct::least;
      sum_[i] = {{anchor(i), 0}, {anchor(i), 0}};
    }
  }

  // A first product of row i.
  ONEPASS_DEVICE void start(int i, Complex<double> a, Complex<double> x) {
    const Sum sum = first_term<Sum>(a, x);
    const std::uint32_t least = HighProduct::least;
    stand(i, sum, std::max(least, limit_of(sum)));
  }

  // Of a column's x: what beyond() may be.
  static ONEPASS_DEVICE int allowance(std::uint32_t high_x) {
    return high_x < 0x7ff00000u ? static_cast<int>(bias - high_x) : INT32_MIN;
  }
  // Of an element's high word: how far it is beyond the limit of row i.
  ONEPASS_DEVICE int beyond(int i, std::uint32_t high) const { return static_cast<int>(high + less_[i]); }
  // Whether sums want new anchors, or a row has none.
  ONEPASS_DEVICE bool is_due() const { return due_ != 0; }

  // Makes all limits as large as the products of a column, by the high words of its elements and of x. Limits never
  // become less. Where a product or a sum has no anchor the row has none until the next column.
  ONEPASS_DEVICE void raise(const std::uint32_t (&high)[rows], std::uint32_t high_x) {
    due_ = 0;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const Sum sum = total(i);
      const std::uint32_t before = less_[i] == none ? 0 : limit(i), product = high[i] + high_x;
      stand(i, sum, std::max(product > before ? product + (log2_slack << 20) : before, limit_of(sum)));
    }
  }

  // sum += a x in row i; the first one if it has an anchor.
  ONEPASS_DEVICE void add_to_anchored(int i, Complex<double> a, Complex<double> x) {
    sum_[i] = kernels::add_to_anchored(sum_[i], a, x);
  }
  ONEPASS_DEVICE void add(int i, Complex<double> a, Complex<double> x) {
    if (less_[i] == none)
      sum_[i] = multiply_add(sum_[i], a, x);
    else
      add_to_anchored(i, a, x);
  }

  // After eight columns: whether sums are still near their anchors. The part of the rests that values have digits for
  // goes there.
  ONEPASS_DEVICE void settle() {
    constexpr int middle = log2_limits << 20, reach = 1 << 17;
    int most = INT32_MIN, least = INT32_MAX;
#pragma unroll
    for (int i = 0; i < rows; ++i) {
      const int re = static_cast<int>(signed_high(sum_[i].re.value) + less_[i]);
      const int im = static_cast<int>(signed_high(sum_[i].im.value) + less_[i]);
      most = std::max(std::max(most, re), im);
      least = std::min(std::min(least, re), im);
      sum_[i] = {joined(sum_[i].re), joined(sum_[i].im)};
    }
    due_ |= static_cast<int>(most > middle + reach || least < middle - reach);
  }
  ONEPASS_DEVICE Sum total(int i) const { return without_anchor(sum_[i], anchor(i)); }

 private:
  static constexpr std::uint32_t bias = HighProduct::bias, none = 0x7fffffffu;
  static constexpr std::uint32_t log2_limits = 6, log2_slack = 6, log2_sums = 5;  // in an anchor, ahead, in an anchor

  // The limit of row i, as the high word of a product.
  ONEPASS_DEVICE std::uint32_t limit(int i) const { return bias - less_[i]; }
  ONEPASS_DEVICE double anchor(int i) const {
    return less_[i] == none ? 0.0 : HighProduct::times(limit(i), log2_limits);
  }
  static ONEPASS_DEVICE std::uint32_t signed_high(double v) {
#if defined(__CUDA_ARCH__)
    return static_cast<std::uint32_t>(__double2hiint(v));
#else
    return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(v) >> 32);
#endif
  }
  static ONEPASS_DEVICE Twice<double> joined(Twice<double> s) {
    const double value = detail::add(s.value, s.rest);
    return {value, detail::add(s.rest, -detail::add(value, -s.value))};
  }

  // What a sum wants of its row.
  static ONEPASS_DEVICE std::uint32_t limit_of(const Sum& sum) {
    return high_word(sum) + bias - ((log2_limits - log2_sums) << 20);
  }
  ONEPASS_DEVICE void stand(int i, const Sum& sum, std::uint32_t wanted) {
    const bool usual = HighProduct::is_usual(wanted);
    less_[i] = usual ? bias - wanted : none;
    sum_[i] = with_anchor(sum, anchor(i));
    due_ |= static_cast<int>(!usual);
  }

  Sum sum_[rows];
  std::uint32_t less_[rows];  // the bias less the limit, or none
  int due_ = 0;               // not 0: new anchors, whatever the next column is
};

}  // namespace onepass::kernels
