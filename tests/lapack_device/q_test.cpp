// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Q of each reduction by the steps of a device, on the simulator: the same as by the reference, in blocks and groups so
// small that few reflectors make several.
#include "lapack/gpu/reductions/q.hpp"

#include "on_sim.hpp"
#include "q_cases.hpp"

namespace onepass::test {
namespace {

lapack::QBlocking& blocking() {
  thread_local lapack::QBlocking instance;
  return instance;
}

lapack::QPlan q_plan(const LapackProblem& problem, const DeviceTraits& traits, lapack::QBlocking with = {}) {
  lapack::QPlan plan;
  const Status status = lapack::make_plan(problem, traits, &plan, with);
  EXPECT_TRUE(status.ok()) << status.text;
  return plan;
}
lapack::QPlan q_plan(const LapackProblem& problem) {
  DeviceTraits traits = h200_traits();
  traits.sm_count = 1;  // fewer blocks than a launch has columns
  return q_plan(problem, traits, blocking());
}

LapackBackend simulated(lapack::QBlocking with) {
  blocking() = with;
  return {
      .id = BackendId::sim,
      .plan = [](const LapackProblem& problem,
                 int) { return LapackPlan{.problem = problem, .workspace_bytes = q_plan(problem).workspace_bytes}; },
      .run = [](const LapackPlan& plan, const LapackOperands& operands,
                void* workspace) { return run_on_sim(q_plan(plan.problem), operands, workspace); }};
}

constexpr lapack::QBlocking narrow = {.part = 3, .blocks = 2}, one_by_one = {.part = 4, .blocks = 1},
                            in_parts = {.part = 2, .blocks = 4, .many = 2};
// Around blocks and groups of both.
constexpr std::int64_t q_orders[] = {0, 1, 2, 3, 4, 5, 7, 8, 14}, some_orders[] = {1, 4, 7, 11}, others[] = {1, 6};

template <class T>
class DeviceQ : public testing::Test {
 protected:
  void expect_like_reference(const std::vector<QCase>& cases) {
    for (const lapack::QBlocking& with : {narrow, one_by_one, in_parts})
      test::expect_like_reference<T>(simulated(with), cases);
  }
};
TYPED_TEST_SUITE(DeviceQ, Types);

TYPED_TEST(DeviceQ, OfSytrdIsGenerated) { this->expect_like_reference(orgtr_cases(q_orders)); }

TYPED_TEST(DeviceQ, OfSytrdIsApplied) { this->expect_like_reference(ormtr_cases(q_orders, others)); }

TYPED_TEST(DeviceQ, OfGebrdIsGenerated) { this->expect_like_reference(orgbr_cases(q_orders)); }

TYPED_TEST(DeviceQ, OfGebrdIsApplied) { this->expect_like_reference(ormbr_cases(some_orders, others)); }

TYPED_TEST(DeviceQ, OfGehrdIsGeneratedAndApplied) {
  this->expect_like_reference(hessenberg_cases(some_orders, others));
}

TYPED_TEST(DeviceQ, OfGeqrfIsGeneratedAndApplied) { this->expect_like_reference(qr_cases(some_orders, others)); }

// With the widths of a device, around one block and one group.
TYPED_TEST(DeviceQ, InFullBlocks) {
  constexpr std::int64_t full[] = {65, 132}, one_more[] = {66}, other[] = {5};
  const LapackBackend backend = simulated({.part = 64, .blocks = 2});
  expect_like_reference<TypeParam>(backend, orgtr_cases(full));
  for (const QCase& each : ormbr_cases(one_more, other))
    if (each.problem.k == each.problem.m || each.problem.k == each.problem.n)
      expect_like_reference<TypeParam>(backend, each);
}

TEST(DeviceQPlan, TakesTwoProductsForEachBlockAndTwoForEachGroup) {
  blocking() = {.part = 4, .blocks = 3};
  const LapackProblem problem = {.routine = LapackRoutine::ormtr, .m = 30, .n = 5, .lda = 30, .ldc = 30};
  const lapack::QPlan plan = q_plan(problem);  // 29 reflectors: 8 blocks in 3 groups
  std::vector<double> a(30 * 30), tau(29), c(30 * 5);
  std::vector<std::byte> workspace(plan.workspace_bytes);
  lapack::SimQueue queue;
  ASSERT_TRUE(lapack::run(plan, {.a = a.data(), .tau = tau.data(), .c = c.data()}, workspace.data(), queue).ok());
  EXPECT_EQ(queue.launches, 2 * 3);
  EXPECT_EQ(queue.products, 2 * 3 + 2 * 8);
}

TEST(DeviceQPlan, HasNoWorkspaceWhereThereIsNothingToDo) {
  for (const LapackProblem& problem :
       {LapackProblem{.routine = LapackRoutine::orgtr, .n = 1}, LapackProblem{.routine = LapackRoutine::ormtr, .m = 7},
        LapackProblem{.routine = LapackRoutine::orgbr, .m = 5, .n = 5}})
    EXPECT_EQ(q_plan(problem, h200_traits()).workspace_bytes, 0u);
}

// cuBLAS would be given the lowest 32 bits of it.
TEST(DeviceQPlan, NamesASizeThatDoesNotFitCublas) {
  lapack::QPlan plan;
  const LapackProblem problem = {
      .routine = LapackRoutine::ormtr, .m = 7, .n = 5, .lda = std::int64_t{1} << 31, .ldc = 7};
  const Status status = lapack::make_plan(problem, h200_traits(), &plan);
  EXPECT_EQ(status.code, ONEPASS_STATUS_TOO_LARGE);
  EXPECT_NE(status.text.find("lda = 2147483648: at most 2147483647"), std::string::npos) << status.text;
}

// T of a block is made in shared memory.
TEST(DeviceQPlan, HasNarrowerBlocksOnADeviceWithLessSharedMemory) {
  const LapackProblem problem = {
      .routine = LapackRoutine::ormtr, .type = Type::z, .m = 500, .n = 500, .lda = 500, .ldc = 500};
  DeviceTraits traits = h200_traits();
  EXPECT_EQ(q_plan(problem, traits).width, 80);
  EXPECT_EQ(q_plan({.routine = LapackRoutine::orgtr, .type = Type::d, .n = 500, .lda = 500}, traits).width, 112);
  EXPECT_EQ(q_plan({.routine = LapackRoutine::orgtr, .type = Type::s, .n = 500, .lda = 500}, traits).width, 128);
  EXPECT_EQ(q_plan({.routine = LapackRoutine::orgtr, .type = Type::d, .n = 4096, .lda = 4096}, traits).width, 224);
  traits.shared_bytes_per_sm = 100 << 10;
  EXPECT_EQ(q_plan(problem, traits).width, 48);
  EXPECT_EQ(q_plan({.routine = LapackRoutine::orgtr, .type = Type::d, .n = 500, .lda = 500}, traits).width, 64);
}

// Terms of a product in parts: all of them once, and what is summed before is not lost.
TEST(ProductInParts, HasEachTermOnce) {
  const double data[1] = {};
  for (const Op op : {Op::n, Op::c})
    for (const auto& [terms, parts] : {std::pair{1, 1}, {319, 1}, {320, 2}, {1279, 7}, {1280, 8}, {5001, 8}}) {
      std::int64_t term = 0;
      int products = 0;
      const lapack::Product product = {
          .m = 1, .n = 1, .k = terms, .a = {.op = op, .data = data, .ld = 3}, .b = {.op = op, .data = data, .ld = 7}};
      const auto offset = [&](const void* at) { return static_cast<const double*>(at) - data; };
      const auto seen = [&](const lapack::Product& p) {
        for (std::int64_t l = 0; l < p.k; ++l, ++term) {
          EXPECT_EQ(offset(p.a.data) + (op == Op::n ? l * p.a.ld : l), op == Op::n ? term * p.a.ld : term);
          EXPECT_EQ(offset(p.b.data) + (op == Op::n ? l : l * p.b.ld), op == Op::n ? term : term * p.b.ld);
        }
        EXPECT_EQ(p.beta, term == p.k ? 0 : 1);
        ++products;
        return Status{};
      };
      EXPECT_TRUE(multiply_in_parts(product, sizeof(double), seen).ok());
      EXPECT_EQ(term, terms);
      EXPECT_EQ(products, parts);
    }
}

}  // namespace
}  // namespace onepass::test
