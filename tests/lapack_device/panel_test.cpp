// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Panels of the tridiagonalisation: no hazard in any order of blocks and threads, one pass a column, small residuals.
#include "schedule.hpp"
#include "support/thorough.hpp"

namespace onepass::test {
namespace {

template <class T>
struct Panel : testing::Test {};
TYPED_TEST_SUITE(Panel, Types);

TYPED_TEST(Panel, TheRestOnTheChip) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    reduce<TypeParam>(uplo, 16, {.blocks = 3, .panels = {4, 3}, .steps = {5}}, {}).expect_small_residuals();
}

// Tiles that several blocks share, at the edge and on the diagonal; blocks with several tiles.
TYPED_TEST(Panel, SeveralTiles) {
  const auto all = orders();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const int blocks = 2 + static_cast<int>(i);
    SCOPED_TRACE(std::to_string(blocks) + " blocks");
    reduce<TypeParam>(i % 2 == 0 ? Uplo::lower : Uplo::upper, 133 + static_cast<std::int64_t>(i),
                      {.blocks = blocks, .panels = {4}, .on_chip = false}, all[i])
        .expect_small_residuals(lapack_cpu());
  }
}

// Panels whose first product is made by the update before them.
template <class T>
struct BegunPanel : testing::Test {};
TYPED_TEST_SUITE(BegunPanel, DoublePrecision);

TYPED_TEST(BegunPanel, SmallAndWithSeveralTiles) {
  const auto all = orders();
  int number = 0;
  for (const auto& [n, blocks] : {std::pair{16, 3}, {134, 4}, {133, 2}, {275, 5}})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      if (!thorough && n > 200) continue;
      SCOPED_TRACE("n = " + std::to_string(n));
      reduce<TypeParam>(uplo, n, {.blocks = blocks, .panels = {4, 2, 3}, .begins = true, .on_chip = false},
                        all[static_cast<std::size_t>(number++) % all.size()])
          .expect_small_residuals(lapack_cpu());
    }
}

TYPED_TEST(BegunPanel, SpecialMatrices) {
  const Schedule three = {.blocks = 2, .panels = {3, 2, 2}, .begins = true};
  for (const verify::Pattern pattern : {verify::Pattern::zero, verify::Pattern::reduced, verify::Pattern::graded})
    reduce<TypeParam>(Uplo::lower, 14, three, {}, pattern).expect_small_residuals();
  Schedule scaled = three;
  scaled.scale = 0x1p-300;
  reduce<TypeParam>(Uplo::lower, 14, scaled, {}).expect_small_residuals();
}

TYPED_TEST(BegunPanel, SameBitsInEveryOrder) {
  const auto all = orders();
  const Schedule two = {.blocks = 3, .panels = {3, 3}, .begins = true};
  const auto first = reduce<TypeParam>(Uplo::upper, 12, two, all[0]);
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_TRUE(reduce<TypeParam>(Uplo::upper, 12, two, all[i]).same_bits(first));
}

TYPED_TEST(Panel, ColumnsWithNothingToReduce) {
  for (const verify::Pattern pattern : {verify::Pattern::zero, verify::Pattern::reduced})
    reduce<TypeParam>(Uplo::lower, 12, {.blocks = 2, .panels = {2}}, {}, pattern).expect_small_residuals();
}

// So far down that squares underflow.
TYPED_TEST(Panel, ScaledMatrix) {
  const double scale = std::is_same_v<lapack::Real<TypeParam>, double> ? 0x1p-600 : 0x1p-70;
  reduce<TypeParam>(Uplo::lower, 14, {.blocks = 3, .panels = {4, 3}, .scale = scale}, {}).expect_small_residuals();
}

TYPED_TEST(Panel, SameBitsInEveryOrder) {
  const auto all = orders();
  const auto first = reduce<TypeParam>(Uplo::upper, 10, {.blocks = 3, .panels = {3}}, all[0]);
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_TRUE(reduce<TypeParam>(Uplo::upper, 10, {.blocks = 3, .panels = {3}}, all[i]).same_bits(first));
}

TEST(LargestPanel, ThreeTilesASide) {
  const Schedule one_panel = {
      .blocks = 5, .panels = {thorough ? kernels::panel_columns : kernels::panel_columns / 4}, .on_chip = false};
  reduce<double>(Uplo::lower, 290, one_panel, {}).expect_small_residuals(lapack_cpu());
}

}  // namespace
}  // namespace onepass::test
