// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many small singular value decompositions by the kernel of a device, on the simulator.
#include "lapack/gpu/batched/batch_svd.hpp"

#include "on_sim.hpp"
#include "orders.hpp"
#include "reflected.hpp"
#include "svdbatch.hpp"

namespace onepass::test {
namespace {

using verify::Pattern;

lapack::BatchSvdPlan svd_plan_of(const LapackProblem& problem, const DeviceTraits& traits = h200_traits(),
                                 std::int64_t most_bytes = std::int64_t{1} << 30) {
  lapack::BatchSvdPlan plan;
  const Status status = lapack::make_plan(problem, traits, &plan, most_bytes);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

LapackProblem svd_problem_of(Type type, std::int64_t m, std::int64_t n, std::int64_t count, Job job = Job::vectors);

template <class T>
class DeviceSvdBatch : public testing::Test {
 protected:
  void TearDown() override { sim::options() = {}; }

  DeviceTraits traits = h200_traits();
  std::int64_t most_bytes = std::int64_t{1} << 30;
  int most_blocks = 1 << 30;

  SvdBatch<T> solve(std::int64_t m, std::int64_t n, const std::vector<Pattern>& patterns, Batch batch = Batch::strided,
                    std::int64_t padding = 0, std::uint64_t seed = 17, bool plain_v = false) const {
    const auto device = [this](const LapackProblem& problem, const LapackOperands& operands) {
      lapack::BatchSvdPlan plan = svd_plan_of(problem, traits, most_bytes);
      plan.blocks = std::min(plan.blocks, most_blocks);
      return run_with_workspace(plan, operands).ok();
    };
    return SvdBatch<T>(device, batch, m, n, padding, patterns, seed, plain_v);
  }
};
TYPED_TEST_SUITE(DeviceSvdBatch, Types);

TYPED_TEST(DeviceSvdBatch, HasSmallResidualsForEveryShape) {
  for (const std::int64_t m : {0, 1, 8, 17})
    for (const std::int64_t n : {1, 2, 9})
      this->solve(m, n, {Pattern::random}, (m + n) % 2 == 0 ? Batch::strided : Batch::pointers, n % 3).expect_right();
}

TYPED_TEST(DeviceSvdBatch, HasSmallResidualsForEveryPattern) {
  this->solve(6, 5, all_svd_patterns, Batch::pointers, 1).expect_right();
  this->solve(5, 9, {Pattern::rank_one, Pattern::zero, Pattern::diagonal}).expect_right();
}

TYPED_TEST(DeviceSvdBatch, HasSmallResidualsOfLargerMatrices) {
  this->solve(18, 17, {Pattern::clustered}).expect_right();
  this->solve(34, 9, {Pattern::random}).expect_right();
  this->solve(3, 70, {Pattern::graded}, Batch::pointers, 2).expect_right();
  this->solve(130, 5, {Pattern::random, Pattern::diagonal}).expect_right();
}

// Columns in registers, with lanes that have nothing and without, and matrices that others must complete.
TYPED_TEST(DeviceSvdBatch, HasSmallResidualsInRegisters) {
  this->solve(8, 8, {Pattern::random, Pattern::graded, Pattern::nan}).expect_right();
  this->solve(16, 16, {Pattern::clustered, Pattern::rank_one, Pattern::random}, Batch::pointers, 1).expect_right();
  this->solve(13, 16, {Pattern::random}, Batch::strided, 0, 17, true).expect_right();
  this->solve(31, 30, {Pattern::random}).expect_right();
}

TYPED_TEST(DeviceSvdBatch, HasSmallResidualsFromEigenvectors) {
  this->solve(33, 33, {Pattern::random}).expect_right();
  this->solve(65, 34, {Pattern::nan}, Batch::pointers, 1).expect_right();
}
TYPED_TEST(DeviceSvdBatch, HasSmallResidualsOfWhatIsLeftToRotations) {
  this->solve(34, 35, {Pattern::graded, Pattern::zero}).expect_right();
}
// Columns whose lengths are nearly equal: angles of which all digits but a few are roundings, so that T must be skew to
// the last one.
TYPED_TEST(DeviceSvdBatch, HasSmallResidualsOfRepeatedValues) {
  for (const std::int64_t n : {12, 20, 29, 48})
    this->solve(n, n, std::vector(4, Pattern::repeated), Batch::strided, 0, 1).expect_right();
}
// Two singular values so small that eigenvectors of A^H A mix them: angles that need four terms of exp(T). A = H D with
// a reflector H.
TYPED_TEST(DeviceSvdBatch, HasSmallResidualsOfLargeAngles) {
  for (const bool close : {false, true}) {
    using R = lapack::Real<TypeParam>;
    constexpr std::int64_t n = 33;
    const R epsilon = std::numeric_limits<R>::epsilon(),
            small = std::sqrt(epsilon * static_cast<R>(std::is_same_v<R, double> ? 1e6 : 40));
    const auto at = [](std::int64_t r, std::int64_t c) { return static_cast<std::size_t>(r + c * n); };
    const auto diagonal = [&](std::int64_t c) {
      const R apart = !close ? R{1} : std::is_same_v<R, double> ? static_cast<R>(1e-7) : static_cast<R>(0.02);
      return c < 2 ? small * (1 + static_cast<R>(c) * apart) : R{1} + static_cast<R>(c) / n;
    };
    std::vector<TypeParam> a(n * n), u(n * n), vt(n * n), h(n);
    for (std::int64_t i = 0; i < n; ++i) h[static_cast<std::size_t>(i)] = static_cast<R>((7 * i + 3) % 11 - 5) / 7;
    R h2 = 0;
    for (const TypeParam& e : h) h2 += std::norm(e);
    const auto reflect = [&](auto get, auto put) {
      for (std::int64_t j = 0; j < n; ++j) {
        TypeParam dot = 0;
        for (std::int64_t i = 0; i < n; ++i) dot += h[static_cast<std::size_t>(i)] * get(i, j);
        for (std::int64_t i = 0; i < n; ++i) put(i, j, get(i, j) - R{2} / h2 * h[static_cast<std::size_t>(i)] * dot);
      }
    };
    for (std::int64_t c = 0; c < n; ++c) a[at(c, c)] = diagonal(c);
    reflect([&](auto i, auto j) { return a[at(i, j)]; }, [&](auto i, auto j, TypeParam v) { a[at(i, j)] = v; });
    reflect([&](auto i, auto j) { return a[at(j, i)]; }, [&](auto i, auto j, TypeParam v) { a[at(j, i)] = v; });
    std::vector<R> s(n);
    int info = -1;
    const lapack::BatchSvdPlan plan = svd_plan_of(svd_problem_of(type_of<TypeParam>, n, n, 1));
    int state = kernels::refine_restart;
    const auto seen = [&](const lapack::Simulated& launch) {
      if (launch.step == lapack::Step::refine_end) state = *launch.given<lapack::Step::refine_end>().state;
    };
    ASSERT_TRUE(
        run_with_workspace(plan, {.a = a.data(), .w = s.data(), .info = &info, .u = u.data(), .vt = vt.data()}, seen)
            .ok());
    EXPECT_EQ(info, 0);
    EXPECT_LT(kernels::refine_kind(state), kernels::refine_rotate);
    const R limit = 30 * n * epsilon;
    for (std::int64_t i = 0; i < n; ++i)
      for (std::int64_t j = 0; j < n; ++j) {
        TypeParam of_u = i == j ? -1 : 0, of_v = of_u, of_a = -a[at(i, j)];
        for (std::int64_t k = 0; k < n; ++k) {
          of_u += lapack::conjugate(u[at(k, i)]) * u[at(k, j)];
          of_v += vt[at(i, k)] * lapack::conjugate(vt[at(j, k)]);
          of_a += u[at(i, k)] * s[static_cast<std::size_t>(k)] * vt[at(k, j)];
        }
        EXPECT_LT(std::abs(of_u), limit);
        EXPECT_LT(std::abs(of_v), limit);
        EXPECT_LT(std::abs(of_a), limit);
      }
    for (std::int64_t c = 0; c < 2; ++c) EXPECT_NEAR(s[static_cast<std::size_t>(n - 1 - c)], diagonal(c), limit);
  }
}

// Singular values alone of matrices that registers hold, in squares of every size.
TYPED_TEST(DeviceSvdBatch, FindsKnownSingularValuesInRegisters) {
  using R = lapack::Real<TypeParam>;
  std::int64_t before = 18;
  for (const kernels::BatchHeldShape& shape : kernels::batch_bidiagonal_shapes(sizeof(TypeParam))) {
    const std::int64_t larger = before + 1, m = larger - shape.rows % 3, n = larger - (shape.rows % 3 == 0 ? 2 : 0);
    const std::int64_t k = std::min(m, n);
    before = shape.rows;
    const auto value = [&](std::int64_t i) { return static_cast<R>(k - i) / static_cast<R>(k); };
    std::vector<TypeParam> a = reflected<TypeParam>(m, n, value);
    std::vector<R> s(static_cast<std::size_t>(k));
    int info = -1;
    const lapack::BatchSvdPlan plan = svd_plan_of(svd_problem_of(type_of<TypeParam>, m, n, 1, Job::values));
    EXPECT_EQ(plan.bidiagonal_rows, shape.rows);
    ASSERT_TRUE(run_with_workspace(plan, {.a = a.data(), .w = s.data(), .info = &info}).ok());
    EXPECT_EQ(info, 0);
    for (std::int64_t i = 0; i < k; ++i)
      EXPECT_NEAR(s[static_cast<std::size_t>(i)], value(i), 30 * std::numeric_limits<R>::epsilon()) << i << " of " << k;
  }
}

// As where a batch is larger than its workspace.
TYPED_TEST(DeviceSvdBatch, HasSmallResidualsInPieces) {
  this->traits.sm_count = 1;
  this->most_bytes = 1;
  this->solve(33, 34, std::vector<Pattern>(2, Pattern::random), Batch::pointers).expect_right();
  this->solve(7, 5, std::vector<Pattern>(5, Pattern::random), Batch::pointers).expect_right();
  this->solve(5, 7, std::vector<Pattern>(5, Pattern::random), Batch::strided, 1).expect_right();
}

TYPED_TEST(DeviceSvdBatch, MakesVInThePlaceOfItsAdjoint) {
  for (const std::int64_t m : {3, 6}) this->solve(m, 5, {Pattern::random}, Batch::strided, 1, 17, true).expect_right();
}

// Where shared memory does not hold all columns.
TYPED_TEST(DeviceSvdBatch, HasSmallResidualsInGlobalMemory) {
  this->traits.shared_bytes_per_sm = 1024 + 1500 * static_cast<int>(sizeof(TypeParam));
  this->traits.sm_count = 2;
  this->solve(125, 18, {Pattern::random, Pattern::nan}, Batch::strided, 1).expect_right();
}

TYPED_TEST(DeviceSvdBatch, GivesTheSameBitsWhateverThePlace) {
  for (const std::int64_t n : {4, 12, 17, 33}) {
    auto many = this->solve(n + 4, n, {Pattern::graded, Pattern::random});
    auto alone = this->solve(n + 4, n, {Pattern::random}, Batch::strided, 0, 18);
    EXPECT_TRUE(many.same_bits(1, alone, 0)) << n;
  }
}

// Columns stand elsewhere after each sweep, and a neighbour needs more of them.
TYPED_TEST(DeviceSvdBatch, GivesEqualSingularValuesTheSameOrderWhateverThePlace) {
  for (const std::int64_t n : {4, 5, 7, 8, 12}) {
    auto many = this->solve(n, n, {Pattern::random, Pattern::identity, Pattern::wilkinson});
    auto alone = this->solve(n, n, {Pattern::identity}, Batch::strided, 0, 18);
    EXPECT_TRUE(many.same_bits(1, alone, 0)) << n;
  }
}

// As where there are more matrices than a grid has blocks.
TYPED_TEST(DeviceSvdBatch, HasSmallResidualsWhereABlockTakesSeveralMatrices) {
  this->most_blocks = 2;
  this->solve(4, 3, std::vector<Pattern>(5, Pattern::random)).expect_right();
}

TYPED_TEST(DeviceSvdBatch, InEveryOrderOfThreads) {
  for (const sim::SimOptions& order : orders()) {
    sim::options() = order;
    this->solve(12, 18, {Pattern::random}).expect_right();
    this->solve(34, 20, {Pattern::random}).expect_right();
    // The tensor cores of double precision take the simulator long.
    if (sizeof(lapack::Real<TypeParam>) == 4) this->solve(33, 34, {Pattern::random}).expect_right();
  }
}

LapackProblem svd_problem_of(Type type, std::int64_t m, std::int64_t n, std::int64_t count, Job job) {
  const std::int64_t k = std::min(m, n);
  return {.routine = LapackRoutine::gesvd,
          .type = type,
          .m = m,
          .n = n,
          .lda = m,
          .job = job,
          .ldu = m,
          .ldvt = k,
          .batch = Batch::strided,
          .batch_count = count,
          .stride_a = m * n,
          .stride_w = k,
          .stride_u = m * k,
          .stride_vt = k * n};
}
constexpr Type types_of_svd[] = {Type::s, Type::d, Type::c, Type::z};

// A piece of a large batch, and of a matrix for each multiprocessor at least.
TEST(DeviceSvdBatchPlan, TakesAWorkspaceThatDoesNotGrowWithTheBatch) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (const Type type : types_of_svd)
    for (const auto& [m, n] : {std::pair{16, 16}, {32, 5}, {40, 30}, {33, 33}, {64, 64}, {128, 200}, {256, 256}}) {
      const lapack::BatchSvdPlan plan = svd_plan_of(svd_problem_of(type, m, n, 10000000));
      const auto for_each_processor = static_cast<std::size_t>(132 * 12 * 256 * 256 * size_of(type));
      EXPECT_LE(plan.workspace_bytes, std::max(most, for_each_processor)) << m << " x " << n;
      EXPECT_LE(lapack::shared_bytes(plan), 232448u);
      EXPECT_LE(svd_plan_of(svd_problem_of(type, m, n, 10000000, Job::values)).workspace_bytes,
                std::max(most, for_each_processor));
    }
}

TEST(DeviceSvdBatchPlan, HasTheSameStepsForEveryCount) {
  for (const Type type : types_of_svd)
    for (const std::int64_t n : {8, 33, 100, 256}) {
      const lapack::BatchSvdPlan one = svd_plan_of(svd_problem_of(type, n, n, 1)),
                                 many = svd_plan_of(svd_problem_of(type, n, n, 1 << 24));
      EXPECT_EQ(one.slots, many.slots);
      EXPECT_EQ(one.warps, many.warps);
      EXPECT_EQ(one.whole, many.whole);
      EXPECT_EQ(one.pair_rows, many.pair_rows);
      EXPECT_EQ(one.refined, many.refined);
      EXPECT_EQ(one.eigen.held, many.eigen.held);
      EXPECT_EQ(one.eigen.levels, many.eigen.levels);
      const LapackProblem values = svd_problem_of(type, n, n, 1, Job::values);
      EXPECT_EQ(svd_plan_of(values).bidiagonal_rows,
                svd_plan_of(svd_problem_of(type, n, n, 1 << 24, Job::values)).bidiagonal_rows);
    }
}

TEST(DeviceSvdBatchPlan, IsExplained) {
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  };
  has(explain(svd_plan_of(svd_problem_of(Type::z, 8, 5, 1000))), "zgesvdStridedBatched 8 x 5 of 1000 matrices on cuda");
  has(explain(svd_plan_of(svd_problem_of(Type::d, 11, 16, 1000))), "2 matrices in a warp: eigenvectors of A A^H");
  has(explain(svd_plan_of(svd_problem_of(Type::d, 12, 16, 1000))), "Jacobi rotations of columns in registers, 8 lanes");
  has(explain(svd_plan_of(svd_problem_of(Type::d, 64, 64, 1000))), "tridiagonal form");
  has(explain(svd_plan_of(svd_problem_of(Type::d, 64, 20, 1000))), "all columns in shared memory");
  has(explain(svd_plan_of(svd_problem_of(Type::d, 128, 128, 1000))), "in shared memory 128 of 128 columns, and");
  has(explain(svd_plan_of(svd_problem_of(Type::z, 128, 128, 100000))), "matrices at a time");
  has(explain(svd_plan_of(svd_problem_of(Type::d, 30, 20, 1000, Job::values))),
      "20 of 1000 matrices on cuda, singular values,");
  has(explain(svd_plan_of(svd_problem_of(Type::z, 64, 64, 1000, Job::values))),
      "bidiagonal form: a block of 128 threads");
  has(explain(svd_plan_of(svd_problem_of(Type::z, 64, 33, 1000, Job::values))), "bisection: a block for each");
  has(explain(svd_plan_of(svd_problem_of(Type::z, 160, 160, 1000, Job::values))), "eigenvectors of A^H A");
  has(explain(svd_plan_of(svd_problem_of(Type::d, 100, 40, 1000, Job::values))), "eigenvectors of A^H A");
}

TEST(DeviceSvdBatchPlan, NamesASizeThatIsTooLarge) {
  lapack::BatchSvdPlan plan;
  const Status status = lapack::make_plan(svd_problem_of(Type::d, 3, 257, 2), h200_traits(), &plan);
  EXPECT_EQ(status.code, ONEPASS_STATUS_TOO_LARGE);
  EXPECT_EQ(
      status.text,
      "n = 257: matrices of a batch have at most 256 rows and columns on cuda; gesvd solves larger ones one by one");
}

}  // namespace
}  // namespace onepass::test
