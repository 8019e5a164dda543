// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gehrd on the simulator.
#include "lapack/gpu/reductions/gehrd.hpp"

#include "on_sim.hpp"
#include "reduction.hpp"

namespace onepass::test {
namespace {

void expect_one_pass(const lapack::Simulated& launch) {
  if (launch.step != lapack::Step::hessenberg_on_chip) return;
  const auto& g = launch.given<lapack::Step::hessenberg_on_chip>();
  EXPECT_EQ(sim::last_counters().grid_barriers, g.n - 1);
  // By columns and by rows, before the first barrier; the first column by every block, too.
  const std::int64_t element = size_of(launch.work.type);
  for (std::int64_t j = 0; j < g.n; ++j)
    for (std::int64_t i = 0; i < g.n; ++i) {
      const void* const at = static_cast<const std::byte*>(g.a) + (i + j * g.lda) * element;
      EXPECT_EQ(launch.memory.loads(at), launch.memory.loads(at, 0)) << i << ", " << j;
      if (j > 0) {
        EXPECT_EQ(launch.memory.loads(at), 2) << i << ", " << j;
      }
    }
}

lapack::GehrdPlan gehrd_plan(const LapackProblem& problem, int most_on_chip) {
  DeviceTraits traits = h200_traits();
  traits.sm_count = 3;
  lapack::GehrdPlan plan;
  const Status status = lapack::make_plan(problem, traits, &plan, most_on_chip);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

// Matrices of at most so many rows stay on the chip.
template <int most_on_chip>
const LapackBackend& by_steps() {
  static constexpr LapackBackend backend = {
      .id = BackendId::sim,
      .plan =
          [](const LapackProblem& problem, int) {
            return LapackPlan{.problem = problem, .workspace_bytes = gehrd_plan(problem, most_on_chip).workspace_bytes};
          },
      .run =
          [](const LapackPlan& plan, const LapackOperands& operands, void* workspace) {
            return run_on_sim(gehrd_plan(plan.problem, most_on_chip), operands, workspace, expect_one_pass);
          }};
  return backend;
}

template <class T>
class DeviceGehrd : public testing::Test {
 protected:
  template <int most_on_chip = 40>
  static void expect_small_residuals(std::int64_t n, std::int64_t ilo, std::int64_t ihi, std::int64_t more,
                                     verify::Pattern pattern = verify::Pattern::random) {
    Reduction<T>(
        by_steps<most_on_chip>(),
        {.routine = LapackRoutine::gehrd, .n = n, .ilo = ilo, .ihi = ihi, .lda = std::max<std::int64_t>(1, n + more)},
        pattern)
        .expect_small_residuals(lapack_cpu());
  }
};
TYPED_TEST_SUITE(DeviceGehrd, Types);

TYPED_TEST(DeviceGehrd, OfEveryRangeHasSmallResiduals) {
  this->expect_small_residuals(0, 1, 0, 0);
  for (const std::int64_t n : {1, 2, 3, 8})
    for (const std::int64_t more : {0, 1}) {
      this->expect_small_residuals(n, 1, n, more);
      this->template expect_small_residuals<0>(n, 1, n, more);
      this->expect_small_residuals(n, n, n, more);
      if (n > 3) {
        this->expect_small_residuals(n, 3, n - 2, more);
        this->template expect_small_residuals<0>(n, 3, n - 2, more);
      }
    }
}

TYPED_TEST(DeviceGehrd, InTwoPanelsHasSmallResiduals) {
  this->template expect_small_residuals<0>(36, 1, 36, 1);
  this->template expect_small_residuals<0>(40, 2, 38, 0, verify::Pattern::tiny);
}

// More lines of a block than registers hold.
TYPED_TEST(DeviceGehrd, OnTheChipHasSmallResiduals) {
  this->expect_small_residuals(25, 1, 25, 1);
  this->expect_small_residuals(31, 4, 29, 0, verify::Pattern::tiny);
}

TYPED_TEST(DeviceGehrd, InAPanelAndOnTheChipHasSmallResiduals) { this->expect_small_residuals(46, 3, 45, 1); }

TYPED_TEST(DeviceGehrd, OfSpecialMatricesHasSmallResiduals) {
  for (const verify::Pattern pattern : verify::finite_patterns) {
    SCOPED_TRACE(verify::name(pattern));
    this->expect_small_residuals(9, 1, 9, 0, pattern);
    this->template expect_small_residuals<0>(9, 1, 9, 0, pattern);
  }
}

TEST(GehrdPlan, SaysWhatTheLongestColumnMayBe) {
  lapack::GehrdPlan plan;
  const Status status = lapack::make_plan(
      {.routine = LapackRoutine::gehrd, .type = Type::d, .n = 33000, .ilo = 1, .ihi = 33000, .lda = 33000},
      h200_traits(), &plan);
  EXPECT_EQ(status.code, ONEPASS_STATUS_TOO_LARGE);
  EXPECT_NE(status.text.find("ihi - ilo = 32999: at most 32767"), std::string::npos) << status.text;
}

}  // namespace
}  // namespace onepass::test
