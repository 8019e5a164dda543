// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Double-doubles as a value of C++: arithmetic against 256 digits, text both ways, products of matrices of them.
#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>
#include <random>
#include <sstream>

#include "api/user.hpp"
#include "onepass/onepass.hpp"

namespace onepass_user {
namespace {

using Wide = boost::multiprecision::number<boost::multiprecision::cpp_bin_float<256>>;
using onepass::DoubleDouble;

Wide wide(DoubleDouble v) { return Wide(v.head) + v.tail; }

struct Numbers {
  std::mt19937_64 bits{1};
  double unit() { return std::ldexp(static_cast<double>(static_cast<std::int64_t>(bits())), -63); }
  DoubleDouble next() {
    const double head = std::ldexp(unit(), static_cast<int>(bits() % 80) - 40);
    return {head, head * unit() * 0x1p-53};
  }
};

TEST(DoubleDouble, IsWhatTheCInterfaceTakes) {
  static_assert(sizeof(DoubleDouble) == 16 && alignof(DoubleDouble) == 16);
  const DoubleDouble third = DoubleDouble(1) / 3;
  const onepassDoubleDouble_t pair = third;
  EXPECT_TRUE(same(pair, onepassDoubleDouble_t{third.head, third.tail}));
  EXPECT_EQ(DoubleDouble(pair), third);
  EXPECT_EQ(static_cast<double>(third), 1.0 / 3);
  EXPECT_EQ(DoubleDouble(1, 1), 2);  // parts that overlap are added
  EXPECT_EQ(DoubleDouble(1, 0x1p-60).tail, 0x1p-60);
}

TEST(DoubleDouble, OperationsAreRightTo31Digits) {
  Numbers numbers;
  for (int i = 0; i < 5'000; ++i) {
    const DoubleDouble a = numbers.next(), b = numbers.next();
    const auto expect = [&](const char* what, DoubleDouble got, const Wide& wanted) {
      ASSERT_LE(static_cast<double>(abs(wide(got) - wanted)), static_cast<double>(abs(wanted)) * 0x1p-103) << what;
      ASSERT_EQ(got.head + got.tail, got.head) << what;
    };
    expect("+", a + b, wide(a) + wide(b));
    expect("-", a - b, wide(a) - wide(b));
    expect("*", a * b, wide(a) * wide(b));
    expect("/", a / b, wide(a) / wide(b));
    expect("sqrt", sqrt(abs(a)), sqrt(abs(wide(a))));
    ASSERT_EQ(a < b, wide(a) < wide(b));
    ASSERT_EQ(a < DoubleDouble(a.head), a.tail < 0);
  }
}

TEST(DoubleDouble, InfinityAndNanHaveNoTail) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const DoubleDouble v : {DoubleDouble(infinity) + 1, DoubleDouble(1e300) * 1e300, DoubleDouble(1) / 0.0,
                               DoubleDouble(infinity, 1), DoubleDouble(1e308) + 1e308, sqrt(DoubleDouble(infinity))}) {
    EXPECT_EQ(v.head, infinity);
    EXPECT_EQ(v.tail, 0);
  }
  EXPECT_TRUE(std::isnan((DoubleDouble(infinity) - infinity).head));
  EXPECT_EQ(to_string(DoubleDouble(-infinity)), "-inf");
  EXPECT_EQ(to_string(DoubleDouble(std::nan(""))), "nan");
}

TEST(DoubleDouble, TextIsExactAndComesBack) {
  EXPECT_EQ(to_string(DoubleDouble(1) / 3), "0.33333333333333333333333333333333");
  EXPECT_EQ(to_string(DoubleDouble::parse("0.1")), "0.1");
  EXPECT_EQ(to_string(sqrt(DoubleDouble(2)), 30), "1.41421356237309504880168872421");
  EXPECT_EQ(to_string(DoubleDouble(0)), "0");
  EXPECT_EQ(to_string(DoubleDouble(-0.0)), "-0");
  EXPECT_EQ(to_string(DoubleDouble(1e22)), "10000000000000000000000");
  EXPECT_EQ(to_string(DoubleDouble::parse("1.5e+300"), 3), "1.5e+300");
  EXPECT_EQ(to_string(DoubleDouble(0x1p-1074), 4), "4.941e-324");
  EXPECT_EQ(to_string(DoubleDouble(9.999), 2), "10");
  EXPECT_EQ(to_string(DoubleDouble(0.5), 1), "0.5");
  EXPECT_EQ(DoubleDouble::parse("-1e-20"), -DoubleDouble::parse("0.00000000000000000001"));
  EXPECT_EQ(DoubleDouble::parse("1e999").head, std::numeric_limits<double>::infinity());
  std::ostringstream out;
  out << DoubleDouble::parse("12345678901234567890.5");
  EXPECT_EQ(out.str(), "12345678901234567890.5");
  for (const char* wrong : {"", "x", "1x", "0x10", " 1", "1e"})
    EXPECT_THROW(DoubleDouble::parse(wrong), std::invalid_argument) << wrong;
  Numbers numbers;
  for (int i = 0; i < 500; ++i) {
    const DoubleDouble a = numbers.next();
    ASSERT_EQ(DoubleDouble::parse(to_string(a, 40)), a);
    ASSERT_LE(abs(Wide(to_string(a, 60)) - wide(a)), abs(wide(a)) * Wide("1e-59"));
  }
}

class DoubleDoubleProducts : public OnHost {};
INSTANTIATE_TEST_SUITE_P(Backend, DoubleDoubleProducts, host_backends(), host_name);

// (1/3 1/7) (3, 7) and its like: no double holds the elements.
TEST_P(DoubleDoubleProducts, HaveTheDigitsOfTheirElements) {
  const DoubleDouble a[] = {DoubleDouble(1) / 3, DoubleDouble(1) / 5, DoubleDouble(1) / 7, DoubleDouble(1) / 11};
  const DoubleDouble x[] = {3, 7}, one = 1, zero = 0;
  DoubleDouble y[2];
  const auto c = [](const DoubleDouble* v) { return reinterpret_cast<const onepassDoubleDouble_t*>(v); };
  auto* const result = reinterpret_cast<onepassDoubleDouble_t*>(y);
  ASSERT_EQ(onepassWgemv(handle, ONEPASS_OP_N, 2, 2, c(&one), c(a), 2, c(x), 1, c(&zero), result, 1),
            ONEPASS_STATUS_SUCCESS)
      << onepassLastErrorMessage();
  EXPECT_LE(abs(y[0] - 2), 0x1p-102);
  EXPECT_LE(abs(y[1] - (DoubleDouble(3) / 5 + DoubleDouble(7) / 11)), 0x1p-102);
  ASSERT_EQ(onepassWsymv(handle, ONEPASS_FILL_MODE_LOWER, 2, c(&one), c(a), 2, c(x), 1, c(&zero), result, 1),
            ONEPASS_STATUS_SUCCESS)
      << onepassLastErrorMessage();
  EXPECT_LE(abs(y[0] - (DoubleDouble(1) + DoubleDouble(7) / 5)), 0x1p-102);
}

}  // namespace
}  // namespace onepass_user
