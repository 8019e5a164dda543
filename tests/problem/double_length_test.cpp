// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Error-free transformations, as this compiler and its options made them: against 256 bits.
#include "numbers/double_length.hpp"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <limits>
#include <random>

namespace onepass {
namespace {

using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<256>>;

// Of any magnitude, but so that no product overflows and no rest is subnormal.
struct Numbers {
  std::mt19937_64 bits{1};
  double next() {
    const double part = 1 + static_cast<double>(bits() >> 12) * 0x1p-52;
    return std::ldexp((bits() & 1) != 0 ? -part : part, static_cast<int>(bits() % 400) - 200);
  }
};

TEST(DoubleLength, SumsAreExact) {
  Numbers numbers;
  for (int i = 0; i < 10'000; ++i) {
    const double a = numbers.next(),
                 b = i % 3 == 0 ? std::ldexp(numbers.next(), 0) : a * (1 + numbers.next() * 0x1p-210);
    const Twice<double> sum = exact_sum(a, b);
    ASSERT_EQ(sum.value, a + b);
    ASSERT_TRUE(Wide(sum.value) + Wide(sum.rest) == Wide(a) + Wide(b)) << a << " + " << b;
  }
}

TEST(DoubleLength, ProductsAreExact) {
  Numbers numbers;
  for (int i = 0; i < 10'000; ++i) {
    const double a = numbers.next(), b = numbers.next();
    const Twice<double> product = exact_product(a, b);
    ASSERT_EQ(product.value, a * b);
    ASSERT_TRUE(Wide(product.value) + Wide(product.rest) == Wide(a) * Wide(b)) << a << " * " << b;
  }
}

// A product that is added with one rounding would not be that of exact_sum: it is what a compiler may contract.
TEST(DoubleLength, MultiplyAddKeepsWhatIsRoundedOff) {
  Numbers numbers;
  for (int i = 0; i < 10'000; ++i) {
    const double a = numbers.next(), b = numbers.next();
    const double c = -a * b * (1 + static_cast<double>(i % 8) * 0x1p-52);
    const Twice<double> sum = multiply_add(Twice<double>{c, 0}, a, b);
    const Wide wanted = Wide(c) + Wide(a) * Wide(b), error = abs(Wide(sum.value) + Wide(sum.rest) - wanted);
    ASSERT_TRUE(error <= abs(wanted) * 0x1p-52) << a << " * " << b << " + " << c;
  }
}

// Also where the product is the larger part, or nearly cancels: the rest has one rounding of its own.
TEST(DoubleLength, ProductsAreAddedWithTwiceTheDigits) {
  Numbers numbers;
  for (int i = 0; i < 20'000; ++i) {
    const double a = numbers.next(), b = numbers.next(), product = a * b;
    const double near = std::ldexp(numbers.next(), i % 120 - 60);
    const double s = i % 3 == 0 ? -product * (1 + (i % 9 - 4) * 0x1p-52) : std::ldexp(product, i % 120 - 60) + near;
    const Twice<double> sum = add_product(s, a, b);
    ASSERT_EQ(sum.value, s + product);
    const Wide error = abs(Wide(sum.value) + Wide(sum.rest) - Wide(s) - Wide(a) * Wide(b));
    ASSERT_TRUE(error <= (abs(Wide(sum.value)) + abs(Wide(product))) * 0x1p-106) << s << " + " << a << " * " << b;
  }
}

TEST(DoubleLength, InfinityAndNanStayWhatTheyAre) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(collected(multiply_add(Twice<double>{1, 0}, infinity, 2.0)), infinity);
  EXPECT_EQ(collected(multiply_add(Twice<double>{-infinity, 0}, 3.0, 2.0)), -infinity);
  EXPECT_EQ(collected(multiply_add(Twice<double>{1, 0}, 1e200, -1e200)), -infinity);
  EXPECT_TRUE(std::isnan(collected(multiply_add(Twice<double>{infinity, 0}, infinity, -1.0))));
  EXPECT_TRUE(std::isnan(collected(Twice<double>{std::nan(""), 0} + Twice<double>{1, 0})));
}

struct Pairs {
  Numbers numbers;
  DoubleDouble next() {
    const double head = std::ldexp(numbers.next(), static_cast<int>(numbers.bits() % 60) - 30);
    return settled(DoubleDouble{head, head * (numbers.next() < 0 ? -0x1p-54 : 0x1p-54) * 1.37});
  }
};
Wide wide(DoubleDouble v) { return Wide(v.head) + Wide(v.tail); }

TEST(DoubleDoubles, AreSettledWithoutLoss) {
  Pairs pairs;
  for (int i = 0; i < 10'000; ++i) {
    const double head = pairs.next().head;
    const DoubleDouble loose{head, i % 2 == 0 ? -head * (1 + 0x1p-30) : pairs.next().head}, sum = settled(loose);
    ASSERT_TRUE(wide(sum) == wide(loose));
    ASSERT_EQ(sum.head + sum.tail, sum.head);
    ASSERT_EQ(settled(sum), sum);
  }
}

TEST(DoubleDoubles, SumsAndProductsAreRightTo104Bits) {
  Pairs pairs;
  for (int i = 0; i < 10'000; ++i) {
    const DoubleDouble a = pairs.next(), b = pairs.next(), c = pairs.next();
    const Wide product = wide(a) * wide(b), magnitude = abs(product) + abs(wide(c));
    ASSERT_TRUE(abs(wide(a * b) - product) <= abs(product) * 0x1p-103);
    ASSERT_TRUE(abs(wide(a + b) - wide(a) - wide(b)) <= (abs(wide(a)) + abs(wide(b))) * 0x1p-104);
    ASSERT_TRUE(abs(wide(multiply_add(c, a, b)) - product - wide(c)) <= magnitude * 0x1p-103);
    const DoubleDouble rounded = a * b;  // all but the last bits cancel
    ASSERT_TRUE(abs(wide(multiply_add({-rounded.head, -rounded.tail}, a, b)) - (product - wide(rounded))) <=
                abs(product) * 0x1p-103);
  }
}

TEST(DoubleDoubles, InfinityAndNanHaveNoTail) {
  const double infinity = std::numeric_limits<double>::infinity();
  const DoubleDouble one{1, 0x1p-60}, infinite{infinity, 0}, large{1e200, 1e180};
  const auto of = [](DoubleDouble s, DoubleDouble a, DoubleDouble b) { return settled(multiply_add(s, a, b)); };
  EXPECT_EQ(of(one, infinite, one), infinite);
  EXPECT_EQ(of(infinite, one, one), infinite);
  EXPECT_EQ(of(of(infinite, one, one), one, one), infinite);
  EXPECT_EQ(of(one, large, large), infinite);
  EXPECT_EQ(settled(infinite + one), infinite);
  EXPECT_EQ(one * infinite, infinite);
  EXPECT_TRUE(std::isnan(of(infinite, infinite, {-1, 0}).head));
  EXPECT_EQ(of(infinite, infinite, {-1, 0}).tail, 0);
  const double most = std::numeric_limits<double>::max();
  EXPECT_EQ(settled(DoubleDouble{most, most}), infinite);
}

}  // namespace
}  // namespace onepass
