// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues by bisection on the simulator, against those in a wider precision.
#include "lapack/gpu/solvers/bisection.hpp"

#include <gtest/gtest.h>

#include "lapack/sim/queue.hpp"
#include "orders.hpp"
#include "tridiagonal_cases.hpp"

namespace onepass::test {
namespace {

using lapack::Wanted;

template <class R>
struct Values {
  std::vector<R> w;
  int found = -1, info = -1;
};

template <class R>
class BisectionKernel : public testing::Test {
 protected:
  static constexpr Type type = std::is_same_v<R, double> ? Type::d : Type::s;
  static constexpr double eps = std::numeric_limits<R>::epsilon() / 2;

  void TearDown() override { sim::options() = {}; }

  static Values<R> find(const Tridiagonal<R>& t, lapack::TridiagonalValuesProblem problem = {}) {
    problem.type = type;
    problem.n = t.n();
    lapack::TridiagonalValuesPlan plan;
    Status status = make_plan(problem, &plan);
    EXPECT_TRUE(status.ok()) << status.text;
    Values<R> out;
    out.w.assign(t.d.size(), R{77});
    lapack::SimQueue queue;
    status =
        run(plan, {.d = t.d.data(), .e = t.e.data(), .w = out.w.data(), .found = &out.found, .info = &out.info}, queue);
    EXPECT_TRUE(status.ok()) << status.text;
    return out;
  }
  // The count is that of a matrix whose elements differ by 2 eps |T|, three of them in a row.
  static void expect_right(const Tridiagonal<R>& t) {
    const Values<R> out = find(t);
    const auto wanted = wide_eigenvalues(t);
    const long double bound = 8 * eps * t.norm();
    EXPECT_EQ(out.info, 0) << t.name;
    EXPECT_EQ(out.found, t.n()) << t.name;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      ASSERT_LE(std::abs(out.w[k] - wanted[k]), bound) << t.name << " of order " << t.n() << ": " << k;
      if (k > 0) {
        ASSERT_LE(out.w[k - 1], out.w[k]) << t.name << " of order " << t.n() << ": " << k;
      }
    }
  }
};
using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(BisectionKernel, RealTypes);

TYPED_TEST(BisectionKernel, FindsTheEigenvaluesOfHardMatrices) {
  for (const auto& t : hard_tridiagonals<TypeParam>(43)) this->expect_right(t);
}

TYPED_TEST(BisectionKernel, OfEveryOrderAndInEveryOrder) {
  for (const sim::SimOptions& order : orders())
    for (const std::int64_t n : {1, 2, 3, 4, 5, 8, 9, 17}) {
      sim::options() = order;
      this->expect_right(random_tridiagonal<TypeParam>(n));
    }
}

// More rows than fit into shared memory at a time; few of the values, since they take long here.
TYPED_TEST(BisectionKernel, OfMoreRowsThanSharedMemoryHas) {
  const auto t = random_tridiagonal<TypeParam>(kernels::bisection_rows + 13);
  const auto out = this->find(t, {.wanted = Wanted::by_index, .il = 200, .iu = 203});
  for (int k = 0; k < 4; ++k) {
    const long double w = out.w[static_cast<std::size_t>(k)], bound = 8 * this->eps * t.norm();
    EXPECT_LE(count_below(t, w - bound, 1e-30L), 199 + k);
    EXPECT_GE(count_below(t, w + bound, 1e-30L), 200 + k);
  }
}

TYPED_TEST(BisectionKernel, IsExactForDiagonalMatrices) {
  const auto t = tridiagonal<TypeParam>(
      "", 11, [](auto i) { return 3 * ((i * 7) % 11 / 2); }, [](auto) { return 0; });
  auto wanted = t.d;
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(this->find(t).w, wanted);
}

TYPED_TEST(BisectionKernel, FindsThoseWithSomeIndicesWithTheSameBits) {
  const auto t = random_tridiagonal<TypeParam>(23);
  const auto all = this->find(t), some = this->find(t, {.wanted = Wanted::by_index, .il = 4, .iu = 12});
  EXPECT_EQ(some.found, 9);
  for (std::size_t k = 0; k < 9; ++k) EXPECT_EQ(some.w[k], all.w[k + 3]);
  EXPECT_EQ(some.w[9], TypeParam{77});
}

// An eigenvalue at the lower end is outside, and one at the upper end within.
TYPED_TEST(BisectionKernel, FindsThoseInAHalfOpenInterval) {
  const auto t = tridiagonal<TypeParam>(
      "", 9, [](auto i) { return i % 5; }, [](auto) { return 0; });  // 0..4, 0..3
  const auto some = this->find(t, {.wanted = Wanted::by_value, .vl = 1, .vu = 3});
  EXPECT_EQ(some.found, 4);
  EXPECT_EQ(some.w, (std::vector<TypeParam>{2, 2, 3, 3, 77, 77, 77, 77, 77}));
  EXPECT_EQ(this->find(t, {.wanted = Wanted::by_value, .vl = 1.25, .vu = 1.5}).found, 0);
  EXPECT_EQ(this->find(t, {.wanted = Wanted::by_value, .vl = -100, .vu = 100}).found, 9);
  EXPECT_EQ(this->find(t, {.wanted = Wanted::by_value, .vl = -HUGE_VAL, .vu = 0}).found, 2);
}

TYPED_TEST(BisectionKernel, SaysThatAnElementIsNotFinite) {
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")})
    for (const bool diagonal : {true, false}) {
      auto t = random_tridiagonal<TypeParam>(7);
      (diagonal ? t.d : t.e)[5] = static_cast<TypeParam>(bad);
      const auto out = this->find(t);
      EXPECT_EQ(out.info, 7);
      EXPECT_EQ(out.found, 0);
      for (const TypeParam w : out.w) EXPECT_TRUE(std::isnan(w));
    }
}

TEST(BisectionPlan, NamesTheArgumentThatIsWrong) {
  using Problem = lapack::TridiagonalValuesProblem;
  const auto text = [](const Problem& problem) {
    lapack::TridiagonalValuesPlan plan;
    return make_plan(problem, &plan).text;
  };
  EXPECT_EQ(text({.type = Type::z, .n = 3}), "type: a tridiagonal matrix is real, s or d");
  EXPECT_EQ(text({.n = -1}), "n = -1: must be 0 to 2147483135");
  EXPECT_EQ(text({.n = 5, .wanted = Wanted::by_index, .il = 0, .iu = 3}), "il = 0: must be 1 to 5");
  EXPECT_EQ(text({.n = 5, .wanted = Wanted::by_index, .il = 4, .iu = 3}), "iu = 3: must be 4 to 5");
  EXPECT_EQ(text({.n = 5, .wanted = Wanted::by_value, .vl = 2, .vu = 2}),
            "vl = 2.000000: must be less than vu = 2.000000");
}

TEST(BisectionPlan, HasNoLaunchWithoutRows) {
  lapack::TridiagonalValuesPlan plan;
  ASSERT_TRUE(make_plan({.n = 0, .wanted = Wanted::by_index, .il = 1, .iu = 0}, &plan).ok());
  EXPECT_EQ(plan.blocks, 0);
  EXPECT_EQ(explain(plan), "  no eigenvalues\n");
  lapack::SimQueue queue;
  EXPECT_TRUE(run(plan, {}, queue).ok());
  EXPECT_EQ(queue.launches, 0);
  ASSERT_TRUE(make_plan({.n = 100}, &plan).ok());
  EXPECT_EQ(explain(plan), "  bisection: a warp for each of 100 eigenvalues, 25 blocks of 128 threads\n");
}

}  // namespace
}  // namespace onepass::test
