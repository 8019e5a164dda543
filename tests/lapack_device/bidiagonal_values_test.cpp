// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular values by bisection on the simulator, against those in a wider precision.
#include "bidiagonal_cases.hpp"
#include "lapack/gpu/solvers/bisection.hpp"
#include "lapack/sim/queue.hpp"
#include "orders.hpp"
#include "types.hpp"

namespace onepass::test {
namespace {

template <class R>
class BidiagonalValues : public testing::Test {
 protected:
  void TearDown() override { sim::options() = {}; }

  static std::vector<R> find(const Tridiagonal<R>& b, int* info) {
    lapack::BidiagonalValuesPlan plan;
    Status status = make_plan({.type = type_of<R>, .n = b.n()}, &plan);
    EXPECT_TRUE(status.ok()) << status.text;
    std::vector<R> s(b.d.size(), R{77});
    lapack::SimQueue queue;
    status = run(plan, {.d = b.d.data(), .e = b.e.data(), .s = s.data(), .info = info}, queue);
    EXPECT_TRUE(status.ok()) << status.text;
    return s;
  }
  static void expect_right(const Tridiagonal<R>& b) {
    int info = -1;
    const std::vector<R> s = find(b, &info);
    EXPECT_EQ(info, 0) << b.name;
    const auto wanted = wide_singular_values(b);
    const long double bound = 8 * std::numeric_limits<R>::epsilon() / 2 * b.norm();
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      ASSERT_LE(std::abs(s[k] - wanted[k]), bound) << b.name << " of order " << b.n() << ": " << k;
      ASSERT_GE(s[k], 0) << b.name << " of order " << b.n() << ": " << k;
      if (k > 0) {
        ASSERT_GE(s[k - 1], s[k]) << b.name << " of order " << b.n() << ": " << k;
      }
    }
  }
};
using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(BidiagonalValues, RealTypes);

TYPED_TEST(BidiagonalValues, OfHardMatrices) {
  for (const auto& b : hard_bidiagonals<TypeParam>(23)) this->expect_right(b);
}

TYPED_TEST(BidiagonalValues, OfEveryOrderAndInEveryOrder) {
  for (const sim::SimOptions& order : orders())
    for (const std::int64_t n : {1, 2, 3, 5, 8, 9}) {
      sim::options() = order;
      this->expect_right(random_tridiagonal<TypeParam>(n));
    }
}

// More rows than fit into shared memory at a time; few of the values, since they take long here.
TYPED_TEST(BidiagonalValues, OfMoreRowsThanSharedMemoryHas) {
  using R = TypeParam;
  const auto b = random_tridiagonal<R>(kernels::bisection_rows + 5);
  std::vector<R> s(4);
  int info = -1;
  lapack::SimQueue queue;
  const kernels::BisectionArgs args = {.d = b.d.data(),
                                       .e = b.e.data(),
                                       .w = s.data(),
                                       .n = static_cast<int>(b.n()),
                                       .first = 199,
                                       .count = 4,
                                       .info = &info};
  const lapack::Work work = lapack::bisection(type_of<R>, kernels::Form::bidiagonal, 1);
  ASSERT_TRUE(queue.launch<lapack::Step::bisection>(work, args).ok());
  const auto t = golub_kahan(b);
  const long double bound = 8 * std::numeric_limits<R>::epsilon() / 2 * b.norm();
  for (int k = 0; k < 4; ++k) {
    const std::int64_t index = t.n() - 1 - 199 - k;
    EXPECT_LE(count_below(t, s[static_cast<std::size_t>(k)] - bound, 1e-30L), index);
    EXPECT_GT(count_below(t, s[static_cast<std::size_t>(k)] + bound, 1e-30L), index);
  }
}

TYPED_TEST(BidiagonalValues, AreExactOfDiagonalMatrices) {
  const auto b = tridiagonal<TypeParam>(
      "", 11, [](auto i) { return (i % 2 == 0 ? 3 : -3) * ((i * 7) % 11 / 2); }, [](auto) { return 0; });
  std::vector<TypeParam> wanted;
  for (const TypeParam d : b.d) wanted.push_back(std::abs(d));
  std::sort(wanted.rbegin(), wanted.rend());
  int info = -1;
  EXPECT_EQ(this->find(b, &info), wanted);
}

TYPED_TEST(BidiagonalValues, AreNotNumbersWhereAnElementIsNotFinite) {
  for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")})
    for (const bool diagonal : {true, false}) {
      auto b = random_tridiagonal<TypeParam>(7);
      (diagonal ? b.d : b.e)[5] = static_cast<TypeParam>(bad);
      int info = -1;
      for (const TypeParam s : this->find(b, &info)) EXPECT_TRUE(std::isnan(s));
      EXPECT_EQ(info, 7);
    }
}

TEST(BidiagonalValuesPlan, NamesTheArgumentThatIsWrong) {
  lapack::BidiagonalValuesPlan plan;
  EXPECT_EQ(make_plan({.type = Type::z, .n = 3}, &plan).text, "type: a bidiagonal matrix is real, s or d");
  EXPECT_EQ(make_plan({.n = -1}, &plan).text, "n = -1: must be 0 to 1073741311");
}

TEST(BidiagonalValuesPlan, HasNoLaunchWithoutRows) {
  lapack::BidiagonalValuesPlan plan;
  ASSERT_TRUE(make_plan({.n = 0}, &plan).ok());
  EXPECT_EQ(explain(plan), "  no singular values\n");
  lapack::SimQueue queue;
  EXPECT_TRUE(run(plan, {}, queue).ok());
  EXPECT_EQ(queue.launches, 0);
  ASSERT_TRUE(make_plan({.n = 100}, &plan).ok());
  EXPECT_EQ(explain(plan), "  bisection: a warp for each of 100 singular values, 25 blocks of 128 threads\n");
}

}  // namespace
}  // namespace onepass::test
