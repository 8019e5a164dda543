// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Singular value decompositions by the steps of a device, on the simulator; the kernel that exchanges two matrices; and
// the memory that a plan takes.
#include "lapack/gpu/solvers/gesvd.hpp"

#include "on_sim.hpp"
#include "orders.hpp"
#include "support/thorough.hpp"
#include "svd.hpp"

namespace onepass::test {
namespace {

lapack::GesvdPlan gesvd_plan(const LapackProblem& problem, const DeviceTraits& traits = h200_traits()) {
  lapack::GesvdPlan plan;
  const Status status = lapack::make_plan(problem, traits, &plan);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}

// By plans of few blocks.
lapack::GesvdPlan small_plan(const LapackProblem& problem) {
  DeviceTraits traits = h200_traits();
  traits.sm_count = 3;
  return gesvd_plan(problem, traits);
}

LapackBackend simulated_gesvd() { return by_plan<lapack::GesvdPlan>(small_plan); }

template <class T>
class DeviceGesvd : public testing::Test {};
TYPED_TEST_SUITE(DeviceGesvd, Types);

TYPED_TEST(DeviceGesvd, HasSmallResiduals) {
  for (const std::int64_t n : {0, 1, 3})
    for (const std::int64_t more : {0, 1})
      expect_small_svd_residuals<TypeParam>(simulated_gesvd(), n + more, n, verify::Pattern::random);
  // R of A or of A^H is reduced.
  expect_small_svd_residuals<TypeParam>(simulated_gesvd(), 15, 9, verify::Pattern::random);
  if (!thorough) return;
  expect_small_svd_residuals<TypeParam>(simulated_gesvd(), 9, 2, verify::Pattern::random);
  expect_small_svd_residuals<TypeParam>(simulated_gesvd(), 11, 9, verify::Pattern::random);
}

TYPED_TEST(DeviceGesvd, HasSmallResidualsForEveryPattern) {
  Svd<TypeParam>(simulated_gesvd(), 5, 6, 0, verify::Pattern::tiny).expect_small_residuals();
  if (!thorough) return;
  Svd<TypeParam>(simulated_gesvd(), 6, 5, 0, verify::Pattern::huge).expect_small_residuals();
  for (const verify::Pattern pattern : {verify::Pattern::clustered, verify::Pattern::graded, verify::Pattern::zero})
    Svd<TypeParam>(simulated_gesvd(), 9, 9, 1, pattern).expect_small_residuals();
}

TYPED_TEST(DeviceGesvd, SaysThatAMatrixIsNotFinite) {
  for (const verify::Pattern pattern : verify::other_patterns) {
    Svd<TypeParam>(simulated_gesvd(), 4, 3, 1, pattern).expect_failure();
    Svd<TypeParam>(simulated_gesvd(), 3, 6, 1, pattern).expect_failure();
  }
}

template <class T>
class ExchangeKernel : public testing::Test {};
TYPED_TEST_SUITE(ExchangeKernel, Types);

TYPED_TEST(ExchangeKernel, WritesEveryElementAndNothingElse) {
  using T = TypeParam;
  for (const sim::SimOptions& order : orders())
    for (const std::int64_t n : {1, 31, 32, 33, 70}) {
      sim::options() = order;
      const std::int64_t lda = n + 2, ldb = n + 1;
      std::vector<T> a(static_cast<std::size_t>(lda * n)), b(static_cast<std::size_t>(ldb * n));
      for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<lapack::Real<T>>(i) + 1;
      for (std::size_t i = 0; i < b.size(); ++i) b[i] = -static_cast<lapack::Real<T>>(i) - 1;
      const std::vector<T> a_before = a, b_before = b;
      const kernels::ExchangeArgs args = {.a = a.data(), .lda = lda, .b = b.data(), .ldb = ldb, .n = n};
      lapack::SimQueue queue;
      const Status status = queue.launch<lapack::Step::exchange>(
          {.type = type_of<T>, .blocks = 3, .shared_bytes = kernels::exchange_shared_bytes(sizeof(T))}, args);
      ASSERT_TRUE(status.ok()) << status.text;
      const auto at = [](const std::vector<T>& x, std::int64_t ld, std::int64_t r, std::int64_t c) {
        return x[static_cast<std::size_t>(r + c * ld)];
      };
      for (std::int64_t j = 0; j < n; ++j) {
        for (std::int64_t i = 0; i < lda; ++i)
          ASSERT_EQ(at(a, lda, i, j), i < n ? at(b_before, ldb, j, i) : at(a_before, lda, i, j)) << i << ", " << j;
        for (std::int64_t i = 0; i < ldb; ++i)
          ASSERT_EQ(at(b, ldb, i, j), i < n ? at(a_before, lda, j, i) : at(b_before, ldb, i, j)) << i << ", " << j;
      }
    }
  sim::options() = {};
}

constexpr Type svd_types[] = {Type::s, Type::d, Type::c, Type::z};

LapackProblem svd_problem(Type type, std::int64_t m, std::int64_t n, Job job) {
  return {.routine = LapackRoutine::gesvd, .type = type, .m = m, .n = n, .lda = m, .job = job, .ldu = m, .ldvt = n};
}

// Beside A, U and V^H, and beside what cuBLAS is given.
TEST(DeviceGesvdPlan, TakesLittleMemory) {
  for (const Type type : svd_types)
    for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{512, 512},
                               {513, 513},
                               {1000, 767},
                               {1025, 1025},
                               {767, 2000},
                               {4096, 1024},
                               {4097, 4097},
                               {1600, 1000},
                               {1000, 1600},
                               {1000, 20000},
                               {16384, 16384}})
      for (const Job job : {Job::values, Job::vectors, Job::all}) {
        if (std::min(m, n) > lapack::bidiagonal_most_rows(type)) continue;
        if (job == Job::all && m != n) continue;  // there U or V^H is larger than A
        const LapackProblem p = svd_problem(type, m, n, job);
        const auto whole = static_cast<double>(m * n * size_of(type));
        const double bytes =
            static_cast<double>(gesvd_plan(p).workspace_bytes) - static_cast<double>(lapack::product_workspace_bytes);
        EXPECT_LE(bytes / whole, job == Job::values ? 1.5 : 2.5) << lapack_name(p) << " " << m << "x" << n;
      }
}

