// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Sums of products kept with at least twice the digits of their terms.
#pragma once

#include <cmath>

#include "numbers/double_length.hpp"

namespace onepass::reference {

// sum += a, or sum += a * b. A product of two floats is exact in double.
class WideFloat {
 public:
  void add(float a) { value_ += static_cast<double>(a); }
  void add(float a, float b) { value_ += static_cast<double>(a) * static_cast<double>(b); }
  void add(float a, const WideFloat& b) { value_ += static_cast<double>(a) * b.value_; }
  float rounded() const { return static_cast<float>(value_); }
  // What is left of the sum beside that; zero where it is infinite or NaN.
  float tail() const {
    return std::isfinite(rounded()) ? static_cast<float>(value_ - static_cast<double>(rounded())) : 0.0f;
  }

 private:
  double value_ = 0;
};

// The sum is high_ + low_: what the double high_ cannot hold of a product and of a sum is exact in
// another double, and low_ gathers it. The same on every machine, unlike long double. The steps
// count on separate roundings: compile with -ffp-contract=off.
class WideDouble {
 public:
  void add(double a) { add(a, 1.0); }
  void add(double a, double b) {
    // product + product_error = a b;  high_ + sum_error = old high_ + product
    const double product = a * b;
    const double product_error = std::fma(a, b, -product);
    const double old = high_;
    high_ = old + product;
    const double part = high_ - old;
    const double sum_error = (old - (high_ - part)) + (product - part);
    low_ += product_error + sum_error;
  }
  void add(double a, const WideDouble& b) {
    add(a, b.high_);
    low_ += a * b.low_;
  }
  // Where high_ is infinite or NaN the errors mean nothing.
  double rounded() const { return std::isfinite(high_) ? high_ + low_ : high_; }
  double tail() const {
    if (!std::isfinite(rounded())) return 0;
    WideDouble rest = *this;
    rest.add(-rounded());
    return rest.rounded();
  }

 private:
  double high_ = 0, low_ = 0;
};

// Three doubles, of which each gathers exactly what the one before cannot hold, but for the last (Sum-K of Ogita, Rump
// and Oishi): the error of a sum is that of triple precision. Tails do not count where heads are infinite or NaN.
class WideDoubleDouble {
 public:
  void add(DoubleDouble a) {
    add(a.head);
    add(a.tail);
  }
  void add(DoubleDouble a, DoubleDouble b) {
    if (!std::isfinite(a.head * b.head)) return add(a.head * b.head);
    add(a.head, b.head);
    add(a.head, b.tail);
    add(a.tail, b.head);
    add(a.tail, b.tail);
  }
  void add(DoubleDouble a, const WideDoubleDouble& b) {
    if (!std::isfinite(a.head * b.high_)) return add(a.head * b.high_);
    for (const double part : {b.high_, b.middle_, b.low_}) {
      add(a.head, part);
      add(a.tail, part);
    }
  }
  DoubleDouble rounded() const {
    if (!std::isfinite(high_)) return {high_, 0};
    const Twice<double> low = exact_sum(middle_, low_), sum = exact_sum(high_, low.value);
    return settled(DoubleDouble{sum.value, sum.rest + low.rest});
  }
  DoubleDouble tail() const { return {}; }

 private:
  void add(double a) {
    const Twice<double> high = exact_sum(high_, a), middle = exact_sum(middle_, high.rest);
    high_ = high.value;
    middle_ = middle.value;
    low_ += middle.rest;
  }
  void add(double a, double b) {
    const Twice<double> product = exact_product(a, b);
    add(product.value);
    add(product.rest);
  }
  double high_ = 0, middle_ = 0, low_ = 0;
};

// Real and imaginary parts by the schoolbook formula, each a sum of its own.
template <class R, class Part>
class WideComplex {
 public:
  void add(Complex<R> a) {
    re_.add(a.re);
    im_.add(a.im);
  }
  void add(Complex<R> a, Complex<R> b) {
    re_.add(a.re, b.re);
    re_.add(-a.im, b.im);
    im_.add(a.re, b.im);
    im_.add(a.im, b.re);
  }
  void add(Complex<R> a, const WideComplex& b) {
    re_.add(a.re, b.re_);
    re_.add(-a.im, b.im_);
    im_.add(a.re, b.im_);
    im_.add(a.im, b.re_);
  }
  Complex<R> rounded() const { return {re_.rounded(), im_.rounded()}; }
  Complex<R> tail() const { return {re_.tail(), im_.tail()}; }

 private:
  Part re_, im_;
};

namespace detail {
template <class S>
struct WideOf;
template <>
struct WideOf<float> {
  using type = WideFloat;
};
template <>
struct WideOf<double> {
  using type = WideDouble;
};
template <>
struct WideOf<DoubleDouble> {
  using type = WideDoubleDouble;
};
template <class R>
struct WideOf<Complex<R>> {
  using type = WideComplex<R, typename WideOf<R>::type>;
};
}  // namespace detail

template <class S>
using Wide = typename detail::WideOf<S>::type;

}  // namespace onepass::reference
