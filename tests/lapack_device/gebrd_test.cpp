// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// gebrd on the simulator: matrices that are reduced in place, as a copy and as their adjoint, panel after panel.
#include "lapack/gpu/reductions/gebrd.hpp"

#include "on_sim.hpp"
#include "reduction.hpp"

namespace onepass::test {
namespace {

void expect_one_pass(const lapack::Simulated& launch) {
  if (launch.step != lapack::Step::bidiagonal_on_chip) return;
  const auto& g = launch.given<lapack::Step::bidiagonal_on_chip>();
  EXPECT_EQ(sim::last_counters().grid_barriers, 2 * g.columns - (g.columns == g.n ? 1 : 0));
  // By columns and by rows, before the first barrier; the first column by every block, too.
  const std::int64_t element = size_of(launch.work.type);
  for (std::int64_t j = 0; j < g.n; ++j)
    for (std::int64_t i = 0; i < g.m; ++i) {
      const void* const at = static_cast<const std::byte*>(g.a) + (i + j * g.lda) * element;
      EXPECT_EQ(launch.memory.loads(at), launch.memory.loads(at, 0)) << i << ", " << j;
      if (j > 0) {
        EXPECT_EQ(launch.memory.loads(at), 2) << i << ", " << j;
      }
    }
}

lapack::GebrdPlan gebrd_plan(const LapackProblem& problem, int most_on_chip) {
  DeviceTraits traits = h200_traits();
  traits.sm_count = 3;
  lapack::GebrdPlan plan;
  const Status status = lapack::make_plan(problem, traits, &plan, most_on_chip);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

template <class T>
class DeviceGebrd : public testing::Test {
 protected:
  // Matrices of at most so many rows stay on the chip.
  template <int most_on_chip = 40>
  static Reduction<T> reduce(std::int64_t m, std::int64_t n, std::int64_t more,
                             verify::Pattern pattern = verify::Pattern::random) {
    return Reduction<T>(
        by_plan<lapack::GebrdPlan>([](const LapackProblem& p) { return gebrd_plan(p, most_on_chip); }, expect_one_pass),
        {.routine = LapackRoutine::gebrd, .m = m, .n = n, .lda = std::max<std::int64_t>(1, m + more)}, pattern);
  }
};
TYPED_TEST_SUITE(DeviceGebrd, Types);

TYPED_TEST(DeviceGebrd, OfEveryShapeHasSmallResiduals) {
  for (const std::int64_t n : {0, 1, 2, 5})
    for (const std::int64_t more : {0, 1}) {
      this->reduce(n, n, more).expect_small_residuals(lapack_cpu());
      this->reduce(n + 7, n, more).expect_small_residuals(lapack_cpu());
      this->reduce(n, n + 7, more).expect_small_residuals(lapack_cpu());
      this->template reduce<0>(n, n, more).expect_small_residuals(lapack_cpu());
      this->template reduce<0>(n + 7, n, more).expect_small_residuals(lapack_cpu());
      this->template reduce<0>(n, n + 7, more).expect_small_residuals(lapack_cpu());
    }
}

TYPED_TEST(DeviceGebrd, InTwoPanelsHasSmallResiduals) {
  this->template reduce<0>(37, 34, 1).expect_small_residuals(lapack_cpu());
  this->template reduce<0>(34, 36, 1, verify::Pattern::tiny).expect_small_residuals(lapack_cpu());
}

// More lines of a block than registers hold.
TYPED_TEST(DeviceGebrd, OnTheChipHasSmallResiduals) {
  this->reduce(27, 25, 1).expect_small_residuals(lapack_cpu());
  this->reduce(19, 26, 0, verify::Pattern::tiny).expect_small_residuals(lapack_cpu());
}

TYPED_TEST(DeviceGebrd, InAPanelAndOnTheChipHasSmallResiduals) {
  this->reduce(47, 43, 1).expect_small_residuals(lapack_cpu());
}

TYPED_TEST(DeviceGebrd, OfSpecialMatricesHasSmallResiduals) {
  for (const verify::Pattern pattern : verify::finite_patterns) {
    SCOPED_TRACE(verify::name(pattern));
    this->reduce(9, 6, 0, pattern).expect_small_residuals(lapack_cpu());
    this->template reduce<0>(9, 6, 0, pattern).expect_small_residuals(lapack_cpu());
  }
}

// What the wide case rests on: with Q and P changed, the reduction of A^H is the adjoint of that of A, conventions of
// storage and tau included.
TYPED_TEST(DeviceGebrd, OfAnAdjointIsTheAdjointByTheReferenceToo) {
  using T = TypeParam;
  constexpr std::int64_t m = 11, n = 17;
  Reduction<T> wide(lapack_reference(), {.routine = LapackRoutine::gebrd, .m = m, .n = n, .lda = m},
                    verify::Pattern::random);
  const auto adjoint = verify::adjoint(wide.original);
  std::vector<T> a, tauq(m), taup(m);
  for (const auto& value : adjoint.data) a.push_back(static_cast<T>(value));
  std::vector<lapack::Real<T>> d(m), e(m - 1);
  LapackProblem tall = wide.problem;
  tall.m = tall.lda = n;
  tall.n = m;
  ASSERT_TRUE(run(lapack_reference(), tall,
                  {.a = a.data(), .d = d.data(), .e = e.data(), .tau = tauq.data(), .taup = taup.data()}));
  for (std::int64_t i = 0; i < m; ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(d[at], wide.d[i]);
    if (i + 1 < m) {
      EXPECT_EQ(e[at], wide.e[i]);
    }
    EXPECT_EQ(tauq[at], wide.taup[i]);
    EXPECT_EQ(taup[at], wide.tau[i]);
    for (std::int64_t j = 0; j < n; ++j)
      EXPECT_EQ(lapack::conjugate(a[static_cast<std::size_t>(j + i * n)]), wide.a(i, j)) << i << ", " << j;
  }
}

}  // namespace
}  // namespace onepass::test
