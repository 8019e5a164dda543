// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How a device would reduce a matrix to bidiagonal form: every column once, in launches that the device can hold.
#include "lapack/gpu/reductions/bidiagonal_stages.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "lapack/gpu/reductions/gebrd.hpp"

namespace onepass::lapack {
namespace {

constexpr Type all_types[] = {Type::s, Type::d, Type::c, Type::z};

std::vector<BidiagonalStage> stages(Type type, std::int64_t m, std::int64_t n) {
  std::string why;
  std::vector<BidiagonalStage> found = bidiagonal_stages(type, m, n, true, h200_traits(), &why);
  EXPECT_EQ(why, "") << m << " x " << n;
  return found;
}

GebrdPlan plan_of(Type type, std::int64_t m, std::int64_t n, std::int64_t lda) {
  GebrdPlan plan;
  const Status status =
      make_plan({.routine = LapackRoutine::gebrd, .type = type, .m = m, .n = n, .lda = lda}, h200_traits(), &plan);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

TEST(BidiagonalStages, ReduceEveryColumnOnce) {
  for (const Type type : all_types)
    for (std::int64_t n = 1; n < 4000; n += n < 70 ? 1 : 61)
      for (const std::int64_t m : {n, n + 1, n + 90}) {
        std::int64_t rows = m, columns = n;
        for (const BidiagonalStage& stage : stages(type, m, n)) {
          ASSERT_EQ(stage.m, rows) << n;
          ASSERT_EQ(stage.n, columns) << n;
          ASSERT_GE(stage.columns, 1) << n;
          ASSERT_TRUE(!stage.is_panel() || stage.columns == kernels::stream_columns || stage.columns == columns) << n;
          ASSERT_EQ(stage.has_rest(), columns > stage.columns);
          rows -= stage.columns;
          columns -= stage.columns;
        }
        EXPECT_EQ(columns, 0) << n;
      }
}

TEST(BidiagonalStages, FitTheDevice) {
  const DeviceTraits traits = h200_traits();
  for (const Type type : all_types) {
    const int element = static_cast<int>(size_of(type));
    for (std::int64_t m = 1; m <= bidiagonal_most_rows(type); m += m < 70 ? 1 : 37)
      for (const BidiagonalStage& stage : stages(type, m, std::min<std::int64_t>(m, 70))) {
        EXPECT_GE(stage.blocks, 1);
        EXPECT_LE(stage.blocks, traits.sm_count);
        EXPECT_LE(stage.shared_bytes + 1024, static_cast<std::size_t>(traits.shared_bytes_per_sm));
        if (stage.is_panel()) {
          EXPECT_LE(stage.m, stage.parts * kernels::stream_rows(stage.vectors, element));
          EXPECT_EQ(stage.blocks % stage.parts, 0);
        } else {
          EXPECT_LE(stage.m, bidiagonal_shapes.of(type)[static_cast<std::size_t>(stage.shape)].rows());
          EXPECT_LE(stage.m, stage.blocks * stage.lines);
        }
      }
  }
}

TEST(BidiagonalStages, HaveFewerBlocksAndVectorsForSmallerMatrices) {
  EXPECT_TRUE(stages(Type::d, 5, 0).empty());
  EXPECT_EQ(stages(Type::d, 1, 1).front().blocks, 1);
  const std::vector<BidiagonalStage> found = stages(Type::d, 4000, 4000);
  for (std::size_t i = 1; i < found.size(); ++i) {
    if (found[i].is_panel() == found[i - 1].is_panel()) {
      EXPECT_LE(found[i].blocks, found[i - 1].blocks);
    }
    EXPECT_LE(found[i].vectors, found[i - 1].vectors);
    EXPECT_TRUE(found[i - 1].is_panel() || !found[i].is_panel());
  }
  EXPECT_EQ(found.front().vectors, 8);
  EXPECT_EQ(found.front().blocks, 128);  // of 132 SMs: a multiple of 32
  EXPECT_EQ(found.back().blocks, 64);
  EXPECT_EQ(stages(Type::z, 8192, 100).front().blocks, 128);  // 64 teams
}

TEST(BidiagonalStages, HaveAsFewVectorsAsColumnsAllow) {
  const auto shape = [](Type type, std::int64_t m) {
    const BidiagonalStage first = stages(type, m, 2000).front();
    return std::pair{first.vectors, first.parts};
  };
  EXPECT_EQ(shape(Type::d, 3072), std::pair(6, 1));
  EXPECT_EQ(shape(Type::d, 3074), std::pair(8, 1));
  EXPECT_EQ(shape(Type::d, 5120), std::pair(10, 1));
  EXPECT_EQ(shape(Type::d, 6144), std::pair(12, 1));
  EXPECT_EQ(shape(Type::d, 8192), std::pair(16, 1));
  EXPECT_EQ(shape(Type::d, 8194), std::pair(20, 1));
  EXPECT_EQ(shape(Type::d, 12288), std::pair(24, 1));
  EXPECT_EQ(shape(Type::d, 12290), std::pair(16, 2));
  EXPECT_EQ(shape(Type::z, 5120), std::pair(20, 1));
  EXPECT_EQ(shape(Type::z, 6144), std::pair(12, 2));
  EXPECT_EQ(shape(Type::d, 16384), std::pair(16, 2));
  EXPECT_EQ(shape(Type::z, 3072), std::pair(12, 1));
  EXPECT_EQ(shape(Type::z, 8192), std::pair(16, 2));
  EXPECT_EQ(shape(Type::z, 10240), std::pair(20, 2));
  EXPECT_EQ(shape(Type::z, 10241), std::pair(16, 4));
  EXPECT_EQ(shape(Type::z, 16384), std::pair(16, 4));
  EXPECT_EQ(shape(Type::d, 20480), std::pair(20, 2));
  EXPECT_EQ(shape(Type::d, 20482), std::pair(12, 4));
}

TEST(BidiagonalStages, HaveAsManyClustersAsTheDevice) {
  DeviceTraits traits = h200_traits();
  EXPECT_EQ(clustered_blocks(4, traits), 120);
  traits.clusters_of_four = 0;  // not known
  EXPECT_EQ(clustered_blocks(4, traits), 96);
  EXPECT_EQ(clustered_blocks(2, traits), 128);
}

TEST(BidiagonalStages, TakePanelsOnlyWhileTheMatrixDoesNotFit) {
  const auto panels = [](Type type, std::int64_t m, std::int64_t n) {
    const std::vector<BidiagonalStage> all = stages(type, m, n);
    return std::count_if(all.begin(), all.end(), [](const BidiagonalStage& stage) { return stage.is_panel(); });
  };
  EXPECT_EQ(panels(Type::d, 1536, 1536), 0);
  EXPECT_EQ(panels(Type::d, 1537, 1000), 1);
  EXPECT_EQ(panels(Type::d, 2048, 2048), 16);
  EXPECT_EQ(panels(Type::z, 1024, 1024), 0);
  EXPECT_EQ(panels(Type::z, 1025, 1000), 1);
}

TEST(BidiagonalStages, SayWhyADeviceCannot) {
  for (const auto& [type, most] : {std::pair{Type::s, 65536}, {Type::d, 32768}, {Type::c, 32768}, {Type::z, 16384}}) {
    EXPECT_EQ(bidiagonal_most_rows(type), most);
    EXPECT_FALSE(stages(type, most, 1).empty());
    for (const bool wide : {false, true}) {
      GebrdPlan plan;
      const LapackProblem problem = {.routine = LapackRoutine::gebrd,
                                     .type = type,
                                     .m = wide ? 10 : most + 1,
                                     .n = wide ? most + 1 : 10,
                                     .lda = most + 1};
      const Status status = make_plan(problem, h200_traits(), &plan);
      EXPECT_EQ(status.code, ONEPASS_STATUS_TOO_LARGE);
      EXPECT_NE(status.text.find(std::to_string(most + 1)), std::string::npos) << status.text;
      EXPECT_NE(status.text.find("at most " + std::to_string(most)), std::string::npos) << status.text;
    }
  }
  DeviceTraits small = h200_traits();
  small.shared_bytes_per_sm = 100 * 1024;
  std::string why;
  EXPECT_TRUE(bidiagonal_stages(Type::d, 2000, 100, true, small, &why).empty());
  EXPECT_NE(why.find("shared memory"), std::string::npos) << why;
}

TEST(GebrdPlan, CopiesWhatPanelsCannotReduceInPlace) {
  EXPECT_EQ(plan_of(Type::d, 2000, 100, 2000).reduced, Reduced::in_place);
  EXPECT_EQ(plan_of(Type::d, 2000, 50, 2008).reduced, Reduced::copy);
  EXPECT_EQ(plan_of(Type::s, 2000, 50, 2016).reduced, Reduced::in_place);
  EXPECT_EQ(plan_of(Type::c, 2000, 50, 2002).reduced, Reduced::copy);
  EXPECT_EQ(plan_of(Type::z, 2000, 50, 2008).reduced, Reduced::in_place);
  // The longest columns must begin with a vector.
  EXPECT_EQ(plan_of(Type::d, 8191, 50, 8192).reduced, Reduced::in_place);
  EXPECT_EQ(plan_of(Type::d, 8192, 50, 8192).reduced, Reduced::copy);
  EXPECT_EQ(plan_of(Type::z, 50, 2000, 50).reduced, Reduced::adjoint);
  EXPECT_EQ(plan_of(Type::d, 100, 50, 101).reduced, Reduced::in_place);  // on the chip
  EXPECT_GE(plan_of(Type::d, 2000, 50, 2001).workspace_bytes,
            plan_of(Type::d, 2000, 50, 2000).workspace_bytes + 2000 * 50 * 8);
  EXPECT_GE(plan_of(Type::d, 50, 2000, 50).workspace_bytes,
            plan_of(Type::d, 2000, 50, 2000).workspace_bytes + 2000 * 50 * 8);
}

// Later panels have more blocks than those of columns in four parts.
TEST(GebrdPlan, HasRoomForTheBlocksOfEveryPanel) {
  constexpr std::int64_t n = 10300;
  const GebrdPlan plan = plan_of(Type::z, n, n, 10304);
  EXPECT_EQ(plan.stages.front().parts, 4);
  EXPECT_LT(plan.stages.front().blocks, most_blocks_of_panels(plan.stages));
  const std::int64_t thin = 10304 * 2 * kernels::stream_columns, sums = most_blocks_of_panels(plan.stages) * n;
  const std::int64_t copied = plan.reduced == Reduced::in_place ? 0 : n * n;
  EXPECT_GE(plan.workspace_bytes, static_cast<std::size_t>(16 * (copied + sums + thin * 15 / 8)));
}

TEST(GebrdPlan, OfNothingNeedsNothing) {
  for (const auto& [m, n] : {std::pair{0, 0}, {0, 7}, {7, 0}}) {
    const GebrdPlan plan = plan_of(Type::d, m, n, 7);
    EXPECT_TRUE(plan.stages.empty());
    EXPECT_EQ(plan.workspace_bytes, 0u);
    EXPECT_NE(explain(plan).find("dgebrd m = " + std::to_string(m)), std::string::npos) << explain(plan);
  }
}

TEST(GebrdPlan, RefusesLeadingDimensionsThatItsCallsCannotTake) {
  GebrdPlan plan;
  for (const std::int64_t lda : {std::int64_t{1} << 32, (std::int64_t{1} << 30) + 1}) {
    const Status status =
        make_plan({.routine = LapackRoutine::gebrd, .m = 4000, .n = 40, .lda = lda}, h200_traits(), &plan);
    EXPECT_EQ(status.code, ONEPASS_STATUS_TOO_LARGE);
    EXPECT_NE(status.text.find("lda = " + std::to_string(lda)), std::string::npos) << status.text;
  }
  EXPECT_EQ(plan_of(Type::d, 40, 41, (std::int64_t{1} << 32) + 1).reduced, Reduced::adjoint);
}

TEST(GebrdPlan, SaysInWordsWhatWillBeDone) {
  const std::string square = explain(plan_of(Type::d, 2500, 2500, 2512)),
                    odd = explain(plan_of(Type::d, 2500, 2500, 2501)), wide = explain(plan_of(Type::d, 500, 2000, 500)),
                    narrow = explain(plan_of(Type::d, 2500, 3, 2500)), small = explain(plan_of(Type::d, 500, 400, 501));
  for (const char* const words : {"dgebrd m = 2500 n = 2500", "31 panels of 32 columns", "2 grid barriers a column",
                                  "A once a column (50.0 MB at first)", "rank-64 update by tensor cores",
                                  "484 columns of 1508 x 1508 on the chip, by columns and by rows: 132 blocks"})
    EXPECT_NE(square.find(words), std::string::npos) << square;
  EXPECT_EQ(square.find("workspace,"), std::string::npos) << square;
  EXPECT_NE(odd.find("lda = 2501"), std::string::npos) << odd;
  EXPECT_NE(wide.find("since m < n"), std::string::npos) << wide;
  EXPECT_NE(wide.find("2000 x 500"), std::string::npos) << wide;
  EXPECT_NE(narrow.find("1 panel of 3 columns"), std::string::npos) << narrow;
  EXPECT_EQ(narrow.find("update"), std::string::npos) << narrow;
  EXPECT_NE(small.find("244 columns of 500 x 400 on the chip"), std::string::npos) << small;
  EXPECT_NE(small.find("156 columns of 256 x 156 on the chip"), std::string::npos) << small;
  EXPECT_EQ(small.find("panel"), std::string::npos) << small;
}

}  // namespace
}  // namespace onepass::lapack
