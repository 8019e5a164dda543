// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular vectors of bidiagonal matrices by divide and conquer, on the simulator.
#include "lapack/gpu/solvers/bidiagonal_vectors.hpp"

#include "bidiagonal_residuals.hpp"
#include "on_sim.hpp"
#include "orders.hpp"
#include "types.hpp"

namespace onepass::test {
namespace {

template <class R>
class BidiagonalVectors : public testing::Test {
 protected:
  void TearDown() override { sim::options() = {}; }

  static SingularSystem<R> solve(const Tridiagonal<R>& b, int most_leaf, bool many_threads = false) {
    SingularSystem<R> out(b.n());
    lapack::BidiagonalVectorsPlan plan;
    const Status status =
        make_plan({.type = type_of<R>, .n = b.n(), .ldu = out.ldu, .ldvt = out.ldvt}, h200_traits(), &plan, most_leaf);
    EXPECT_TRUE(status.ok()) << status.text;
    plan.tree.grid = 3;
    if (many_threads) plan.tree.few_rows = 0;
    std::vector<unsigned char> workspace(plan.workspace_bytes, 0xff);
    run_on_sim(plan,
               lapack::BidiagonalVectorsOperands{.d = b.d.data(),
                                                 .e = b.e.data(),
                                                 .s = out.s.data(),
                                                 .u = out.u.data(),
                                                 .vt = out.vt.data(),
                                                 .info = &out.info},
               workspace.data());
    for (std::int64_t j = 0; j < out.n; ++j) {
      for (std::int64_t i = out.n; i < out.ldu; ++i) EXPECT_EQ(out.left(i, j), out.untouched);
      for (std::int64_t i = out.n; i < out.ldvt; ++i) EXPECT_EQ(out.right(j, i), out.untouched);
    }
    return out;
  }
  static void expect_right(const Tridiagonal<R>& b, const SingularSystem<R>& out) {
    const std::string name = b.name + " of order " + std::to_string(b.n());
    EXPECT_EQ(out.info, 0) << name;
    const SingularResiduals found = residuals(b, out);
    EXPECT_LE(found.equation, 20) << name;
    EXPECT_LE(found.orthogonality, 20) << name;
    EXPECT_TRUE(std::is_sorted(out.s.rbegin(), out.s.rend())) << name;
    EXPECT_GE(out.s.back(), 0) << name;
    const auto wanted = wide_singular_values(b);
    const long double bound = 20 * std::numeric_limits<R>::epsilon() / 2 * static_cast<long double>(b.n()) * b.norm();
    for (std::size_t j = 0; j < wanted.size(); ++j)
      ASSERT_LE(std::abs(out.s[j] - wanted[j]), bound) << name << ": " << j;
  }
};
using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(BidiagonalVectors, RealTypes);

// Leaves of three rows and three levels.
TYPED_TEST(BidiagonalVectors, OfHardMatrices) {
  for (const auto& b : hard_bidiagonals<TypeParam>(30)) this->expect_right(b, this->solve(b, 3));
}

// Elements of very different size, many of them close to what is negligible: merges that deflate some of it.
TYPED_TEST(BidiagonalVectors, OfElementsThatAreHardlyNegligible) {
  const double eps = std::numeric_limits<TypeParam>::epsilon();
  std::mt19937 generator(29);
  std::uniform_real_distribution<double> value(-1, 1);
  const auto element = [&](int kind) {
    switch (kind) {
      case 0: return value(generator);
      case 1: return value(generator) * std::pow(eps, std::abs(value(generator)));
      case 2: return static_cast<double>(generator() % 3 * (1 + generator() % 20)) * eps;
      default: return 1 + eps * static_cast<double>(generator() % 9);
    }
  };
  for (int kind = 0; kind < 16; ++kind) {
    const auto b = tridiagonal<TypeParam>(
        "kind " + std::to_string(kind), 9 + kind, [&](auto) { return element(kind / 4); },
        [&](auto) { return element(kind % 4); });
    this->expect_right(b, this->solve(b, 2));
  }
}

// One leaf alone.
TYPED_TEST(BidiagonalVectors, OfHardLeaves) {
  for (const auto& b : hard_bidiagonals<TypeParam>(17)) this->expect_right(b, this->solve(b, 31));
}

// With the last merge of every shape: without a second half, without the row between both, with no merge at all.
TYPED_TEST(BidiagonalVectors, OfEveryOrder) {
  for (const int most_leaf : {1, 3})
    for (std::int64_t n = 1; n <= 13; ++n) {
      const auto b = random_tridiagonal<TypeParam>(n);
      this->expect_right(b, this->solve(b, most_leaf));
    }
}

TYPED_TEST(BidiagonalVectors, OfOrdersAroundLeavesAndMerges) {
  for (const std::int64_t n : {31, 32, 63, 64, 70}) {
    const auto b = random_tridiagonal<TypeParam>(n);
    this->expect_right(b, this->solve(b, n == 70 ? 8 : 31));
  }
}

TYPED_TEST(BidiagonalVectors, HaveTheSameBitsInEveryOrderAndWithAnyNumberOfThreads) {
  const auto b = hard_bidiagonals<TypeParam>(30)[5];
  const auto first = this->solve(b, 8);
  for (const sim::SimOptions& order : orders()) {
    sim::options() = order;
    for (const bool many_threads : {false, true}) {
      const auto again = this->solve(b, 8, many_threads);
      EXPECT_EQ(again.s, first.s);
      EXPECT_EQ(again.u, first.u);
      EXPECT_EQ(again.vt, first.vt);
    }
  }
}

TYPED_TEST(BidiagonalVectors, AreNotNumbersWhereAnElementIsNotFinite) {
  for (const double bad : {HUGE_VAL, std::nan("")})
    for (const bool diagonal : {true, false})
      for (const std::int64_t n : {2, 9}) {
        auto b = random_tridiagonal<TypeParam>(n);
        (diagonal ? b.d : b.e).back() = static_cast<TypeParam>(bad);
        const auto out = this->solve(b, 4);
        EXPECT_EQ(out.info, n);
        for (const TypeParam s : out.s) EXPECT_TRUE(std::isnan(s));
        for (std::int64_t j = 0; j < n; ++j)
          for (std::int64_t i = 0; i < n; ++i) EXPECT_TRUE(std::isnan(out.left(i, j)) && std::isnan(out.right(i, j)));
      }
}

lapack::BidiagonalVectorsPlan vectors_plan(std::int64_t n, std::int64_t ld, int most_leaf = 8) {
  lapack::BidiagonalVectorsPlan plan;
  const Status status = make_plan({.n = n, .ldu = ld, .ldvt = ld}, h200_traits(), &plan, most_leaf);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

TEST(BidiagonalVectorsPlan, HasLeavesOfAlmostTheSameSize) {
  EXPECT_EQ(vectors_plan(8, 8).tree.levels, 0);
  EXPECT_EQ(vectors_plan(9, 9).tree.levels, 1);
  EXPECT_EQ(vectors_plan(9, 9).tree.leaf, 5);  // four rows, one between, four rows
  EXPECT_EQ(vectors_plan(4096, 4096).tree.levels, 9);
  EXPECT_EQ(vectors_plan(0, 1).workspace_bytes, 0u);
}

TEST(BidiagonalVectorsPlan, TakesLessThanTwoMatricesBesideUAndV) {
  for (const std::int64_t n : {1024, 4096, 4097, 5000, 8192, 32768}) {
    const double elements = (static_cast<double>(vectors_plan(n, n).workspace_bytes) - (4 << 20)) / 8;
    EXPECT_LE(elements, 1.75 * static_cast<double>(n * n)) << n;
  }
}

TEST(BidiagonalVectorsPlan, HasFiveLaunchesAndFourProductsForALevel) {
  const std::int64_t n = 35;
  const auto b = random_tridiagonal<double>(n);
  const lapack::BidiagonalVectorsPlan plan = vectors_plan(n, n);
  ASSERT_EQ(plan.tree.levels, 2);
  std::vector<double> s(35), u(35 * 35), vt(35 * 35);
  std::vector<std::byte> workspace(plan.workspace_bytes);
  int info = -1;
  lapack::SimQueue queue;
  ASSERT_TRUE(run(plan,
                  {.d = b.d.data(), .e = b.e.data(), .s = s.data(), .u = u.data(), .vt = vt.data(), .info = &info},
                  workspace.data(), queue)
                  .ok());
  EXPECT_EQ(queue.launches, 3 + 2 * 5 + 2);    // U and V of the last level are made in two pieces each
  EXPECT_EQ(queue.products, 2 * (2 + 2) + 8);  // the last merge of the first level has a row less
}

TEST(BidiagonalVectorsPlan, NamesTheArgumentThatIsWrong) {
  const auto text = [](const lapack::BidiagonalVectorsProblem& problem) {
    lapack::BidiagonalVectorsPlan plan;
    return make_plan(problem, h200_traits(), &plan).text;
  };
  EXPECT_EQ(text({.type = Type::c, .n = 3, .ldu = 3, .ldvt = 3}), "type: a bidiagonal matrix is real, s or d");
  EXPECT_EQ(text({.n = -1}), "n = -1: must be 0 to 268435456");
  EXPECT_EQ(text({.n = 5, .ldu = 4, .ldvt = 5}), "ldu = 4: must be 5 to 1073741824");
  EXPECT_EQ(text({.n = 5, .ldu = 5, .ldvt = 4}), "ldvt = 4: must be 5 to 1073741824");
}

TEST(BidiagonalVectorsPlan, IsExplained) {
  const std::string text = explain(vectors_plan(1000, 1000));
  EXPECT_EQ(text.substr(0, text.find("workspace")), "  divide and conquer: 125 leaves of 7 rows, 7 levels of merges, ");
  EXPECT_EQ(explain(vectors_plan(0, 1)), "  no singular vectors\n");
}

}  // namespace
}  // namespace onepass::test
