// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvectors of tridiagonal matrices by divide and conquer, on the simulator.
#include "lapack/gpu/solvers/divide.hpp"

#include "lapack/gpu/solvers/form_shape.hpp"
#include "on_sim.hpp"
#include "orders.hpp"
#include "tridiagonal_residuals.hpp"
#include "types.hpp"

namespace onepass::test {
namespace {

template <class R>
class Divide : public testing::Test {
 protected:
  void TearDown() override { sim::options() = {}; }

  static Eigensystem<R> solve(const Tridiagonal<R>& t, int most_leaf, bool many_threads = false) {
    Eigensystem<R> out(t.n());
    lapack::DividePlan plan;
    const Status status = make_plan({.type = type_of<R>, .n = t.n(), .ldz = out.ldz}, h200_traits(), &plan, most_leaf);
    EXPECT_TRUE(status.ok()) << status.text;
    plan.tree.grid = 3;
    if (many_threads) plan.tree.few_rows = 0;
    std::vector<unsigned char> workspace(plan.workspace_bytes, 0xff);
    run_on_sim(plan,
               lapack::DivideOperands{
                   .d = t.d.data(), .e = t.e.data(), .w = out.w.data(), .z = out.z.data(), .info = &out.info},
               workspace.data());
    for (std::int64_t j = 0; j < out.n; ++j)
      for (std::int64_t i = out.n; i < out.ldz; ++i) EXPECT_EQ(out.at(i, j), out.untouched);
    return out;
  }
  static void expect_right(const Tridiagonal<R>& t, const Eigensystem<R>& out) {
    const std::string name = t.name + " of order " + std::to_string(t.n());
    EXPECT_EQ(out.info, 0) << name;
    const Residuals found = residuals(t, out);
    EXPECT_LE(found.equation, 10) << name;
    EXPECT_LE(found.orthogonality, 10) << name;
    EXPECT_TRUE(std::is_sorted(out.w.begin(), out.w.end())) << name;
    const auto wanted = wide_eigenvalues(t);
    const long double bound = 10 * std::numeric_limits<R>::epsilon() / 2 * static_cast<long double>(t.n()) * t.norm();
    for (std::size_t j = 0; j < wanted.size(); ++j)
      ASSERT_LE(std::abs(out.w[j] - wanted[j]), bound) << name << ": " << j;
  }
};
using RealTypes = testing::Types<float, double>;
TYPED_TEST_SUITE(Divide, RealTypes);

// Leaves of six rows, the last of five, and three levels.
TYPED_TEST(Divide, SolvesHardMatrices) {
  for (const auto& t : hard_tridiagonals<TypeParam>(47)) this->expect_right(t, this->solve(t, 6));
}

// With the last merge of every shape, one without a second half among them, and with no merge at all.
TYPED_TEST(Divide, SolvesEveryOrder) {
  for (const int most_leaf : {1, 3})
    for (const std::int64_t n : {1, 2, 3, 4, 5, 6, 7, 9, 10, 13}) {
      const auto t = random_tridiagonal<TypeParam>(n);
      this->expect_right(t, this->solve(t, most_leaf));
    }
}

TYPED_TEST(Divide, SolvesFullLeaves) {
  for (const std::int64_t n : {32, 33, 64}) {
    const auto t = random_tridiagonal<TypeParam>(n);
    this->expect_right(t, this->solve(t, 32));
  }
}

TYPED_TEST(Divide, HasTheSameBitsInEveryOrderAndWithAnyNumberOfThreads) {
  const auto t = hard_tridiagonals<TypeParam>(30)[5];
  const auto first = this->solve(t, 8);
  for (const sim::SimOptions& order : orders()) {
    sim::options() = order;
    for (const bool many_threads : {false, true}) {
      const auto again = this->solve(t, 8, many_threads);
      EXPECT_EQ(again.w, first.w);
      EXPECT_EQ(again.z, first.z);
    }
  }
}

TYPED_TEST(Divide, SaysThatAnElementIsNotFinite) {
  for (const double bad : {HUGE_VAL, std::nan("")})
    for (const bool diagonal : {true, false})
      for (const std::int64_t n : {2, 9}) {
        auto t = random_tridiagonal<TypeParam>(n);
        (diagonal ? t.d : t.e).back() = static_cast<TypeParam>(bad);
        const auto out = this->solve(t, 4);
        EXPECT_EQ(out.info, 2 * n + 1);  // rows 1 to n, as stedc says it
        for (const TypeParam w : out.w) EXPECT_TRUE(std::isnan(w));
        for (std::int64_t j = 0; j < n; ++j)
          for (std::int64_t i = 0; i < n; ++i) EXPECT_TRUE(std::isnan(out.at(i, j)));
      }
}

// One merge alone: D + rho z z^T with any D and z.
template <class R>
class DivideMerge : public testing::Test {
 protected:
  static constexpr double eps = std::numeric_limits<R>::epsilon() / 2;

