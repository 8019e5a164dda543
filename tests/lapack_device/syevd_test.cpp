// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Hermitian eigenproblems by the steps of a device, on the simulator; the kernel that makes a matrix complex; and the
// memory that a plan takes.
#include "lapack/gpu/solvers/syevd.hpp"

#include "eigenproblem.hpp"
#include "on_sim.hpp"
#include "orders.hpp"
#include "subset.hpp"

namespace onepass::test {
namespace {

lapack::SyevdPlan plan_of(const LapackProblem& problem, const DeviceTraits& traits = h200_traits()) {
  lapack::SyevdPlan plan;
  const Status status = lapack::make_plan(problem, traits, &plan);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

// By plans of few blocks.
lapack::SyevdPlan small_plan(const LapackProblem& problem) {
  DeviceTraits traits = h200_traits();
  traits.sm_count = 3;
  return plan_of(problem, traits);
}

LapackBackend simulated() { return by_plan<lapack::SyevdPlan>(small_plan); }

template <class T>
class DeviceSyevd : public testing::Test {};
TYPED_TEST_SUITE(DeviceSyevd, Types);

TYPED_TEST(DeviceSyevd, HasSmallResiduals) {
  for (const std::int64_t n : {0, 1, 2, 3, 8, 19})
    expect_small_eigen_residuals<TypeParam>(simulated(), n, verify::Pattern::random);
}

TYPED_TEST(DeviceSyevd, HasSmallResidualsForEveryPattern) {
  for (const verify::Pattern pattern : {verify::Pattern::graded, verify::Pattern::clustered, verify::Pattern::wilkinson,
                                        verify::Pattern::zero, verify::Pattern::identity, verify::Pattern::reduced})
    Eigenproblem<TypeParam>(simulated(), Uplo::lower, 9, 1, pattern).expect_small_residuals();
}

TYPED_TEST(DeviceSyevd, FindsSomeOfTheEigenvalues) {
  const LapackBackend device = simulated();
  SubsetOfEigenvalues<TypeParam> subset(device, Uplo::upper, 6);
  subset.expect_by_index(2, 4);
  subset.expect_by_value(2, 5);
}

TYPED_TEST(DeviceSyevd, SaysThatAMatrixIsNotFinite) {
  for (const verify::Pattern pattern : verify::other_patterns)
    Eigenproblem<TypeParam>(simulated(), Uplo::upper, 7, 1, pattern).expect_failure();
}

template <class T>
class WidenKernel : public testing::Test {};
using ComplexTypes = testing::Types<std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(WidenKernel, ComplexTypes);

TYPED_TEST(WidenKernel, WritesEveryElementAndNothingElse) {
  using R = lapack::Real<TypeParam>;
  for (const sim::SimOptions& order : orders())
    for (const std::int64_t rows : {1, 33, 300}) {
      sim::options() = order;
      const std::int64_t columns = 5, lda = rows + 2, ldb = rows + 1;
      std::vector<R> a(static_cast<std::size_t>(lda * columns));
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<R>(i) - R(7);
      const TypeParam untouched{77, 78};
      std::vector<TypeParam> b(static_cast<std::size_t>(ldb * columns), untouched);
      const kernels::MatrixCopy copy = {
          .a = a.data(), .lda = lda, .b = b.data(), .ldb = ldb, .rows = rows, .columns = columns};
      lapack::SimQueue queue;
      ASSERT_TRUE(queue.launch<lapack::Step::widen>({.type = type_of<TypeParam>, .blocks = 3}, copy).ok());
      for (std::int64_t j = 0; j < columns; ++j)
        for (std::int64_t i = 0; i < ldb; ++i)
          ASSERT_EQ(b[static_cast<std::size_t>(i + j * ldb)],
                    i < rows ? TypeParam(a[static_cast<std::size_t>(i + j * lda)]) : untouched);
    }
  sim::options() = {};
}

constexpr Type all_types[] = {Type::s, Type::d, Type::c, Type::z};

// Beside A, and beside what cuBLAS is given.
TEST(DeviceSyevdPlan, TakesLittleMemory) {
  for (const Type type : all_types)
    for (const std::int64_t n : {512, 513, 600, 767, 1000, 1025, 1537, 2049, 3000, 4097, 8193, 16384}) {
      const LapackProblem p = {.routine = LapackRoutine::syevd, .type = type, .n = n, .lda = n, .job = Job::vectors};
      const auto most = static_cast<double>(n * n * size_of(type));
      const double bytes =
          static_cast<double>(plan_of(p).workspace_bytes) - static_cast<double>(lapack::product_workspace_bytes);
      EXPECT_LE(bytes / most, 2.5) << lapack_name(p) << " " << n;
      LapackProblem values = p;
      values.job = Job::values;
      EXPECT_LE(plan_of(values).workspace_bytes, lapack::product_workspace_bytes + static_cast<std::size_t>(most)) << n;
    }
}

// V of complex types, and what Q is applied in, have the columns that are wanted.
TEST(DeviceSyevdPlan, TakesLessMemoryForFewerVectors) {
  for (const Type type : all_types) {
    LapackProblem p = {.routine = LapackRoutine::syevd, .type = type, .n = 2000, .lda = 2000, .job = Job::vectors};
    const std::size_t all = plan_of(p).workspace_bytes;
    p.wanted = Wanted::by_index;
    p.il = 11;
    p.iu = 110;
    const lapack::SyevdPlan plan = plan_of(p);
    EXPECT_EQ(plan.apply.problem.n, 100);
    EXPECT_LE(plan.workspace_bytes, all + 2000 * 8 + 256) << lapack_name(p);
    if (is_complex_type(type)) {
      EXPECT_LT(plan.workspace_bytes, all * 3 / 4) << lapack_name(p);
    }
  }
}

TEST(DeviceSyevdPlan, AppliesQInGroupsThatFit) {
  const auto blocks = [](std::int64_t n) {
    return plan_of({.routine = LapackRoutine::syevd, .n = n, .lda = n, .job = Job::vectors}).apply.blocks;
  };
  EXPECT_EQ(blocks(500), 5);
  EXPECT_LT(blocks(1024), 8);
  EXPECT_EQ(blocks(2048), 8);
}

TEST(DeviceSyevdPlan, IsExplained) {
  const std::string vectors =
      explain(plan_of({.routine = LapackRoutine::syevd, .type = Type::z, .n = 3000, .lda = 3000, .job = Job::vectors}));
  for (const char* part : {"zheevd n = 3000 on cuda, eigenvalues and eigenvectors", "n^2 elements", "zhetrd", "zunmtr",
                           "divide and conquer"})
    EXPECT_NE(vectors.find(part), std::string::npos) << part << " in " << vectors;
  LapackProblem some = {.routine = LapackRoutine::syevd, .n = 30, .lda = 30};
  EXPECT_NE(explain(plan_of(some)).find("bisection"), std::string::npos) << explain(plan_of(some));
  some.wanted = Wanted::by_index;
  some.il = 3;
  some.iu = 9;
  EXPECT_NE(explain(plan_of(some)).find("dsyevd n = 30 on cuda, eigenvalues 3 to 9, workspace"), std::string::npos);
  EXPECT_NE(explain(plan_of(some)).find("a warp for each of 7 eigenvalues"), std::string::npos);
}

TEST(DeviceSyevdPlan, NamesASizeThatIsTooLarge) {
  lapack::SyevdPlan plan;
  const LapackProblem p = {.routine = LapackRoutine::syevd, .n = 70000, .lda = 70000, .job = Job::vectors};
  const Status status = lapack::make_plan(p, h200_traits(), &plan);
  EXPECT_EQ(status.code, ONEPASS_STATUS_TOO_LARGE);
  EXPECT_NE(status.text.find("70000"), std::string::npos) << status.text;
}

}  // namespace
}  // namespace onepass::test
