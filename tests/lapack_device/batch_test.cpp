// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many small Hermitian eigenproblems by the kernels of a device, on the simulator.
#include "lapack/gpu/batched/batch.hpp"

#include "eigenbatch.hpp"
#include "on_sim.hpp"
#include "orders.hpp"
#include "reflected.hpp"

namespace onepass::test {
namespace {

lapack::BatchPlan batch_plan_of(const LapackProblem& problem, const DeviceTraits& traits = h200_traits(),
                                std::int64_t most_bytes = std::int64_t{512} << 20) {
  lapack::BatchPlan plan;
  const Status status = lapack::make_plan(problem, traits, &plan, most_bytes);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

template <class T>
class DeviceBatch : public testing::Test {
 protected:
  void TearDown() override { sim::options() = {}; }

  DeviceTraits traits = h200_traits();
  std::int64_t most_bytes = std::int64_t{512} << 20;
  int most_small_blocks = 1 << 30;

  typename EigenBatch<T>::Base::Run device() const {
    return [this](const LapackProblem& p, const LapackOperands& o) {
      lapack::BatchPlan plan = batch_plan_of(p, traits, most_bytes);
      plan.blocks = std::min(plan.blocks, most_small_blocks);
      return run_with_workspace(plan, o).ok();
    };
  }
  EigenBatch<T> solve(std::int64_t n, const std::vector<Pattern>& patterns, Batch batch = Batch::strided,
                      Uplo uplo = Uplo::lower, std::int64_t padding = 0, std::uint64_t seed = 17) const {
    return EigenBatch<T>(device(), batch, uplo, n, padding, patterns, seed);
  }
};
TYPED_TEST_SUITE(DeviceBatch, Types);

TYPED_TEST(DeviceBatch, HasSmallResidualsForEveryOrderUpTo32) {
  for (std::int64_t n = 0; n <= 32; ++n)
    this->solve(n, std::vector<Pattern>(n <= 8 ? 5 : 2, Pattern::random), n % 2 == 0 ? Batch::strided : Batch::pointers,
                n % 4 < 2 ? Uplo::lower : Uplo::upper, n % 3)
        .expect_right();
}

TYPED_TEST(DeviceBatch, HasSmallResidualsForEveryPatternUpTo32) {
  for (const std::int64_t n : {3, 8, 13, 25}) this->solve(n, all_patterns).expect_right();
}

TYPED_TEST(DeviceBatch, GivesTheSameBitsWhateverThePlaceUpTo32) {
  for (const std::int64_t n : {5, 11, 20}) {
    auto many = this->solve(n, std::vector<Pattern>(6, Pattern::random));
    for (const std::int64_t i : {1, 4, 5}) {
      auto alone = this->solve(n, {Pattern::random}, Batch::strided, Uplo::lower, 0, 17 + static_cast<unsigned>(i));
      EXPECT_TRUE(many.same_bits(i, alone, 0)) << n << ": " << i;
    }
  }
}

// Its first element has a square, what is below it has none: a complex one becomes real by a reflector of its own.
TYPED_TEST(DeviceBatch, HasOrthogonalVectorsOfAColumnThatIsNearlyNothing) {
  using R = lapack::Real<TypeParam>;
  const R tiny = std::is_same_v<R, double> ? static_cast<R>(0x1p-480) : static_cast<R>(0x1p-50);
  for (const std::int64_t n : {3, 40}) {
    const auto at = [n](std::int64_t r, std::int64_t c) { return static_cast<std::size_t>(r + c * n); };
    std::vector<TypeParam> a(static_cast<std::size_t>(n * n));
    for (std::int64_t i = 0; i < n; ++i) a[at(i, i)] = static_cast<R>(i == 0 ? 1 : 0.5);
    a[at(1, 0)] = static_cast<R>(0.8) * tiny;
    if constexpr (!std::is_same_v<TypeParam, R>) a[at(1, 0)] *= TypeParam(1, 1);
    a[at(2, 0)] = static_cast<R>(0.7) * tiny;
    std::vector<R> w(static_cast<std::size_t>(n));
    int info = -1;
    const LapackProblem problem = {.routine = LapackRoutine::syevd,
                                   .type = type_of<TypeParam>,
                                   .n = n,
                                   .lda = n,
                                   .job = Job::vectors,
                                   .batch = Batch::strided,
                                   .batch_count = 1,
                                   .stride_a = n * n,
                                   .stride_w = n};
    ASSERT_TRUE(this->device()(problem, {.a = a.data(), .w = w.data(), .info = &info}));
    EXPECT_EQ(info, 0);
    R worst = 0;
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t i = 0; i <= j; ++i) {
        TypeParam sum = i == j ? TypeParam(-1) : TypeParam(0);
        for (std::int64_t r = 0; r < n; ++r) sum += lapack::conjugate(a[at(r, i)]) * a[at(r, j)];
        worst = std::max(worst, std::abs(sum));
      }
    EXPECT_LT(worst, static_cast<R>(30 * n) * std::numeric_limits<R>::epsilon()) << n;
  }
}

// As where there are more matrices than a grid has blocks.
TYPED_TEST(DeviceBatch, HasSmallResidualsWhereABlockTakesSeveralMatrices) {
  this->most_small_blocks = 2;
  this->solve(7, std::vector<Pattern>(18, Pattern::random)).expect_right();
}

TYPED_TEST(DeviceBatch, InEveryOrderOfThreads) {
  for (const sim::SimOptions& order : orders()) {
    sim::options() = order;
    for (const std::int64_t n : {7, 16, 21}) this->solve(n, {Pattern::random, Pattern::graded}).expect_right();
  }
}

TYPED_TEST(DeviceBatch, HasSmallResidualsOfLargerMatrices) {
  for (const std::int64_t n : {33, 67})
    this->solve(n, {Pattern::random}, n == 33 ? Batch::pointers : Batch::strided, n == 33 ? Uplo::upper : Uplo::lower,
                n == 67 ? 2 : 0)
        .expect_right();
}

TYPED_TEST(DeviceBatch, HasSmallResidualsForEveryPatternOfLargerMatrices) {
  this->solve(34, {Pattern::clustered, Pattern::nan, Pattern::rank_one, Pattern::diagonal, Pattern::huge, Pattern::tiny,
                   Pattern::zero})
      .expect_right();
}

// Rows behind the first are nothing but rounding, and whole leaves of T are smaller than what QL rotates.
TYPED_TEST(DeviceBatch, HasSmallResidualsOfRankOne) { this->solve(130, {Pattern::rank_one}).expect_right(); }

// Squares of every size that registers hold, with and without columns in shared memory, of one block and of clusters:
// eigenvalues alone, which take a tenth of the time. Reflectors are stored by the same code for all of them: of one
// block that is above, of a cluster below, and of all sizes on a GPU (tests/lapack/batch_cuda_test.cpp).
TYPED_TEST(DeviceBatch, FindsKnownEigenvaluesInRegisters) {
  using R = lapack::Real<TypeParam>;
  std::int64_t before = 34;
  bool other = lapack::is_complex<TypeParam>;
  for (const kernels::BatchHeldShape& shape : kernels::batch_held_shapes(sizeof(TypeParam))) {
    const std::int64_t n = before + 3, count = shape.rows <= 128 ? 2 : 1;
    before = shape.rows;
    other = !other;
    // Minutes; and double and complex<float> have the same shapes, which they take by turns.
    if (shape.rows > 288 || (sizeof(TypeParam) == 8 && shape.rows > 128 && other)) continue;
    const auto value = [&](std::int64_t i) { return static_cast<R>(i - n / 3) / static_cast<R>(n); };
    std::vector<TypeParam> a = reflected<TypeParam>(n, n, value);
    if (count > 1) {  // the other one has a NaN, which its neighbour does not see
      a.resize(2 * a.size(), TypeParam{1});
      a[static_cast<std::size_t>(n * n + 3)] = std::numeric_limits<R>::quiet_NaN();
    }
    std::vector<R> w(static_cast<std::size_t>(count * n));
    std::vector<int> info(static_cast<std::size_t>(count), -1);
    const LapackProblem problem = {.routine = LapackRoutine::syevd,
                                   .type = type_of<TypeParam>,
                                   .n = n,
                                   .lda = n,
                                   .job = Job::values,
                                   .batch = Batch::strided,
                                   .batch_count = count,
                                   .stride_a = n * n,
                                   .stride_w = n};
    EXPECT_TRUE(batch_plan_of(problem).held);
    ASSERT_TRUE(this->device()(problem, {.a = a.data(), .w = w.data(), .info = info.data()}));
    EXPECT_EQ(info[0], 0);
    for (std::int64_t i = 0; i < n; ++i)
      EXPECT_NEAR(w[static_cast<std::size_t>(i)], value(i), 30 * std::numeric_limits<R>::epsilon()) << i << " of " << n;
    if (count == 1) continue;
    EXPECT_EQ(info[1], n);
    EXPECT_TRUE(std::isnan(w.back()));
  }
}
TEST(DeviceBatchOfClusters, HasSmallResiduals) {
  const auto device = [](const LapackProblem& p, const LapackOperands& o) {
    return run_with_workspace(batch_plan_of(p), o).ok();
  };
  EigenBatch<std::complex<double>>(device, Batch::pointers, Uplo::upper, 145, 1, {Pattern::random}, 17).expect_right();
}

// Where shared memory does not hold the triangle, or some columns of it alone.
TYPED_TEST(DeviceBatch, HasSmallResidualsInGlobalMemory) {
  this->traits.registers_per_sm = 0;
  for (const int bytes : {4096, 20 * 38 * static_cast<int>(sizeof(TypeParam)) + 6000}) {
    this->traits.shared_bytes_per_sm = bytes;
    this->solve(37, {Pattern::graded, Pattern::nan}, Batch::pointers, Uplo::upper, 1).expect_right();
  }
}

TYPED_TEST(DeviceBatch, GivesTheSameBitsInPieces) {
  const std::int64_t n = 35;
  this->traits.sm_count = 2;
  this->most_bytes = 1;
  auto many = this->solve(n, std::vector<Pattern>(3, Pattern::random));
  auto alone = this->solve(n, {Pattern::random}, Batch::strided, Uplo::lower, 0, 19);
  EXPECT_TRUE(many.same_bits(2, alone, 0));
}

constexpr Type types[] = {Type::s, Type::d, Type::c, Type::z};

LapackProblem problem_of(Type type, std::int64_t n, std::int64_t count, Job job = Job::vectors) {
  return {.routine = LapackRoutine::syevd,
          .type = type,
          .n = n,
          .lda = n,
          .job = job,
          .batch = Batch::strided,
          .batch_count = count,
          .stride_a = n * n,
          .stride_w = n};
}

TEST(DeviceBatchPlan, TakesNoWorkspaceUpTo32RowsAndLittleBeyond) {
  for (const Type type : types) {
    EXPECT_EQ(batch_plan_of(problem_of(type, 32, 1 << 20)).workspace_bytes, 0u);
    for (const std::int64_t n : {33, 64, 128, 200, 256, 512})
      for (const std::int64_t count : {1, 100, 100000}) {
        const lapack::BatchPlan plan = batch_plan_of(problem_of(type, n, count));
        EXPECT_LE(plan.piece, count);
        EXPECT_GT(plan.piece * 2, std::min<std::int64_t>(count, 132));
        EXPECT_LE(static_cast<double>(plan.workspace_bytes),
                  std::max(5.5e8, 132 * 5.5 * static_cast<double>(n * n * size_of(type))));
      }
  }
}

TEST(DeviceBatchPlan, HasTheSameStepsForEveryCount) {
  for (const Type type : types)
    for (const std::int64_t n : {8, 33, 128, 300, 512}) {
      lapack::BatchPlan one = batch_plan_of(problem_of(type, n, 1)), many = batch_plan_of(problem_of(type, n, 1 << 24));
      EXPECT_EQ(one.leaf, many.leaf);
      EXPECT_EQ(one.levels, many.levels);
      EXPECT_EQ(one.held, many.held);
      EXPECT_EQ(one.off_chip, many.off_chip);
    }
}

TEST(DeviceBatchPlan, KeepsTrianglesOnTheChip) {
  DeviceTraits traits = h200_traits();
  traits.registers_per_sm = 0;
  const auto off_chip = [&](Type type, std::int64_t n) {
    return batch_plan_of(problem_of(type, n, 9), traits).off_chip;
  };
  EXPECT_EQ(off_chip(Type::d, 210), 0);
  EXPECT_EQ(off_chip(Type::z, 140), 0);
  EXPECT_EQ(off_chip(Type::s, 300), 0);
  for (const Type type : types)
    for (const std::int64_t n : {257, 512}) EXPECT_EQ(off_chip(type, n) % kernels::batch_packed_columns, 0);
  EXPECT_GT(off_chip(Type::d, 256), 0);
  EXPECT_LT(off_chip(Type::d, 256), 64);
  EXPECT_LT(off_chip(Type::z, 256), 116);
  // Two rows of a lane at a time where global memory has half of the columns.
  EXPECT_EQ(kernels::batch_packed_rows(257, off_chip(Type::z, 257)), 1);
  EXPECT_EQ(kernels::batch_packed_rows(300, off_chip(Type::z, 300)), 2);
  EXPECT_EQ(kernels::batch_packed_rows(300, off_chip(Type::d, 300)), 1);
  EXPECT_EQ(kernels::batch_packed_rows(512, off_chip(Type::c, 512)), 2);
}

TEST(DeviceBatchPlan, KeepsMatricesInRegisters) {
  DeviceTraits traits = h200_traits();
  for (const Type type : types)
    for (const std::int64_t n : {33, 128, 129, 256, 257, 512}) {
      const lapack::BatchPlan plan = batch_plan_of(problem_of(type, n, 9), traits);
      EXPECT_EQ(plan.held, n <= (type == Type::s ? 512 : type == Type::z ? 208 : 288)) << n;
      EXPECT_TRUE(!plan.held || plan.off_chip == 0);
    }
  traits.arch = 80;  // has no clusters
  EXPECT_FALSE(batch_plan_of(problem_of(Type::s, 400, 9), traits).held);
  EXPECT_TRUE(batch_plan_of(problem_of(Type::s, 256, 9), traits).held);
}

TEST(DeviceBatchPlan, BisectsFrom17RowsOn) {
  for (const Type type : types) {
    EXPECT_EQ(batch_plan_of(problem_of(type, 16, 9, Job::values)).lanes, 16);
    EXPECT_EQ(batch_plan_of(problem_of(type, 17, 9, Job::values)).lanes, 0);
    EXPECT_EQ(batch_plan_of(problem_of(type, 17, 9)).lanes, 32);
    DeviceTraits few_registers = h200_traits();
    few_registers.registers_per_sm = 0;
    EXPECT_EQ(batch_plan_of(problem_of(type, 17, 9, Job::values), few_registers).lanes, 32);
  }
}

TEST(DeviceBatchPlan, IsExplained) {
  const auto has = [](const std::string& text, const char* part) {
    EXPECT_NE(text.find(part), std::string::npos) << part << " in " << text;
  };
  has(explain(batch_plan_of(problem_of(Type::z, 8, 1000))), "zheevdStridedBatched n = 8 of 1000 matrices on cuda");
  has(explain(batch_plan_of(problem_of(Type::z, 8, 1000))), "4 matrices in a warp");
  has(explain(batch_plan_of(problem_of(Type::d, 64, 1000))), "4 leaves of 16 rows, 2 levels of merges");
  has(explain(batch_plan_of(problem_of(Type::d, 64, 1000, Job::values))), "bisection");
  has(explain(batch_plan_of(problem_of(Type::d, 512, 1000))), "matrices at a time");
}

TEST(DeviceBatchPlan, NamesASizeThatIsTooLarge) {
  lapack::BatchPlan plan;
  const Status status = lapack::make_plan(problem_of(Type::d, 513, 2), h200_traits(), &plan);
  EXPECT_EQ(status.code, ONEPASS_STATUS_TOO_LARGE);
  EXPECT_EQ(status.text,
            "n = 513: matrices of a batch have at most 512 rows on cuda; syevd solves larger ones one by one");
}

}  // namespace
}  // namespace onepass::test