TEST(DeviceGesvdPlan, IsExplained) {
  const std::string vectors = explain(gesvd_plan(svd_problem(Type::z, 3000, 2500, Job::vectors)));
  for (const char* part : {"zgesvd m = 3000, n = 2500 on cuda, singular values and vectors", "m n elements", "zgebrd",
                           "zunmbr", "divide and conquer"})
    EXPECT_NE(vectors.find(part), std::string::npos) << part << " in " << vectors;
  const std::string tall = explain(gesvd_plan(svd_problem(Type::c, 30000, 500, Job::vectors)));
  for (const char* part : {"cgeqrf", "cgebrd", "cunmqr"}) EXPECT_NE(tall.find(part), std::string::npos) << tall;
  const std::string values = explain(gesvd_plan(svd_problem(Type::d, 30, 40, Job::values)));
  EXPECT_NE(values.find("bisection"), std::string::npos) << values;
}

TEST(DeviceGesvdPlan, NamesASizeThatIsTooLarge) {
  lapack::GesvdPlan plan;
  const Status status = lapack::make_plan(svd_problem(Type::d, 70000, 70000, Job::vectors), h200_traits(), &plan);
  EXPECT_EQ(status.code, ONEPASS_STATUS_TOO_LARGE);
  EXPECT_NE(status.text.find("70000"), std::string::npos) << status.text;
}

}  // namespace
}  // namespace onepass::test
