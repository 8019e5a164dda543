// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Half and bfloat16 against their definition, for all 65536 values and at every kind of rounding.
#include "numbers/scalar.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace onepass {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Format {
  const char* name;
  int exponent_bits, mantissa_bits;
  float (*decode)(std::uint16_t);
  std::uint16_t (*encode)(float);

  int bias() const { return (1 << (exponent_bits - 1)) - 1; }
  unsigned top_exponent() const { return (1u << exponent_bits) - 1; }
  unsigned exponent(std::uint16_t bits) const { return (bits >> mantissa_bits) & top_exponent(); }
  unsigned mantissa(std::uint16_t bits) const { return bits & ((1u << mantissa_bits) - 1); }
  std::uint16_t infinite() const { return static_cast<std::uint16_t>(top_exponent() << mantissa_bits); }

  // (-1)^sign 1.mantissa 2^(exponent - bias), or 0.mantissa 2^(1 - bias) for subnormals.
  double value(std::uint16_t bits) const {
    const double sign = (bits & 0x8000u) != 0 ? -1 : 1;
    const unsigned e = exponent(bits);
    const double fraction = std::ldexp(static_cast<double>(mantissa(bits)), -mantissa_bits);
    if (e == 0) return sign * std::ldexp(fraction, 1 - bias());
    return sign * std::ldexp(1 + fraction, static_cast<int>(e) - bias());
  }
};

const Format formats[] = {
    {"half", 5, 10, [](std::uint16_t b) { return widen(Half{b}); }, [](float f) { return narrow<Half>(f).bits; }},
    {"bfloat16", 8, 7, [](std::uint16_t b) { return widen(Bfloat16{b}); },
     [](float f) { return narrow<Bfloat16>(f).bits; }},
};

void PrintTo(const Format& format, std::ostream* out) { *out << format.name; }

class Narrow : public testing::TestWithParam<Format> {};

INSTANTIATE_TEST_SUITE_P(Type, Narrow, testing::ValuesIn(formats), [](const auto& info) { return info.param.name; });

TEST_P(Narrow, EveryValueWidensToItsDefinition) {
  const Format& format = GetParam();
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const float wide = format.decode(bits);
    if (format.exponent(bits) != format.top_exponent()) {
      ASSERT_EQ(static_cast<double>(wide), format.value(bits)) << i;
      ASSERT_EQ(std::signbit(wide), (bits & 0x8000u) != 0) << i;
    } else if (format.mantissa(bits) == 0) {
      ASSERT_EQ(wide, (bits & 0x8000u) != 0 ? -infinity : infinity) << i;
    } else {
      ASSERT_TRUE(std::isnan(wide)) << i;
    }
  }
}

TEST_P(Narrow, EveryValueRoundTrips) {
  const Format& format = GetParam();
  for (std::uint32_t i = 0; i < 65536; ++i) {
    const auto bits = static_cast<std::uint16_t>(i);
    const std::uint16_t back = format.encode(format.decode(bits));
    if (format.exponent(bits) == format.top_exponent() && format.mantissa(bits) != 0) {
      ASSERT_EQ(format.exponent(back), format.top_exponent()) << i;
      ASSERT_NE(format.mantissa(back), 0u) << i;
    } else {
      ASSERT_EQ(back, bits) << i;
    }
  }
}

// Between two neighbours: the middle goes to the even one, anything else to the nearer.
TEST_P(Narrow, RoundsToNearestAndTiesToEven) {
  const Format& format = GetParam();
  for (std::uint16_t low = 0; low + 1 < format.infinite(); ++low) {
    const auto high = static_cast<std::uint16_t>(low + 1);
    const float middle = 0.5f * format.decode(low) + 0.5f * format.decode(high);
    ASSERT_EQ(static_cast<double>(middle), 0.5 * format.value(low) + 0.5 * format.value(high));
    const std::uint16_t even = low % 2 == 0 ? low : high;
    ASSERT_EQ(format.encode(middle), even) << low;
    ASSERT_EQ(format.encode(-middle), even | 0x8000u) << low;
    ASSERT_EQ(format.encode(std::nextafter(middle, 0.0f)), low) << low;
    ASSERT_EQ(format.encode(std::nextafter(middle, infinity)), high) << low;
  }
}

TEST_P(Narrow, OverflowsToInfinityFromHalfAUnitPastTheLargest) {
  const Format& format = GetParam();
  const auto largest = static_cast<std::uint16_t>(format.infinite() - 1);
  const float unit = format.decode(largest) - format.decode(static_cast<std::uint16_t>(largest - 1));
  const float limit = format.decode(largest) + 0.5f * unit;
  EXPECT_EQ(format.encode(limit), format.infinite());
  EXPECT_EQ(format.encode(std::nextafter(limit, 0.0f)), largest);
  EXPECT_EQ(format.encode(infinity), format.infinite());
  EXPECT_EQ(format.encode(-infinity), format.infinite() | 0x8000u);
  EXPECT_EQ(format.encode(std::numeric_limits<float>::max()), format.infinite());
}

TEST_P(Narrow, EveryKindOfNanStaysNan) {
  const Format& format = GetParam();
  for (const std::uint32_t bits : {0x7fc00000u, 0xffc00000u, 0x7f800001u, 0xff800001u, 0x7fffffffu, 0x7f802000u}) {
    const std::uint16_t narrow = format.encode(std::bit_cast<float>(bits));
    EXPECT_EQ(format.exponent(narrow), format.top_exponent()) << std::hex << bits;
    EXPECT_NE(format.mantissa(narrow), 0u) << std::hex << bits;
  }
}

TEST_P(Narrow, IsTheNearestOfAllValuesForRandomBits) {
  const Format& format = GetParam();
  std::mt19937 random(1);
  for (int i = 0; i < 200'000; ++i) {
    const float f = std::bit_cast<float>(static_cast<std::uint32_t>(random()));
    if (!std::isfinite(f)) continue;
    const std::uint16_t bits = format.encode(f);
    if (format.exponent(bits) == format.top_exponent()) continue;
    const double error = std::fabs(static_cast<double>(f) - format.value(bits));
    for (const int step : {-1, 1}) {
      const auto other = static_cast<std::uint16_t>(bits + step);
      if (((other ^ bits) & 0x8000u) != 0 || format.exponent(other) == format.top_exponent()) continue;
      ASSERT_LE(error, std::fabs(static_cast<double>(f) - format.value(other))) << f;
    }
  }
}

TEST(Complex, MultipliesAndConjugatesByHand) {
  // (1 + 2i)(3 - i) = 5 + 5i
  EXPECT_EQ((Complex<float>{1, 2} * Complex<float>{3, -1}), (Complex<float>{5, 5}));
  EXPECT_EQ(multiply_add(Complex<double>{10, 20}, Complex<double>{1, 2}, Complex<double>{3, -1}),
            (Complex<double>{15, 25}));
  EXPECT_EQ(conjugate_if(true, Complex<float>{1, 2}), (Complex<float>{1, -2}));
  EXPECT_EQ(conjugate_if(false, Complex<float>{1, 2}), (Complex<float>{1, 2}));
  EXPECT_EQ(conjugate_if(true, 3.0f), 3.0f);
}

}  // namespace
}  // namespace onepass
