// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Coarse to fine: which cells come when, which launches they try, and who wins in the end.
#include "tune/screening.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "plan/device_traits.hpp"

namespace onepass::tools {
namespace {

Mesh mesh_of(std::int64_t points) {
  return {.rows = logarithmic(16, 1048576, points), .cols = logarithmic(16, 1048576, points)};
}

Launch launch(std::int16_t threads, std::int16_t lanes, std::int16_t split_threads = 0) {
  return Tuned{.threads = threads, .lanes = lanes, .split_threads = split_threads};
}

TEST(VisitingOrder, HasEachCellThatFitsOnceCoarseOnesFirst) {
  const Mesh mesh = mesh_of(24);
  std::set<std::pair<std::size_t, std::size_t>> seen;
  Step step = Step::coarse;
  std::size_t coarse = 0, middle = 0;
  for (const CellAt& at : visiting_order(mesh, 2.2e9)) {
    EXPECT_TRUE(seen.insert({at.row, at.col}).second);
    EXPECT_GE(at.step, step);
    step = at.step;
    coarse += at.step == Step::coarse;
    middle += at.step == Step::middle;
    EXPECT_LE(4.0 * static_cast<double>(mesh.rows[at.row] * mesh.cols[at.col]), 2.2e9);
  }
  EXPECT_EQ(seen.size(), 440u);
  EXPECT_GT(coarse, 8u);
  EXPECT_GT(middle, coarse);
  EXPECT_GT(seen.size(), 5 * middle);
}

TEST(VisitingOrder, BeginsInTheMiddleOfAShortAxis) {
  const Mesh mesh{.rows = {100, 200, 300}, .cols = {50}};
  const auto order = visiting_order(mesh, 1e9);
  ASSERT_EQ(order.size(), 3u);
  EXPECT_EQ(order[0].row, 1u);
  EXPECT_EQ(order[0].step, Step::coarse);
}

TEST(Propose, GivesDistinctPlansAndNoMoreThanAskedFor) {
  const Mesh mesh = mesh_of(24);
  std::vector<Cell> cells(mesh.size());
  for (const Launch& promising : ranked_launches(problem_at(mesh, 9, 9), h200_traits()))
    for (const std::size_t neighbour : {9 * 24 + 8, 8 * 24 + 9}) cells[neighbour].scored.push_back({promising, 1e-6});
  for (const std::size_t most : {1, 7, 64}) {
    const auto candidates = propose(mesh, {.row = 9, .col = 9}, cells, h200_traits(), most);
    EXPECT_EQ(candidates.size(), most);
    for (std::size_t i = 0; i < candidates.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) EXPECT_NE(candidates[i].plan, candidates[j].plan);
  }
}

TEST(Propose, BeginsWithTheWinnersNearby) {
  const Mesh mesh = mesh_of(24);
  std::vector<Cell> cells(mesh.size());
  const Launch near = launch(128, 4, 768), far = launch(256, 64);
  cells[9 * 24 + 12].scored = {{near, 1e-6}, {launch(128, 8), 2e-6}};
  cells[1 * 24 + 1].scored = {{far, 1e-6}};
  const auto candidates = propose(mesh, {.row = 9, .col = 9}, cells, h200_traits(), 4);
  ASSERT_EQ(candidates.size(), 4u);
  EXPECT_EQ(candidates[0].launch, near);
  EXPECT_EQ(candidates[1].launch, far);
  EXPECT_EQ(candidates[2].launch, ranked_launches(problem_at(mesh, 9, 9), h200_traits())[0]);
  EXPECT_EQ(candidates[3].launch, launch(128, 8));
}

class Winners : public testing::Test {
 protected:
  Winners() {
    for (Cell& cell : cells_) cell = {.fits = true, .scored = {{common_, 1e-6}, {rare_, 2e-6}}};
  }
  Cell& middle() { return cells_[4]; }
  std::optional<Launch> winner() const { return winners(mesh_, cells_)[4]; }

  const Launch common_ = launch(256, 8), rare_ = launch(128, 8);
  Mesh mesh_{.rows = {100, 200, 300}, .cols = {100, 200, 300}};
  std::vector<Cell> cells_ = std::vector<Cell>(9);
};

TEST_F(Winners, AreTheFastest) {
  middle().scored = {{rare_, 1e-6}, {common_, 1.02e-6}};
  EXPECT_EQ(winner(), rare_);
}

TEST_F(Winners, AreThoseOfTheNeighboursWhereTimesAreEqualButForNoise) {
  middle().scored = {{rare_, 1e-6}, {common_, 1.005e-6}};
  EXPECT_EQ(winner(), common_);
}

TEST_F(Winners, AreNoneWhereTheRuleIsAboutAsFast) {
  middle() = {.fits = true, .rule = rare_, .scored = {{common_, 1e-6}, {rare_, 1.02e-6}}};
  EXPECT_EQ(winner(), std::nullopt);
  middle().scored[1].seconds = 1.05e-6;
  EXPECT_EQ(winner(), common_);
}

TEST_F(Winners, OfTrianglesAreThoseOfTwoOrdersAndMore) {
  mesh_ = {.routine = Routine::symv, .rows = {100, 200, 300, 400, 500}, .cols = {1}};
  cells_.resize(5);
  for (const int i : {0, 1, 3}) cells_[static_cast<std::size_t>(i)].scored = {{rare_, 1e-6}};
  for (const std::size_t i : {2, 4}) cells_[i].scored = {{common_, 1e-6}};
  EXPECT_EQ(winners(mesh_, cells_), (std::vector<std::optional<Launch>>{rare_, rare_, {}, {}, {}}));
}

TEST_F(Winners, AreNoneWhereNothingWasTimed) {
  middle().scored = {};
  EXPECT_EQ(winner(), std::nullopt);
}

}  // namespace
}  // namespace onepass::tools
