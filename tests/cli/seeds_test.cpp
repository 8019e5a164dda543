// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The rungs of the lineage compute what they should, at sizes that nothing divides, and each reads A once.
#include "ladder/seeds/seeds.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "ladder/problem.hpp"
#include "ladder/seeds/simulate.hpp"

namespace onepass::tools::ladder {
namespace {

Problem problem(const Seed& seed, Type type, std::int64_t m, std::int64_t n) {
  return {
      .routine = seed.routine, .type_a = type, .type_x = type, .type_y = type, .op = seed.op, .m = m, .n = n, .lda = m};
}

// Whole numbers, so that every order of a sum gives the same; elements above the diagonal of a symmetric A are its own.
template <class T>
struct WholeNumbers {
  explicit WholeNumbers(const Problem& p) : a(2 * p.m * p.n), x(2 * length_x(p)), y(length_y(p)) {
    T* const at = reinterpret_cast<T*>(a.data());
    T* const of_x = reinterpret_cast<T*>(x.data());
    for (std::int64_t i = 0; i < p.m * p.n; ++i) at[i] = static_cast<T>(i % 7 - 3);
    for (std::int64_t i = 0; i < length_x(p); ++i) of_x[i] = static_cast<T>(i % 5 - 2);
    for (std::int64_t i = 0; i < length_y(p); ++i)
      for (std::int64_t k = 0; k < length_x(p); ++k)
        y[static_cast<std::size_t>(i)] += (is_mirrored(p, i, k) ? at[k + i * p.lda] : at[i + k * p.lda]) * of_x[k];
  }
  const std::byte* data_of(const Floats& values) const { return reinterpret_cast<const std::byte*>(values.data()); }
  Floats a, x;
  std::vector<T> y;
};

template <class T>
void expect_right(const Seed& seed, const Problem& p) {
  const WholeNumbers<T> o(p);
  const auto found = simulate_seed(seed, p, o.data_of(o.a), o.data_of(o.x));
  if (!found) GTEST_SKIP() << "no simulator in this build";
  std::vector<T> y(o.y.size());
  std::memcpy(y.data(), found->y.data(), found->y.size());
  EXPECT_EQ(y, o.y) << seed.name << " " << p.m << "x" << p.n;
  EXPECT_TRUE(found->traffic.reads_once()) << seed.name << " " << p.m << "x" << p.n;
}

TEST(Seeds, AreExactOnIntegersWithoutHazardsAndReadAOnce) {
  for (const Seed& seed : seeds())
    for (const auto& [m, n] :
         std::vector<std::pair<std::int64_t, std::int64_t>>{{1, 1}, {130, 77}, {64, 128}, {33, 300}}) {
      if (seed.rung == SeedRung::space && n == 300)
        continue;  // the points of the space differ in nothing that it shows
      const Problem p = problem(seed, m == 64 ? Type::d : Type::s, seed.routine == Routine::symv ? n : m, n);
      m == 64 ? expect_right<double>(seed, p) : expect_right<float>(seed, p);
    }
}

TEST(Seeds, ServeTheProductsOfTheirRoutineAlone) {
  for (const Seed& seed : seeds()) {
    EXPECT_TRUE(serves(seed, problem(seed, Type::d, 8, 8)));
    EXPECT_FALSE(serves(seed, problem(seed, Type::z, 8, 8)));
    Problem other = problem(seed, Type::s, 8, 8);
    other.lda = 9;
    EXPECT_FALSE(serves(seed, other));
    other.lda = 8;
    other.uplo = Uplo::upper;
    EXPECT_FALSE(serves(seed, other));
  }
}

TEST(Seeds, BlockOccupancyIsThatOfTheLastWave) {
  EXPECT_EQ(block_occupancy(104, 104), 1);
  EXPECT_EQ(block_occupancy(105, 104), 105.0 / 208);
  EXPECT_EQ(block_occupancy(52, 104), 0.5);
}

TEST(Seeds, LaunchesFollowTheirRules) {
  const SeedDevice device{.multiprocessors = 10, .resident_blocks = [](int threads) { return 1024 / threads; }};
  const RowsLaunch split = rows_launch(SeedRung::threads_per_row, 1280, 10000, device);
  EXPECT_GE(split.blocks * split.splits, 80);
  EXPECT_EQ(split.columns % split.lanes, 0);
  EXPECT_EQ(rows_launch(SeedRung::rows_per_thread, 1025, 7, device).blocks, 3);
  const RowsLaunch filled = rows_launch(SeedRung::block_occupancy, 10 * 128 * 8, 7, device);
  EXPECT_EQ(block_occupancy(filled.blocks, 10 * device.resident_blocks(filled.lanes * filled.groups)), 1);
}

TEST(Seeds, FixedOrdersKeepTheirBits) {
  const Seed& ticket =
      *std::find_if(seeds().begin(), seeds().end(), [](const Seed& s) { return s.rung == SeedRung::ticket; });
  const Problem p = problem(ticket, Type::s, 200, 200);
  const WholeNumbers<float> o(p);
  const auto found = simulate_seed(ticket, p, o.data_of(o.a), o.data_of(o.x));
  if (!found) GTEST_SKIP() << "no simulator in this build";
  EXPECT_EQ(found->traffic.atomic_adds, 0);
  EXPECT_EQ(found->traffic.partial_sums, 136 + 72 + 8);  // the rows below the panels of 64 columns
  EXPECT_EQ(found->traffic.launches, 1);
}

}  // namespace
}  // namespace onepass::tools::ladder
