// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The canonical order, stated once more: what numbers/canonical_order.hpp says in words, and bits that never change.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "numbers/canonical_order.hpp"

namespace onepass::test {
namespace {

std::vector<double> numbers(std::int64_t count, std::uint64_t seed) {
  std::vector<double> list;
  for (std::int64_t i = 0; i < count; ++i) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    list.push_back(static_cast<double>(static_cast<std::int64_t>(seed >> 11)) * 0x1p-53 - 0.5);
  }
  return list;
}

// Top down: a range of 2^k chunks is the sum of its halves, and 2^k partial sums that lie 32 / 2^k apart likewise.
double by_halves(const std::vector<double>& a, const std::vector<double>& x) {
  const auto n = static_cast<std::int64_t>(a.size());
  std::function<double(std::int64_t, int, int)> partial = [&](std::int64_t chunk, int first, int step) -> double {
    if (step < 32) return partial(chunk, first, 2 * step) + partial(chunk, first + step, 2 * step);
    double sum = 0;
    for (std::int64_t k = 256 * chunk + first; k < std::min(n, 256 * (chunk + 1)); k += 32)
      sum = std::fma(a[static_cast<std::size_t>(k)], x[static_cast<std::size_t>(k)], sum);
    return sum;
  };
  std::function<double(std::int64_t, std::int64_t)> chunks = [&](std::int64_t first, std::int64_t count) -> double {
    if (256 * first >= n) return 0;
    return count == 1 ? partial(first, 0, 1) : chunks(first, count / 2) + chunks(first + count / 2, count / 2);
  };
  std::int64_t all = 1;
  while (256 * all < n) all *= 2;
  return chunks(0, all);
}

TEST(CanonicalOrder, IsATree) {
  for (const std::int64_t n : {0, 1, 2, 31, 32, 33, 255, 256, 257, 511, 512, 513, 768, 769, 1000, 4096, 5000, 70'001}) {
    const std::vector<double> a = numbers(n, 1), x = numbers(n, 2);
    const double sum = canonical::sum<double>(n, [&](double s, std::int64_t k) {
      return canonical::add_product(s, a[static_cast<std::size_t>(k)], x[static_cast<std::size_t>(k)]);
    });
    EXPECT_EQ(std::bit_cast<std::uint64_t>(sum), std::bit_cast<std::uint64_t>(by_halves(a, x))) << n;
  }
}

// Another order has other bits: the test above would see it.
TEST(CanonicalOrder, IsNotAnyOrder) {
  const std::vector<double> a = numbers(1000, 1), x = numbers(1000, 2);
  double sum = 0;
  for (std::size_t k = 0; k < 1000; ++k) sum = std::fma(a[k], x[k], sum);
  EXPECT_NE(sum, by_halves(a, x));
}

// Bits on record: a new version of the library, or a new machine, has them too.
TEST(CanonicalOrder, HasTheBitsOnRecord) {
  const std::vector<double> a = numbers(5000, 3), x = numbers(5000, 4);
  const auto at = [](const std::vector<double>& v, std::int64_t k) { return v[static_cast<std::size_t>(k)]; };
  const double d = canonical::sum<double>(
      5000, [&](double s, std::int64_t k) { return canonical::add_product(s, at(a, k), at(x, k)); });
  const float f = canonical::sum<float>(5000, [&](float s, std::int64_t k) {
    return canonical::add_product(s, static_cast<float>(at(a, k)), static_cast<float>(at(x, k)));
  });
  EXPECT_EQ(std::bit_cast<std::uint64_t>(d), 0xc02b93d15b2465e7u);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(f), 0xc15c9e8cu);
}

TEST(CanonicalOrder, HasOneNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(std::bit_cast<std::uint64_t>(canonical::finish(1.0, -nan, 0.0, 0.0)), 0x7ff8000000000000u);
  EXPECT_EQ(std::bit_cast<std::uint64_t>(canonical::finish(1.0, 1.0, 2.0, -nan)), 0x7ff8000000000000u);
  EXPECT_EQ(canonical::finish(1.0, 1.0, 0.0, nan), 1.0);
  EXPECT_EQ(canonical::finish(0.0, nan, 2.0, 3.0), 6.0);
}

TEST(CanonicalOrder, OfConjugatesIsTheConjugate) {
  const std::vector<double> v = numbers(4000, 5);
  const auto at = [&](std::int64_t k) {
    return Complex<double>{v[static_cast<std::size_t>(k)], v[static_cast<std::size_t>(k + 1)]};
  };
  const Complex<double> direct = canonical::sum<Complex<double>>(
      999, [&](auto s, std::int64_t k) { return canonical::add_product(s, conjugate_if(true, at(2 * k)), at(3 * k)); });
  const Complex<double> turned =
      canonical::conjugated(canonical::sum<Complex<double>>(999, [&](auto s, std::int64_t k) {
        return canonical::add_product(s, at(2 * k), conjugate_if(true, at(3 * k)));
      }));
  EXPECT_EQ(direct, turned);
  EXPECT_FALSE(std::signbit(canonical::conjugated(Complex<double>{}).im));
}

}  // namespace
}  // namespace onepass::test
