// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Panels of the bidiagonalisation: no hazard in any order of blocks and threads, A once a column, small residuals.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "held_columns.hpp"
#include "lapack/backend.hpp"
#include "lapack/gpu/gebrd.hpp"
#include "on_sim.hpp"
#include "orders.hpp"
#include "reduction.hpp"

namespace onepass::test {
namespace {

struct PanelSchedule {
  int blocks = 1;
  int columns = 1;        // of each panel
  int vectors = 4;        // of a thread
  int parts = 1;          // of a column
  bool only_one = false;  // panel; the rest is left as it is
};

lapack::GebrdPlan plan_of(const LapackProblem& p, const PanelSchedule& s) {
  const std::size_t bytes =
      kernels::stream_shared_bytes(static_cast<int>(size_of(p.type)), static_cast<int>(size_of_real(p.type)));
  std::vector<lapack::BidiagonalStage> stages;
  for (int done = 0; done < p.n && !(s.only_one && done > 0); done += s.columns)
    stages.push_back({{.blocks = s.blocks, .shared_bytes = bytes},
                      static_cast<int>(p.m) - done,
                      static_cast<int>(p.n) - done,
                      std::min(s.columns, static_cast<int>(p.n) - done),
                      s.vectors,
                      s.parts});
  DeviceTraits traits = h200_traits();
  traits.sm_count = 3;
  return lapack::make_plan(p, traits, lapack::Reduced::in_place, std::move(stages));
}

// Behind the first barrier of column j each element of the columns behind is loaded once, but for those that are still
// on the chip. Else only rows and columns that are updated are, and the end of the last column, which is kept.
void expect_one_pass_a_column(const lapack::Simulated& launch) {
  if (launch.step != lapack::Step::bidiagonal_panel) return;
  const auto& g = launch.given<lapack::Step::bidiagonal_panel>();
  EXPECT_EQ(sim::last_counters().grid_barriers, 2 * g.columns);
  const int element = static_cast<int>(size_of(launch.work.type)), vectors = std::abs(launch.work.shape);
  const int batch = g.parts > 1 ? kernels::stream_batch_in_parts(vectors, element) : kernels::stream_batch(vectors);
  const int slots = kernels::stream_slots * kernels::stream_vectors / (batch * vectors);
  for (std::int64_t k = g.columns + 1; k < g.n - 1; ++k)
    for (int interval = 0; interval <= 2 * g.columns; ++interval) {
      const bool held = batch == 1 && is_held(k, g.n, launch.work.blocks / g.parts, slots, interval / 2);
      for (std::int64_t i = g.columns; i < g.m; ++i)
        EXPECT_EQ(launch.memory.loads(static_cast<const std::byte*>(g.a) + (i + k * g.lda) * element,
                                      static_cast<std::size_t>(interval)),
                  held ? 0 : interval % 2)
            << "element " << i << ", " << k << " behind barrier " << interval;
    }
}

template <class T>
Reduction<T> bidiagonalize(std::int64_t m, std::int64_t n, const PanelSchedule& s, const sim::SimOptions& options = {},
                           verify::Pattern pattern = verify::Pattern::random) {
  sim::options() = options;
  // Columns are multiples of 16 bytes apart.
  Reduction<T> reduction(
      by_plan<lapack::GebrdPlan>([s](const LapackProblem& p) { return plan_of(p, s); }, expect_one_pass_a_column),
      {.routine = LapackRoutine::gebrd, .m = m, .n = n, .lda = (m + 7) / 4 * 4}, pattern);
  sim::options() = {};
  return reduction;
}

template <class T>
struct BidiagonalPanel : testing::Test {};
TYPED_TEST_SUITE(BidiagonalPanel, Types);

TYPED_TEST(BidiagonalPanel, SquareAndTall) {
  for (const std::int64_t n : {1, 2, 3, 7, 12}) {
    bidiagonalize<TypeParam>(n, n, {.blocks = 3, .columns = 4}).expect_small_residuals();
    bidiagonalize<TypeParam>(n + 6, n, {.blocks = 2, .columns = 5}).expect_small_residuals();
  }
}

// Blocks with several tiles of rows and of columns, and several batches.
TYPED_TEST(BidiagonalPanel, SeveralTiles) {
  const auto all = orders();
  for (const std::size_t i : orders_of_long_tests<TypeParam>())
    bidiagonalize<TypeParam>(45 + static_cast<std::int64_t>(i), 40,
                             {.blocks = 1 + static_cast<int>(i % 2), .columns = 32}, all[i])
        .expect_small_residuals(lapack_cpu());
}

TYPED_TEST(BidiagonalPanel, LongColumns) {
  for (const int vectors : {6, 8, 10, 12, 16})
    bidiagonalize<TypeParam>(20, 13, {.blocks = 2, .columns = 7, .vectors = vectors}).expect_small_residuals();
  for (const int vectors : {16, 20})
    bidiagonalize<TypeParam>(40, 33, {.blocks = 3, .columns = 20, .vectors = vectors}).expect_small_residuals();
  if (kernels::stream_holds_long_columns(24, sizeof(TypeParam)))
    bidiagonalize<TypeParam>(20, 13, {.blocks = 2, .columns = 7, .vectors = 24}).expect_small_residuals();
}

// Short columns, too, have parts; two are taken together but of the largest elements, of an odd number of them, too.
TYPED_TEST(BidiagonalPanel, TwoColumnsInParts) {
  const auto all = orders();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int parts = i % 2 == 0 ? 2 : 4;
    bidiagonalize<TypeParam>(60 + static_cast<std::int64_t>(i), 11,
                             {.blocks = 2 * parts, .columns = 6, .vectors = 12, .parts = parts}, all[i])
        .expect_small_residuals();
  }
}

// One by one, of two tiles.
TYPED_TEST(BidiagonalPanel, OneColumnInParts) {
  const auto all = orders();
  for (const std::size_t i : orders_of_long_tests<TypeParam>()) {
    const int parts = 2 + static_cast<int>(i % 3);
    bidiagonalize<TypeParam>(20, 13, {.blocks = 2 * parts, .columns = 7, .vectors = 20, .parts = parts}, all[i])
        .expect_small_residuals();
    bidiagonalize<TypeParam>(41 + static_cast<std::int64_t>(i), 36,
                             {.blocks = parts, .columns = 10, .vectors = 16, .parts = parts}, all[i])
        .expect_small_residuals(lapack_cpu());
  }
}

// Columns so long that two or four blocks have parts of them; the host has the same numbers.
TYPED_TEST(BidiagonalPanel, ColumnsInParts) {
  const std::int64_t part = kernels::stream_rows(16, sizeof(TypeParam));
  std::vector<std::array<std::int64_t, 4>> cases = {{part + 5, 4, 2, 2}};
  if (sizeof(TypeParam) == 16)
    cases.insert(cases.end(), {{2 * part, 3, 2, 1}, {2 * part + 1, 3, 4, 1}, {3 * part + 1, 3, 4, 1}});
  for (const auto& [m, n, parts, teams] : cases) {
    Reduction<TypeParam> found = bidiagonalize<TypeParam>(m, n,
                                                          {.blocks = static_cast<int>(parts * teams),
                                                           .columns = static_cast<int>(n),
                                                           .vectors = 16,
                                                           .parts = static_cast<int>(parts)},
                                                          orders()[static_cast<std::size_t>(m) % orders().size()]);
    EXPECT_TRUE(found.intact);
    Reduction<TypeParam> expected(lapack_cpu(), found.problem, verify::Pattern::random);
    const double limit = 100 * std::sqrt(static_cast<double>(m)) * verify::unit_of<TypeParam>;
    for (std::int64_t i = 0; i < n; ++i) {
      EXPECT_NEAR(found.d[i], expected.d[i], limit * std::abs(expected.d[0])) << m << " " << i;
      if (i + 1 < n) {
        EXPECT_NEAR(found.e[i], expected.e[i], limit * std::abs(expected.d[0])) << m << " " << i;
      }
      EXPECT_LE(std::abs(found.tau[i] - expected.tau[i]), limit) << m << " " << i;
      for (const std::int64_t r : {i + 1, part - 1, part, part + 1, m - 1})
        EXPECT_LE(std::abs(found.a(r, i) - expected.a(r, i)), limit) << m << ": " << r << ", " << i;
    }
  }
}

// More rows and columns of a block than it has threads.
TEST(BidiagonalPanelOfOneBlock, HasManyColumns) {
  constexpr int columns = 2;
  Reduction<double> found = bidiagonalize<double>(262, 260, {.blocks = 1, .columns = columns, .only_one = true});
  EXPECT_TRUE(found.intact);
  Reduction<double> expected(lapack_cpu(), found.problem, verify::Pattern::random);
  for (std::int64_t i = 0; i < columns; ++i) {
    EXPECT_NEAR(found.d[i], expected.d[i], 1e-12) << i;
    EXPECT_NEAR(found.e[i], expected.e[i], 1e-12) << i;
    for (std::int64_t k = i + 2; k < 260; ++k) EXPECT_NEAR(found.a(i, k), expected.a(i, k), 1e-12) << i << ", " << k;
    for (std::int64_t r = i + 1; r < 262; ++r) EXPECT_NEAR(found.a(r, i), expected.a(r, i), 1e-12) << r << ", " << i;
  }
}

TYPED_TEST(BidiagonalPanel, ColumnsWithNothingToReduce) {
  for (const verify::Pattern pattern : {verify::Pattern::zero, verify::Pattern::reduced})
    bidiagonalize<TypeParam>(12, 10, {.blocks = 2, .columns = 3}, {}, pattern).expect_small_residuals();
}

TYPED_TEST(BidiagonalPanel, SameBitsInEveryOrder) {
  const auto all = orders();
  const auto first = bidiagonalize<TypeParam>(11, 9, {.blocks = 3, .columns = 4}, all[0]);
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_TRUE(bidiagonalize<TypeParam>(11, 9, {.blocks = 3, .columns = 4}, all[i]).same_bits(first));
}

}  // namespace
}  // namespace onepass::test
