// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The model on devices that nobody timed: plans that are legal, that fill the device and that fit its memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "backends/registry.hpp"
#include "plan/device_fixtures.hpp"
#include "plan/device_traits.hpp"
#include "plan/gemv_model.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "support/compare.hpp"

namespace onepass {
namespace {

using test::problem;

class UntunedGpu : public testing::TestWithParam<DeviceTraits> {};

INSTANTIATE_TEST_SUITE_P(On, UntunedGpu, testing::ValuesIn(test::untuned_gpus()), [](const auto& info) {
  std::string name = info.param.name;
  std::erase_if(name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0; });
  return name;
});

double blocks_of(const Plan& plan) {
  return static_cast<double>(params<GemvParams>(plan).tiles * params<GemvParams>(plan).splits);
}

TEST_P(UntunedGpu, GetsLegalPlansWithinTheWorkspace) {
  for (const std::int64_t m : test::mesh())
    for (const std::int64_t n : test::mesh())
      for (const char* types : {"s", "d", "z", "b"})
        for (const Op op : {Op::n, Op::t}) {
          const Plan plan = plan_on_device(problem(types, op, Layout::column, m, n), GetParam(), BackendId::cuda);
          ASSERT_EQ(why_illegal_on_device(plan), "") << print(plan);
          ASSERT_LE(plan.workspace_bytes, workspace_limit);
          ASSERT_LE(plan.shared_bytes, static_cast<std::size_t>(GetParam().shared_bytes_per_sm));
        }
}

// Half of the SMs can draw all that a slow memory delivers.
TEST_P(UntunedGpu, HasWorkForManySmsWhereTheMatrixIsLarge) {
  for (const auto& [m, n] :
       {std::pair{4096, 4096}, {100, 100'000}, {100'000, 100}, {1'000'000, 16}, {16, 1'000'000}, {20'000, 20'000}})
    for (const char* types : {"s", "d", "b"})
      for (const Op op : {Op::n, Op::t}) {
        const Problem p = problem(types, op, Layout::column, m, n);
        if (cost(p).matrix_bytes < 3e4 * GetParam().sm_count) continue;
        const Plan plan = plan_on_device(p, GetParam(), BackendId::cuda);
        EXPECT_GE(blocks_of(plan), 0.45 * GetParam().sm_count) << GetParam().name << " " << print(plan);
      }
}

TEST_P(UntunedGpu, IsCutIntoOneWaveWhereTheMatrixIsSmall) {
  if (GetParam().sm_count < 64) GTEST_SKIP() << "for so few SMs a megabyte is large";
  for (const Op op : {Op::n, Op::t}) {
    const Plan plan = plan_on_device(problem("s", op, Layout::column, 512, 512), GetParam(), BackendId::cuda);
    EXPECT_LE(blocks_of(plan), 1.05 * GetParam().sm_count * resident_blocks(plan, GetParam())) << print(plan);
  }
}

TEST_P(UntunedGpu, IsBoundByItsMemoryInTheEyesOfTheModel) {
  const Problem p = problem("s", Op::n, Layout::column, 16384, 16384);
  const double seconds = modelled_seconds(plan_on_device(p, GetParam(), BackendId::cuda), GetParam());
  const double floor = floor_seconds(GetParam().ceilings, cost(p).bytes());
  EXPECT_GT(seconds, 0.95 * floor);
  EXPECT_LT(seconds, 1.6 * floor) << GetParam().name;
}

// Columns that start on no sector, and lanes of which only those that take a whole column request few of them twice.
TEST_P(UntunedGpu, SplitsTheSumsOfColumnsThatStartOnNoSector) {
  for (const auto& [types, m, n] : {std::tuple{"c", 316, 11902}, {"c", 256, 4000}, {"b", 1248, 7502}}) {
    Problem p = problem(types, Op::n, Layout::column, m, n);
    p.alignment_a = 8;
    const Plan plan = plan_on_device(p, GetParam(), BackendId::cuda);
    EXPECT_GE(blocks_of(plan), 0.45 * GetParam().sm_count) << GetParam().name << " " << print(plan);
  }
}

TEST_P(UntunedGpu, GetsLegalPlansForTriangles) {
  for (const std::int64_t n : {1, 33, 500, 3219, 8443, 20000})
    for (const char* types : {"s", "d", "z", "b"}) {
      Problem p = problem(types, Op::n, Layout::column, n, n);
      p.routine = Routine::symv;
      const Plan plan = plan_on_device(p, GetParam(), BackendId::cuda);
      ASSERT_EQ(why_illegal_on_device(plan), "") << print(plan);
      EXPECT_LE(plan.shared_bytes, static_cast<std::size_t>(GetParam().shared_bytes_per_sm)) << print(plan);
    }
}

TEST_P(UntunedGpu, HasPlansThatTheSimulatorRuns) {
  const Backend& sim = sim_backend();
  if (!sim.why_unavailable().empty()) GTEST_SKIP() << sim.why_unavailable();
  for (const auto& [m, n] : {std::pair{150, 90}, {7, 900}})
    for (const Op op : {Op::n, Op::t}) {
      const test::Case c{.name = "", .problem = problem("s", op, Layout::column, m, n)};
      const test::HostOperands operands = test::lay_out(c);
      const auto plan = [&](const Problem& p) { return plan_on_device(p, GetParam(), BackendId::sim); };
      const test::Outcome outcome = test::run(sim, c, operands, {.plan = plan});
      ASSERT_TRUE(outcome.status.ok()) << outcome.status.text;
      EXPECT_EQ(outcome.damage, "");
      EXPECT_EQ(outcome.output, test::run(reference_backend(), c, operands).output) << GetParam().name;
    }
}

TEST(Occupancy, IsLimitedByWhateverRunsOutFirst) {
  Plan plan = shape_gemv(problem("s", Op::n, Layout::column, 1000, 1000), {Variant::gemv_n, Loads::many, 256, 16});
  DeviceTraits traits = h200_traits();
  EXPECT_EQ(resident_blocks(plan, traits), 3);  // 80 registers
  traits.registers_per_sm = 1 << 20;
  EXPECT_EQ(resident_blocks(plan, traits), 8);  // 2048 threads
  traits.max_threads_per_sm = 1536;
  EXPECT_EQ(resident_blocks(plan, traits), 6);
  traits.max_blocks_per_sm = 4;
  EXPECT_EQ(resident_blocks(plan, traits), 4);
  traits.shared_bytes_per_sm = 2 * (static_cast<int>(plan.shared_bytes) + 1024);
  EXPECT_EQ(resident_blocks(plan, traits), 2);
  traits.shared_bytes_per_sm = 1;
  EXPECT_EQ(resident_blocks(plan, traits), 1);
  plan.threads = 64;
  EXPECT_EQ(resident_blocks(plan, {}), 32);  // nothing known
}

// A warp is given registers in eights of each thread: with one register less than two warps take, a partition has one.
TEST(Occupancy, RoundsRegistersUp) {
  Plan plan = shape_gemv(problem("h", Op::t, Layout::column, 1000, 1000), {Variant::gemv_t, Loads::many, 32, 32});
  plan.kernel = {Variant::gemv_t_tensor, Form::plain, Loads::few};
  const int registers = registers_of(plan), given = registers / 8 * 8 + 8;
  ASSERT_NE(registers % 8, 0) << "this test needs a kernel with another number of registers";
  DeviceTraits traits;
  traits.registers_per_sm = 4 * 32 * 2 * given;
  EXPECT_EQ(resident_blocks(plan, traits), 8);
  traits.registers_per_sm -= 4 * 32;
  EXPECT_EQ(resident_blocks(plan, traits), 4);
}

TEST(Model, CountsCyclesByTheClock) {
  const Plan small = shape_gemv(problem("s", Op::n, Layout::column, 64, 64), {Variant::gemv_n, Loads::many, 256, 16});
  DeviceTraits slow = h200_traits();
  slow.clock_hertz /= 2;
  EXPECT_GT(modelled_seconds(small, slow), modelled_seconds(small, h200_traits()));
  slow.clock_hertz = 0;
  EXPECT_EQ(modelled_seconds(small, slow), modelled_seconds(small, h200_traits()));
}

TEST(Model, TakesLongerWhereTheMemoryIsSlower) {
  const Plan large =
      shape_gemv(problem("d", Op::t, Layout::column, 20000, 20000), {Variant::gemv_t, Loads::many, 256, 64});
  DeviceTraits slow = h200_traits();
  slow.ceilings.bytes_per_second /= 3;
  EXPECT_GT(modelled_seconds(large, slow), 2 * modelled_seconds(large, h200_traits()));
}

}  // namespace
}  // namespace onepass
