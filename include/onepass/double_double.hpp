// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
//
// A number of type w as a value: the sum of two doubles, about 32 digits. Header only; types.hpp includes this.
//
//   onepass::DoubleDouble third = onepass::DoubleDouble(1) / 3;
//   std::cout << third << '\n';                      // 0.33333333333333333333333333333333
//   auto tenth = onepass::DoubleDouble::parse("0.1");  // not the double 0.1
//   onepass::gemv(handle, third, a, x, {}, y);        // of MatrixView<const onepass::DoubleDouble> and its like
//
// Each operation is off by a few units of 2^-104; the exponents are those of a double. What is infinite or NaN has a
// tail of zero. Conversions from and to text are exact, rounded once.
#ifndef ONEPASS_DOUBLE_DOUBLE_HPP
#define ONEPASS_DOUBLE_DOUBLE_HPP

#include <algorithm>
#include <cmath>
#include <compare>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>
#include <string_view>

#include "onepass/types.h"

#if defined(__FAST_MATH__)
#error "fast-math would remove what was rounded off: double-doubles need IEEE arithmetic"
#endif

namespace onepass {
inline namespace api {

// The layout of onepassDoubleDouble_t, on 16 bytes as a device wants it.
struct alignas(16) DoubleDouble {
  double head = 0, tail = 0;

  constexpr DoubleDouble() = default;
  constexpr DoubleDouble(double value) : head(value) {}  // NOLINT: a double is one
  // head + tail, which may overlap.
  constexpr DoubleDouble(double first, double second) : head(first + second) {
    const double of_second = head - first;
    const double rest = (first - (head - of_second)) + (second - of_second);
    tail = rest - rest == 0 ? rest : 0;
    if (!(first - first == 0)) head = first;
  }
  DoubleDouble(onepassDoubleDouble_t pair) : DoubleDouble(pair.head, pair.tail) {}  // NOLINT: the same number
  // A decimal number such as "-1.5", "1e-300" or "0.1", rounded to nearest. Throws std::invalid_argument.
  static DoubleDouble parse(std::string_view text);

  explicit constexpr operator double() const { return head; }
  explicit constexpr operator long double() const { return static_cast<long double>(head) + tail; }
  constexpr operator onepassDoubleDouble_t() const { return {head, tail}; }

  friend constexpr bool operator==(DoubleDouble a, DoubleDouble b) { return a.head == b.head && a.tail == b.tail; }
  friend constexpr std::partial_ordering operator<=>(DoubleDouble a, DoubleDouble b) {
    return a.head == b.head ? a.tail <=> b.tail : a.head <=> b.head;
  }

  friend constexpr DoubleDouble operator-(DoubleDouble a) {
    a.head = -a.head;
    a.tail = -a.tail;
    return a;
  }
  friend constexpr DoubleDouble operator+(DoubleDouble a) { return a; }
  friend constexpr DoubleDouble operator+(DoubleDouble a, DoubleDouble b) {
    const double rounded = a.head + b.head;
    if (!(rounded - rounded == 0)) return rounded;
    const DoubleDouble heads(a.head, b.head), tails(a.tail, b.tail);
    const DoubleDouble sum(heads.head, heads.tail + tails.head);
    return {sum.head, sum.tail + tails.tail};
  }
  friend constexpr DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
  friend DoubleDouble operator*(DoubleDouble a, DoubleDouble b) {
    const double product = a.head * b.head;
    if (!std::isfinite(product)) return product;
    return {product, std::fma(a.head, b.head, -product) + (a.head * b.tail + a.tail * b.head)};
  }
  friend DoubleDouble operator/(DoubleDouble a, DoubleDouble b) {
    const double quotient = a.head / b.head;
    if (!std::isfinite(quotient) || !std::isfinite(b.head)) return quotient;
    const DoubleDouble rest = a - b * quotient;
    const double more = rest.head / b.head;
    const double last = (rest - b * more).head / b.head;
    return DoubleDouble(quotient, more) + last;
  }
  DoubleDouble& operator+=(DoubleDouble b) { return *this = *this + b; }
  DoubleDouble& operator-=(DoubleDouble b) { return *this = *this - b; }
  DoubleDouble& operator*=(DoubleDouble b) { return *this = *this * b; }
  DoubleDouble& operator/=(DoubleDouble b) { return *this = *this / b; }
};
static_assert(sizeof(DoubleDouble) == sizeof(onepassDoubleDouble_t));

inline DoubleDouble abs(DoubleDouble a) { return a.head < 0 ? -a : a; }
inline bool isfinite(DoubleDouble a) { return std::isfinite(a.head); }
inline DoubleDouble sqrt(DoubleDouble a) {
  const double root = std::sqrt(a.head);
  if (root == 0 || !std::isfinite(root)) return root;
  const DoubleDouble rest = a - DoubleDouble(root) * root;
  return {root, rest.head / (2 * root)};
}

namespace detail {

// Exact decimal fractions: printf writes all digits of a double, at most 309 before the point and 1074 behind it.
struct Decimal {
  static constexpr int before = 320, behind = 1080;
  std::string digits = std::string(before + behind, '\0');  // the first one counts 10^(before - 1)
  bool negative = false;

  Decimal() = default;
  explicit Decimal(double value) : negative(std::signbit(value)) {
    std::string text(before + behind + 3, '\0');
    const int length = std::snprintf(text.data(), text.size(), "%.*f", behind, std::abs(value));
    const int whole = length - behind - 1;
    for (int i = 0; i < length; ++i)
      if (i != whole) digits[static_cast<std::size_t>(before - whole + i - (i > whole ? 1 : 0))] = text[i] - '0';
  }
  // -1, 0, 1 as the magnitude is less, equal, greater.
  int compare(const Decimal& other) const { return digits < other.digits ? -1 : digits == other.digits ? 0 : 1; }

  friend Decimal operator+(const Decimal& a, const Decimal& b) {
    const bool same = a.negative == b.negative, swapped = !same && a.compare(b) < 0;
    Decimal result = swapped ? b : a;
    const Decimal& other = swapped ? a : b;
    int carry = 0;
    for (int i = before + behind - 1; i >= 0; --i) {
      char& digit = result.digits[static_cast<std::size_t>(i)];
      int value = digit + carry + (same ? 1 : -1) * other.digits[static_cast<std::size_t>(i)];
      carry = value > 9 ? 1 : value < 0 ? -1 : 0;
      digit = static_cast<char>(value - 10 * carry);
    }
    return result;
  }
  std::size_t first() const {
    const auto found = std::find_if(digits.begin(), digits.end(), [](char digit) { return digit != 0; });
    return static_cast<std::size_t>(found - digits.begin());
  }
  // As many digits as wanted, rounded to nearest, and the exponent of the first one.
  std::string rounded(int count, int* exponent) const {
    std::size_t from = first();
    if (from == digits.size()) {
      *exponent = 0;
      return std::string(static_cast<std::size_t>(count), '0');
    }
    Decimal copy = *this;
    const std::size_t end = std::min(from + static_cast<std::size_t>(count), digits.size());
    const auto rest = digits.begin() + static_cast<std::ptrdiff_t>(end);
    if (rest != digits.end() && *rest >= 5) {
      const bool tie = *rest == 5 && std::all_of(rest + 1, digits.end(), [](char digit) { return digit == 0; });
      if (!tie || digits[end - 1] % 2 == 1) {
        std::size_t i = end;
        while (copy.digits[i - 1] == 9) copy.digits[--i] = 0;
        ++copy.digits[i - 1];
        from = std::min(from, i - 1);
      }
    }
    *exponent = before - 1 - static_cast<int>(from);
    std::string text = copy.digits.substr(from, static_cast<std::size_t>(count));
    text.resize(static_cast<std::size_t>(count), '\0');
    for (char& digit : text) digit = static_cast<char>(digit + '0');
    return text;
  }
  // As text that strtod reads.
  std::string text() const {
    int exponent = 0;
    const std::size_t from = std::min(first(), digits.size() - 1);
    const std::string all = rounded(static_cast<int>(digits.size() - from), &exponent);
    return (negative ? "-" : "") + all.substr(0, 1) + "." + all.substr(1) + "e" + std::to_string(exponent);
  }
};

// Of a number whose digits end 1080 places behind the point; others are cut off there, where no double reaches.
inline Decimal decimal_of(std::string_view text) {
  Decimal result;
  std::size_t i = 0;
  if (i < text.size() && (text[i] == '-' || text[i] == '+')) result.negative = text[i++] == '-';
  std::string mantissa;
  long point = -1, exponent = 0;
  for (; i < text.size() && (text[i] == '.' || (text[i] >= '0' && text[i] <= '9')); ++i)
    text[i] == '.' ? void(point = static_cast<long>(mantissa.size())) : mantissa.push_back(text[i]);
  if (point < 0) point = static_cast<long>(mantissa.size());
  if (i < text.size()) exponent = std::strtol(std::string(text.substr(i + 1)).c_str(), nullptr, 10);
  for (std::size_t k = 0; k < mantissa.size(); ++k) {
    const long place = Decimal::before - point - exponent + static_cast<long>(k);
    if (place >= 0 && place < Decimal::before + Decimal::behind)
      result.digits[static_cast<std::size_t>(place)] = static_cast<char>(mantissa[k] - '0');
  }
  return result;
}

}  // namespace detail

inline DoubleDouble DoubleDouble::parse(std::string_view text) {
  const std::string copy(text);
  char* end = nullptr;
  const double nearest = std::strtod(copy.c_str(), &end);
  const bool is_decimal = copy.find_first_of("xXpP") == std::string::npos;
  if (copy.empty() || *end != '\0' || copy[0] == ' ' || !is_decimal)
    throw std::invalid_argument("\"" + copy + "\" is no decimal number");
  if (!std::isfinite(nearest)) return nearest;
  detail::Decimal negated(nearest);
  negated.negative = !negated.negative;
  return {nearest, std::strtod((detail::decimal_of(copy) + negated).text().c_str(), nullptr)};
}

// Rounded to so many digits, 1 to 1000: "0.1", "-1.25e-300". As a double is printed by %g, with trailing zeros removed.
inline std::string to_string(DoubleDouble value, int digits = 32) {
  if (!std::isfinite(value.head)) return std::isnan(value.head) ? "nan" : value.head < 0 ? "-inf" : "inf";
  const detail::Decimal sum = detail::Decimal(value.head) + detail::Decimal(value.tail);
  int exponent = 0;
  std::string text = sum.rounded(digits, &exponent);
  text.erase(std::max<std::size_t>(text.find_last_not_of('0') + 1, 1));
  const std::string sign = std::signbit(value.head) ? "-" : "";
  const int length = static_cast<int>(text.size());
  if (exponent < -5 || exponent >= digits)
    return sign + text.substr(0, 1) + (length > 1 ? "." + text.substr(1) : "") + "e" + (exponent < 0 ? "" : "+") +
           std::to_string(exponent);
  if (exponent < 0) return sign + "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + text;
  if (length <= exponent + 1) return sign + text + std::string(static_cast<std::size_t>(exponent + 1 - length), '0');
  return sign + text.substr(0, static_cast<std::size_t>(exponent + 1)) + "." +
         text.substr(static_cast<std::size_t>(exponent + 1));
}
inline std::ostream& operator<<(std::ostream& out, DoubleDouble value) { return out << to_string(value); }

}  // namespace api
}  // namespace onepass

template <>
class std::numeric_limits<onepass::api::DoubleDouble> {
 public:
  static constexpr bool is_specialized = true, is_signed = true, is_integer = false, is_exact = false;
  static constexpr bool has_infinity = true, has_quiet_NaN = true;
  static constexpr int digits = 106, digits10 = 31, max_digits10 = 33, radix = 2;
  static constexpr onepass::api::DoubleDouble epsilon() { return 0x1p-105; }
  static constexpr onepass::api::DoubleDouble infinity() { return std::numeric_limits<double>::infinity(); }
  static constexpr onepass::api::DoubleDouble quiet_NaN() { return std::numeric_limits<double>::quiet_NaN(); }
  static constexpr onepass::api::DoubleDouble min() { return 0x1p-969; }  // below it the tail loses digits
  static constexpr onepass::api::DoubleDouble max() { return std::numeric_limits<double>::max(); }
  static constexpr onepass::api::DoubleDouble lowest() { return -std::numeric_limits<double>::max(); }
};

#endif  // ONEPASS_DOUBLE_DOUBLE_HPP
