// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// geqrf on the simulator.
#include "lapack/gpu/reductions/geqrf.hpp"

#include "on_sim.hpp"
#include "orders.hpp"
#include "reduction.hpp"

namespace onepass::test {
namespace {

void expect_one_pass(const lapack::Simulated& launch) {
  if (launch.step != lapack::Step::qr_panel) return;
  const auto& g = launch.given<lapack::Step::qr_panel>();
  EXPECT_EQ(sim::last_counters().grid_barriers, launch.work.blocks > 1 ? g.columns + 1 : 0);
  // What is on the chip is loaded once, before the first barrier.
  const std::int64_t element = size_of(launch.work.type);
  for (std::int64_t c = 0; c < g.columns; ++c)
    for (std::int64_t i = 0; i < g.m; ++i) {
      if (i % g.rows_of_block >= g.rows_on_chip) continue;
      const void* const at = static_cast<const std::byte*>(g.a) + (i + c * g.lda) * element;
      EXPECT_EQ(launch.memory.loads(at), 1) << i << ", " << c;
      EXPECT_EQ(launch.memory.loads(at, 0), 1) << i << ", " << c;
    }
}

// What a test plans with.
struct Device {
  int sm_count = 3, shared_bytes = 233472;
  lapack::QrBlocking blocking = {.rows = 32, .alone = 0};
};
Device& device() {
  thread_local Device instance;
  return instance;
}

lapack::GeqrfPlan geqrf_plan(const LapackProblem& problem) {
  DeviceTraits traits = h200_traits();
  traits.sm_count = device().sm_count;
  traits.shared_bytes_per_sm = device().shared_bytes;
  lapack::GeqrfPlan plan;
  const Status status = lapack::make_plan(problem, traits, &plan, device().blocking);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

const LapackBackend& by_steps() {
  static constexpr LapackBackend backend = {
      .id = BackendId::sim,
      .plan =
          [](const LapackProblem& problem, int) {
            return LapackPlan{.problem = problem, .workspace_bytes = geqrf_plan(problem).workspace_bytes};
          },
      .run =
          [](const LapackPlan& plan, const LapackOperands& operands, void* workspace) {
            return run_on_sim(geqrf_plan(plan.problem), operands, workspace, expect_one_pass);
          }};
  return backend;
}

template <class T>
class DeviceGeqrf : public testing::Test {
 protected:
  static Reduction<T> factor(std::int64_t m, std::int64_t n, const Device& where = {},
                             verify::Pattern pattern = verify::Pattern::random, const sim::SimOptions& options = {}) {
    device() = where;
    sim::options() = options;
    Reduction<T> made(by_steps(), {.routine = LapackRoutine::geqrf, .m = m, .n = n, .lda = m + 1 + n % 2}, pattern);
    sim::options() = {};
    return made;
  }
};
TYPED_TEST_SUITE(DeviceGeqrf, Types);

constexpr Device one_block = {.blocking = {.rows = 32}};

TYPED_TEST(DeviceGeqrf, OfEveryShapeHasSmallResiduals) {
  for (const auto& [m, n] : {std::pair{0, 3}, {3, 0}, {1, 1}, {1, 4}, {4, 1}, {2, 2}, {7, 5}, {5, 7}, {33, 9}}) {
    this->factor(m, n).expect_small_residuals();
    this->factor(m, n, one_block).expect_small_residuals();
  }
}

// More rows of a block than threads take at once, several blocks, any order of them.
TYPED_TEST(DeviceGeqrf, InOnePanelHasSmallResiduals) {
  const auto all = orders();
  for (std::size_t i = 0; i < all.size(); ++i)
    this->factor(130 + static_cast<std::int64_t>(i), 5, {.sm_count = 1 + static_cast<int>(i)}, verify::Pattern::random,
                 all[i])
        .expect_small_residuals(lapack_cpu());
  this->factor(70, 32).expect_small_residuals(lapack_cpu());
}

TYPED_TEST(DeviceGeqrf, OfUpTo64ColumnsIsOneLaunch) {
  Reduction<TypeParam> made = this->factor(66, 34);
  made.expect_small_residuals(lapack_cpu());
  const lapack::GeqrfPlan plan = geqrf_plan(made.problem);
  EXPECT_EQ(plan.stages.size(), 1u);
  EXPECT_FALSE(uses_products(plan));
}

// Panels, the last of them narrow, and the columns behind.
TYPED_TEST(DeviceGeqrf, InPanelsHasSmallResiduals) {
  Device where;
  where.blocking.whole = 0;
  this->factor(41, 36, where).expect_small_residuals(lapack_cpu());
  this->factor(34, 44, where).expect_small_residuals(lapack_cpu());
}

TYPED_TEST(DeviceGeqrf, InBlocksOfPanelsHasSmallResiduals) {
  Device where;
  where.blocking.panels = 2;
  where.blocking.many = 64;
  this->factor(75, 70, where).expect_small_residuals(lapack_cpu());
}

// Rows that shared memory has no room for stay in A.
TYPED_TEST(DeviceGeqrf, WithRowsInMemoryHasSmallResiduals) {
  const std::size_t bytes = kernels::qr_panel_shared_bytes(32, false, 12, sizeof(TypeParam));
  const Device where = {.sm_count = 2, .shared_bytes = static_cast<int>(bytes) + 1024};
  this->factor(100, 9, where).expect_small_residuals(lapack_cpu());
  EXPECT_EQ(geqrf_plan({.routine = LapackRoutine::geqrf, .type = type_of<TypeParam>, .m = 100, .n = 9, .lda = 100})
                .stages[0]
                .rows_on_chip,
            12);
  this->factor(40, 9, where, verify::Pattern::tiny).expect_small_residuals(lapack_cpu());
}

TYPED_TEST(DeviceGeqrf, OfSpecialMatricesHasSmallResiduals) {
  for (const verify::Pattern pattern : verify::finite_patterns) {
    SCOPED_TRACE(verify::name(pattern));
    this->factor(37, 9, {}, pattern).expect_small_residuals();
    this->factor(9, 9, one_block, pattern).expect_small_residuals();
  }
}

TYPED_TEST(DeviceGeqrf, KeepsColumnsOfAnySize) {
  device() = {};
  expect_columns_of_any_size<TypeParam>(by_steps());
}

TYPED_TEST(DeviceGeqrf, EndsWhereThereAreNanAndInfinity) {
  for (const verify::Pattern pattern : verify::other_patterns) {
    Reduction<TypeParam> made = this->factor(37, 9, {}, pattern);
    EXPECT_TRUE(made.intact);
    EXPECT_FALSE(made.is_finite());
  }
}

TYPED_TEST(DeviceGeqrf, HasTheSameBitsInEveryOrder) {
  const auto all = orders();
  const auto first = this->factor(75, 7, {}, verify::Pattern::random, all[0]);
  for (std::size_t i = 1; i < all.size(); ++i)
    EXPECT_TRUE(this->factor(75, 7, {}, verify::Pattern::random, all[i]).same_bits(first));
}

TEST(GeqrfPlan, SaysWhatStaysOnTheChip) {
  const auto text = [](std::int64_t m, std::int64_t n) {
    lapack::GeqrfPlan plan;
    EXPECT_TRUE(lapack::make_plan({.routine = LapackRoutine::geqrf, .type = Type::d, .m = m, .n = n, .lda = m},
                                  h200_traits(), &plan)
                    .ok());
    return explain(plan);
  };
  EXPECT_NE(text(100, 60).find("1 panel of 60 columns, at first 100 rows in 1 block: no grid barrier"),
            std::string::npos)
      << text(100, 60);
  EXPECT_NE(text(100000, 256).find("1 grid barrier a column, the panel in shared memory"), std::string::npos)
      << text(100000, 256);
  EXPECT_NE(text(4096, 4096).find("in blocks of 96 columns"), std::string::npos) << text(4096, 4096);
  EXPECT_NE(text(1000000, 32).find("rows of a block in shared memory, the others once a column"), std::string::npos)
      << text(1000000, 32);
}

}  // namespace
}  // namespace onepass::test
