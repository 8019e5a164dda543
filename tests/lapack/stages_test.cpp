// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How a device would reduce a matrix to tridiagonal form: every column once, in launches that the device can hold.
#include <gtest/gtest.h>

#include <tuple>

#include "kernels/lapack/reductions/tridiagonal_shared.hpp"
#include "lapack/gpu/reductions/sytrd.hpp"
#include "lapack/gpu/reductions/tridiagonal_stages.hpp"

namespace onepass::lapack {
namespace {

std::vector<TridiagonalStage> stages(Type type, std::int64_t n, const DeviceTraits& traits = h200_traits()) {
  std::string why;
  std::vector<TridiagonalStage> found = tridiagonal_stages(type, n, traits, &why);
  EXPECT_EQ(why, "") << n;
  return found;
}

TEST(TridiagonalStages, ReduceEveryColumnOnce) {
  for (const Type type : {Type::s, Type::d, Type::c, Type::z})
    for (std::int64_t n = 1; n < 5000; n += n < 70 ? 1 : 61) {
      std::int64_t left = n;
      for (const TridiagonalStage& stage : stages(type, n)) {
        ASSERT_EQ(stage.n, left) << n;
        ASSERT_LE(stage.steps, left - 1) << n;
        left -= stage.steps;
      }
      EXPECT_EQ(left, 1) << n;
    }
}

TEST(TridiagonalStages, FitTheDevice) {
  const DeviceTraits traits = h200_traits();
  for (const Type type : {Type::s, Type::d, Type::c, Type::z})
    for (std::int64_t n = 1; n < 5000; n += n < 70 ? 1 : 37)
      for (const TridiagonalStage& stage : stages(type, n)) {
        EXPECT_GE(stage.blocks, 1);
        EXPECT_LE(stage.blocks, traits.sm_count);
        EXPECT_LE(stage.shared_bytes + 1024, static_cast<std::size_t>(traits.shared_bytes_per_sm));
        if (stage.kind != TridiagonalKind::on_chip) continue;
        const ChipShape& shape = tridiagonal_shapes.of(type)[static_cast<std::size_t>(stage.shape)];
        EXPECT_LE(stage.n, shape.rows());
        EXPECT_LE(stage.n, stage.blocks * stage.lines);
      }
}

// Blocks that do not meet at a barrier may not share the only element.
TEST(TridiagonalStages, OfASingleElementHaveOneBlock) {
  const std::vector<TridiagonalStage> found = stages(Type::d, 1);
  ASSERT_EQ(found.size(), 1u);
  EXPECT_EQ(found[0].blocks, 1);
  EXPECT_EQ(found[0].steps, 0);
  EXPECT_TRUE(stages(Type::d, 0).empty());
}

// A grid barrier costs more than all the rest of a short column.
TEST(TridiagonalStages, EndWithOneBlock) {
  for (const Type type : {Type::s, Type::d, Type::c, Type::z})
    for (const std::int64_t n : {1, 2, 64, 65, 128, 129, 200, 256, 300, 2048, 4096}) {
      const std::vector<TridiagonalStage> found = stages(type, n);
      EXPECT_EQ(found.back().kind, TridiagonalKind::one_block) << n;
      EXPECT_EQ(found.back().n, std::min<std::int64_t>(n, type == Type::z ? 64 : 128)) << n;
      for (std::size_t i = 0; i + 1 < found.size(); ++i) EXPECT_NE(found[i].kind, TridiagonalKind::one_block) << n;
    }
}

// Half of the L2, of a triangle of 2 GB nothing.
TEST(TridiagonalStages, KeepAPartOfTheTriangleInTheL2) {
  EXPECT_EQ(stages(Type::d, 2304).front().kept_sixteenths, 16);
  EXPECT_EQ(stages(Type::d, 4096).front().kept_sixteenths, 7);
  EXPECT_EQ(stages(Type::z, 4096).front().kept_sixteenths, 3);
  EXPECT_EQ(stages(Type::d, 8192).front().kept_sixteenths, 1);
  EXPECT_EQ(stages(Type::d, 16384).front().kept_sixteenths, 0);
}

TEST(TridiagonalStages, TakePanelsOnlyWhileTheMatrixDoesNotFit) {
  const auto panels = [](Type type, std::int64_t n) {
    std::int64_t count = 0;
    for (const TridiagonalStage& stage : stages(type, n)) count += stage.kind == TridiagonalKind::panel ? 1 : 0;
    return count;
  };
  EXPECT_EQ(panels(Type::d, 2048), 0);
  EXPECT_EQ(panels(Type::d, 2049), 1);
  EXPECT_EQ(panels(Type::d, 4096), 64);
  EXPECT_EQ(panels(Type::z, 1536), 0);
  EXPECT_EQ(panels(Type::z, 1537), 1);
}

// By the update before them, in double precision; the first panel has none.
TEST(TridiagonalStages, BeginLargePanels) {
  for (const auto& [type, n, least] : {std::tuple{Type::d, 16384, 5609}, {Type::z, 8192, 3966}}) {
    const std::vector<TridiagonalStage> found = stages(type, n);
    EXPECT_FALSE(found.front().begun);
    for (std::size_t i = 1; i < found.size(); ++i)
      EXPECT_EQ(found[i].begun, found[i].n >= least) << "n = " << n << ", " << found[i].n << " left";
  }
  for (const Type type : {Type::s, Type::c})
    for (const TridiagonalStage& stage : stages(type, 16384)) EXPECT_FALSE(stage.begun);
}

TEST(SytrdPlan, UsesCublasForUnalignedColumnsOfSinglePrecision) {
  const auto uses = [](Type type, std::int64_t n, std::int64_t lda) {
    SytrdPlan plan;
    const Status status =
        make_plan({.routine = LapackRoutine::sytrd, .type = type, .n = n, .lda = lda}, h200_traits(), &plan);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(explain(plan).find("by cuBLAS") != std::string::npos, uses_products(plan));
    return uses_products(plan);
  };
  EXPECT_FALSE(uses(Type::s, 3000, 3000));
  EXPECT_TRUE(uses(Type::s, 3000, 3002));
  EXPECT_FALSE(uses(Type::c, 3001, 3002));
  EXPECT_TRUE(uses(Type::c, 3001, 3001));
  EXPECT_FALSE(uses(Type::d, 3001, 3001));
  EXPECT_FALSE(uses(Type::s, 1001, 1001));  // on the chip
}

TEST(TridiagonalStages, SayWhyADeviceCannot) {
  DeviceTraits small = h200_traits();
  small.sm_count = 10;
  small.shared_bytes_per_sm = 100 * 1024;
  std::string why;
  EXPECT_TRUE(tridiagonal_stages(Type::d, 4096, small, &why).empty());
  EXPECT_NE(why.find("shared memory"), std::string::npos) << why;
  why.clear();
  EXPECT_FALSE(tridiagonal_stages(Type::d, 100, small, &why).empty()) << why;
  EXPECT_TRUE(tridiagonal_stages(Type::d, kernels::panel_most_rows + 1, h200_traits(), &why).empty());
  EXPECT_NE(why.find("65537"), std::string::npos) << why;
}

}  // namespace
}  // namespace onepass::lapack