  // U^T U = I and U^T (D + rho z z^T) U = W. `coupling` is the e between both halves. Returns the number of poles.
  static int expect_right(const std::string& name, const std::vector<double>& d, std::vector<double> z,
                          double coupling) {
    const int n = static_cast<int>(d.size()), half = (n + 1) / 2;
    const auto size = static_cast<std::size_t>(n);
    double norm2 = 0;
    for (const double each : z) norm2 += each * each;
    for (double& each : z) each *= std::sqrt(2 / norm2);
    // Of Q only the row beside the cut counts.
    std::vector<R> q(size * static_cast<std::size_t>(half)), values(d.begin(), d.end()), e(size);
    for (int i = 0; i < n; ++i)
      q[static_cast<std::size_t>(i < half ? half - 1 + i * half : half * half + (i - half) * half)] =
          static_cast<R>(z[static_cast<std::size_t>(i)]);
    e[static_cast<std::size_t>(half - 1)] = static_cast<R>(coupling);
    std::vector<std::vector<R>> reals(13, std::vector<R>(size));
    std::vector<std::vector<int>> ints(9, std::vector<int>(size));
    std::vector<R> u(size * size);
    const kernels::DivideLevelArgs args = {.n = n,
                                           .half = half,
                                           .e = e.data(),
                                           .q = q.data(),
                                           .q_ld = half,
                                           .q_stride = half * half,
                                           .values = values.data(),
                                           .sorted_d = reals[0].data(),
                                           .sorted_z = reals[1].data(),
                                           .sorted_row = ints[0].data(),
                                           .live_d = reals[2].data(),
                                           .live_z = reals[3].data(),
                                           .live_norm = reals[4].data(),
                                           .live_moved = reals[5].data(),
                                           .live_row = ints[1].data(),
                                           .live_head = ints[2].data(),
                                           .row_live = ints[3].data(),
                                           .row_pole = ints[4].data(),
                                           .row_weight = reals[6].data(),
                                           .pole_d = reals[7].data(),
                                           .pole_z = reals[8].data(),
                                           .pole_count = ints[5].data(),
                                           .found = reals[9].data(),
                                           .shift = reals[10].data(),
                                           .origin = ints[6].data(),
                                           .deflated = ints[7].data(),
                                           .z_hat = reals[11].data(),
                                           .order = ints[8].data(),
                                           .u = u.data(),
                                           .u_ld = n,
                                           .u_stride = 0,
                                           .first_column = 0,
                                           .end_column = n};
    lapack::SimQueue queue;
    constexpr int threads = kernels::deflate_few_threads;
    const lapack::Work deflation = {.type = type_of<R>,
                                    .shape = lapack::form_shape(kernels::Form::tridiagonal, threads),
                                    .shared_bytes = kernels::divide_deflate_shared_bytes(threads)};
    const lapack::Work others = {.type = type_of<R>,
                                 .shape = lapack::form_shape(kernels::Form::tridiagonal, kernels::divide_lanes),
                                 .blocks = (n + kernels::divide_warps - 1) / kernels::divide_warps};
    EXPECT_TRUE(queue.launch<lapack::Step::divide_deflate>(deflation, args).ok());
    EXPECT_TRUE(queue.launch<lapack::Step::divide_roots>(others, args).ok());
    EXPECT_TRUE(queue.launch<lapack::Step::divide_order>(others, args).ok());
    EXPECT_TRUE(queue.launch<lapack::Step::divide_columns>(others, args).ok());
    // As the device has them: z with the sign of the coupling in the second half, and divided by sqrt(2).
    const auto at = [&](int row, int column) {
      return static_cast<long double>(u[static_cast<std::size_t>(row + column * n)]);
    };
    long double largest = 0, apart = 0;
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        long double product = 0, middle = 0, z_j = 0, z_k = 0;
        for (int i = 0; i < n; ++i) {
          const long double z_i =
              z[static_cast<std::size_t>(i)] / std::sqrt(2.0L) * (i >= half && coupling < 0 ? -1 : 1);
          product += at(i, j) * at(i, k);
          middle += at(i, j) * d[static_cast<std::size_t>(i)] * at(i, k);
          z_j += z_i * at(i, j);
          z_k += z_i * at(i, k);
        }
        middle += 2 * std::abs(coupling) * z_j * z_k;
        apart = std::max(apart, std::abs(product - (j == k ? 1 : 0)));
        largest = std::max(
            largest, std::abs(middle - (j == k ? static_cast<long double>(values[static_cast<std::size_t>(j)]) : 0)));
      }
    EXPECT_LE(apart, 16 * eps * std::sqrt(n)) << name;
    EXPECT_LE(largest, 32 * eps * std::sqrt(n)) << name;
    EXPECT_TRUE(std::is_sorted(values.begin(), values.end())) << name;
    return *args.pole_count;
  }
  static std::vector<double> filled(int n, auto f) {
    std::vector<double> values(static_cast<std::size_t>(n));
    for (int i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = static_cast<double>(static_cast<R>(f(i)));
    return values;
  }
};
TYPED_TEST_SUITE(DivideMerge, RealTypes);

TYPED_TEST(DivideMerge, RotatesEqualValuesAway) {
  const auto ones = this->filled(12, [](int) { return 1; });
  const auto rising = this->filled(12, [](int i) { return i + 1; });
  for (const double coupling : {0.25, -0.25}) {
    EXPECT_EQ(this->expect_right("all equal", this->filled(12, [](int) { return 0.5; }), rising, coupling), 1);
    EXPECT_EQ(this->expect_right("pairs", this->filled(12, [](int i) { return i % 6 / 8.0; }), rising, coupling), 6);
    EXPECT_EQ(this->expect_right("three values", this->filled(12, [](int i) { return 0.25 * std::floor(i % 6 / 2.0); }),
                                 ones, coupling),
              3);
  }
}

// Values that are a few roundings apart, so that some rotations are made and others are not.
TYPED_TEST(DivideMerge, RotatesAsLongAsItMay) {
  const double eps = this->eps;
  for (const double apart : {1.0, 3.0, 8.0, 9.0, 20.0, 100.0})
    for (const double ratio : {1.0, 0.5, 1e-3}) {
      const auto d = this->filled(14, [&](int i) { return 0.5 + (i % 7) * apart * eps; });
      this->expect_right("close", d, this->filled(14, [&](int i) { return std::pow(ratio, i); }), 0.125);
      this->expect_right("close, rising", d, this->filled(14, [&](int i) { return std::pow(ratio, 13 - i); }), 0.125);
    }
}

TYPED_TEST(DivideMerge, HasOnePoleOrTwo) {
  const auto d = this->filled(6, [](int i) { return i % 3 / 4.0; });
  EXPECT_EQ(this->expect_right("one", d, {0, 0, 1, 0, 0, 0}, 0.25), 1);
  EXPECT_EQ(this->expect_right("two", d, {1, 0, 0, 0, 0, 1}, 0.25), 2);
  EXPECT_EQ(this->expect_right("none", d, {1, 1, 1, 1, 1, 1}, 0), 0);
}

// Roots very close to their poles, on the left and on the right, and far from them.
TYPED_TEST(DivideMerge, FindsRootsCloseToTheirPoles) {
  for (const double small : {1e-3, 1e-5, 1e-6, 1e-10, 1e-14})
    for (const double coupling : {0.5, 1e-2, 1e-5}) {
      const auto d = this->filled(10, [](int i) { return i % 5 / 8.0 + (i < 5 ? 0 : 0.03); });
      this->expect_right("small z", d, this->filled(10, [&](int i) { return i == 3 ? 1 : small; }), coupling);
      this->expect_right("large last z", d, this->filled(10, [&](int i) { return i == 9 ? 1 : small; }), coupling);
      this->expect_right("close poles", this->filled(10, [&](int i) { return i % 5 / 8.0 + (i < 5 ? 0 : small); }),
                         this->filled(10, [](int i) { return i + 1; }), coupling);
    }
}

lapack::DividePlan divide_plan(std::int64_t n, std::int64_t ldz, int most_leaf = 32) {
  lapack::DividePlan plan;
  const Status status = make_plan({.n = n, .ldz = ldz}, h200_traits(), &plan, most_leaf);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

TEST(DividePlan, HasLeavesOfAlmostTheSameSize) {
  EXPECT_EQ(divide_plan(32, 32).tree.levels, 0);
  EXPECT_EQ(divide_plan(33, 33).tree.levels, 1);
  EXPECT_EQ(divide_plan(33, 33).tree.leaf, 17);
  EXPECT_EQ(divide_plan(4096, 4096).tree.levels, 7);
  EXPECT_EQ(divide_plan(4096, 4096).tree.leaf, 32);
  EXPECT_EQ(divide_plan(4097, 4097).tree.leaf, 17);
  EXPECT_EQ(divide_plan(0, 1).workspace_bytes, 0u);
}

// Beside Z: half of a matrix for Q and half for U, and some vectors.
TEST(DividePlan, TakesLittleMoreThanOneMatrixBesideZ) {
  for (const std::int64_t n : {2048, 4096, 4097, 5000, 8192, 32768}) {
    const double elements = static_cast<double>(divide_plan(n, n).workspace_bytes) / 8;
    EXPECT_LE(elements, 1.25 * static_cast<double>(n * n)) << n;
  }
}

TEST(DividePlan, HasFourLaunchesAndTwoProductsForALevel) {
  const std::int64_t n = 32;
  const auto t = random_tridiagonal<double>(n);
  const lapack::DividePlan plan = divide_plan(n, n, 8);
  std::vector<double> w(32), z(32 * 32);
  std::vector<std::byte> workspace(plan.workspace_bytes);
  int info = -1;
  lapack::SimQueue queue;
  ASSERT_TRUE(run(plan, {.d = t.d.data(), .e = t.e.data(), .w = w.data(), .z = z.data(), .info = &info},
                  workspace.data(), queue)
                  .ok());
  EXPECT_EQ(queue.launches, 3 + 2 * 4 + 1);  // U of the last level is made in two pieces
  EXPECT_EQ(queue.products, 2 + 4);
}

TEST(DividePlan, NamesTheArgumentThatIsWrong) {
  const auto text = [](const lapack::DivideProblem& problem) {
    lapack::DividePlan plan;
    return make_plan(problem, h200_traits(), &plan).text;
  };
  EXPECT_EQ(text({.type = Type::c, .n = 3, .ldz = 3}), "type: a tridiagonal matrix is real, s or d");
  EXPECT_EQ(text({.n = -1}), "n = -1: must be 0 to 268435456");
  EXPECT_EQ(text({.n = 5, .ldz = 4}), "ldz = 4: must be 5 to 1073741824");
}

TEST(DividePlan, IsExplained) {
  const std::string text = explain(divide_plan(1000, 1000));
  EXPECT_EQ(text.substr(0, text.find("workspace")), "  divide and conquer: 32 leaves of 32 rows, 5 levels of merges, ");
  EXPECT_EQ(explain(divide_plan(0, 1)), "  no eigenvectors\n");
}

}  // namespace
}  // namespace onepass::test
