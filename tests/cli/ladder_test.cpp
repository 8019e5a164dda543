// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The steps of the ladder compute what they should, at sizes that nothing divides, and show the code that ran.
#include <gtest/gtest.h>

#include <cmath>

#include "ladder/cpu/by_columns.hpp"
#include "ladder/cpu/by_rows.hpp"
#include "ladder/cpu/four_rows.hpp"
#include "ladder/cpu/many_sums.hpp"
#include "ladder/simulate.hpp"

namespace onepass::tools::ladder {
namespace {

constexpr Shape shapes[] = {{1, 1}, {3, 5}, {4, 16}, {7, 1}, {33, 31}, {5, 1027}, {130, 66}, {2, 2050}};

// Whole numbers, so that every order of a sum gives the same.
Floats whole_numbers(std::int64_t count, int modulus) {
  Floats values(count);
  for (std::int64_t i = 0; i < count; ++i) values.data()[i] = static_cast<float>(i % modulus - modulus / 2);
  return values;
}

std::vector<float> expected(Shape shape, const Floats& a, const Floats& x) {
  std::vector<float> y(static_cast<std::size_t>(shape.m));
  for (std::int64_t row = 0; row < shape.m; ++row)
    for (std::int64_t col = 0; col < shape.n; ++col)
      y[static_cast<std::size_t>(row)] += a.data()[row * shape.n + col] * x.data()[col];
  return y;
}

TEST(Ladder, LoopsAreExactOnIntegers) {
  for (const Shape shape : shapes) {
    const Floats a = whole_numbers(shape.m * shape.n, 7), x = whole_numbers(shape.n, 5);
    for (const auto loop : {by_columns, by_rows, many_sums, four_rows}) {
      std::vector<float> y(static_cast<std::size_t>(shape.m), std::nanf(""));
      loop(a.data(), x.data(), y.data(), shape.m, shape.n);
      EXPECT_EQ(y, expected(shape, a, x)) << shape.m << "x" << shape.n;
    }
  }
}

TEST(Ladder, KernelsAreExactOnIntegersAndWithoutHazards) {
  for (const Shape shape : shapes) {
    const Floats a = whole_numbers(shape.m * shape.n, 7), x = whole_numbers(shape.n, 5);
    for (const Rung rung : {Rung::naive, Rung::warp, Rung::block, Rung::vector}) {
      const auto found = simulate(rung, shape, a, x);
      if (!found) GTEST_SKIP() << "no simulator in this build";
      EXPECT_EQ(found->y, expected(shape, a, x)) << shape.m << "x" << shape.n << " step " << static_cast<int>(rung);
    }
  }
}

TEST(Ladder, CoalescingIsSeen) {
  const Shape shape{64, 512};
  const Floats a = whole_numbers(shape.m * shape.n, 7), x = whole_numbers(shape.n, 5);
  const auto naive = simulate(Rung::naive, shape, a, x), warp = simulate(Rung::warp, shape, a, x),
             vector = simulate(Rung::vector, shape, a, x);
  if (!naive) GTEST_SKIP() << "no simulator in this build";
  EXPECT_EQ(naive->traffic.sectors_per_needed(), 8);  // 32 bytes for each element of 4
  EXPECT_EQ(warp->traffic.sectors_per_needed(), 1);
  EXPECT_EQ(vector->traffic.sectors_per_needed(), 1);
  EXPECT_EQ(warp->traffic.loads, 2 * 64 * 512 / 32);
  EXPECT_EQ(vector->traffic.loads, 64 * 512 / 32 / 4 + 64 * 512 / 32);  // words of A, elements of x
}

TEST(Ladder, ShowsTheCodeThatRuns) {
  const std::vector<Step> gpu = gpu_steps(), host = host_steps();
  ASSERT_EQ(gpu.size(), 5u);
  ASSERT_EQ(host.size(), 5u);
  EXPECT_NE(gpu[1].code.find("struct Warp {"), std::string_view::npos);
  EXPECT_NE(host[3].code.find("inline void four_rows("), std::string_view::npos);
  for (const auto& steps : {gpu, host})
    for (std::size_t i = 0; i + 1 < steps.size(); ++i) {
      EXPECT_EQ(steps[i].code.find("SPDX"), std::string_view::npos);
      EXPECT_EQ(steps[i].code.find("namespace"), std::string_view::npos);
      EXPECT_TRUE(steps[i].code.ends_with("}\n") || steps[i].code.ends_with("};\n")) << steps[i].code;
    }
}

TEST(Ladder, SimulatesASmallMatrixWithTheSameAlignment) {
  EXPECT_EQ(simulated_shape({4096, 8192}), (Shape{128, 1024}));
  EXPECT_EQ(simulated_shape({4096, 8193}), (Shape{128, 1025}));
  EXPECT_EQ(simulated_shape({3, 5}), (Shape{3, 5}));
}

}  // namespace
}  // namespace onepass::tools::ladder
