// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What only the cpu backend has: panels of long vectors, and teams smaller than planned.
#include "backends/cpu/run.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <vector>

#include "backends/cpu/plan.hpp"
#include "backends/registry.hpp"
#include "support/compare.hpp"
#include "support/family/cases.hpp"

namespace onepass {
namespace {

// Small whole numbers: every order of summation gives the same, exact result.
std::vector<float> numbers(std::int64_t count, int period) {
  std::vector<float> v(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < v.size(); ++i)
    v[i] = static_cast<float>(static_cast<int>(i % static_cast<std::size_t>(period)) - 2);
  return v;
}

std::vector<float> run(const Backend& backend, const Plan& plan, const std::vector<float>& a,
                       const std::vector<float>& x, std::vector<float> y) {
  const float alpha = 2, beta = 3;
  void* workspace = nullptr;
  EXPECT_TRUE(backend.allocate(plan.workspace_bytes, &workspace).ok());
  const Operands operands = {.alpha = &alpha, .a = a.data(), .x = x.data(), .beta = &beta, .y = y.data()};
  EXPECT_TRUE(backend.launch(plan, operands, {workspace, plan.workspace_bytes}, nullptr).ok());
  backend.release(workspace);
  return y;
}

void expect_like_reference(const Problem& p, int threads) {
  const std::vector<float> a = numbers(p.lda * p.n, 7);
  const std::vector<float> x = numbers(1 + (length_x(p) - 1) * std::abs(p.incx), 5);
  const std::vector<float> y = numbers(1 + (length_y(p) - 1) * std::abs(p.incy), 3);
  const std::vector<float> wanted = run(reference_backend(), reference_backend().plan(p, 0), a, x, y);
  EXPECT_EQ(run(cpu_backend(), cpu_backend().plan(p, threads), a, x, y), wanted);
}

TEST(CpuRun, PacksLongVectorsInPanels) {
  const Problem p = {.op = Op::t, .m = 1300000, .n = 3, .lda = 1300000, .incx = 2};
  ASSERT_LT(cpu::scratch(cpu_backend().plan(p, 1)).panel_terms, p.m);
  expect_like_reference(p, 1);
  expect_like_reference(p, 3);
}

TEST(CpuRun, SumsLongResultsInPanels) {
  const Problem p = {.m = 1300000, .n = 3, .lda = 1300000, .incy = -2};
  ASSERT_LT(cpu::scratch(cpu_backend().plan(p, 1)).panel_outputs, p.m);
  expect_like_reference(p, 1);
  expect_like_reference(p, 3);
}

TEST(CpuRun, CombinesSplits) {
  const Problem p = {.m = 40000, .n = 200, .lda = 40000, .incy = 2};
  ASSERT_GT(cpu::host(cpu_backend().plan(p, 6)).splits, 1);
  expect_like_reference(p, 6);
}

// What run_at_once made of y, or nothing.
std::vector<float> run_at_once(const Problem& p, float alpha = 2) {
  const std::vector<float> a = numbers(p.lda * p.n, 7), x = numbers(2 * length_x(p), 5);
  std::vector<float> y = numbers(2 * length_y(p), 3);
  const float beta = 3;
  const Operands operands = {.alpha = &alpha, .a = a.data(), .x = x.data(), .beta = &beta, .y = y.data()};
  if (!cpu::run_at_once(p, operands)) return {};
  return y;
}

TEST(CpuRun, SmallProductsNeedNoPlan) {
  const Problem small = {.m = 37, .n = 23, .lda = 40};
  Problem transposed = small;
  transposed.op = Op::t;
  const Problem triangle = {.routine = Routine::symv, .m = 37, .n = 37, .lda = 40};
  for (const Problem& p : {small, transposed, triangle}) {
    const std::vector<float> a = numbers(p.lda * p.n, 7), x = numbers(2 * length_x(p), 5);
    const std::vector<float> y = numbers(2 * length_y(p), 3);
    EXPECT_EQ(run_at_once(p), run(cpu_backend(), cpu_backend().plan(p, 1), a, x, y));
  }
}

TEST(CpuRun, OthersWaitForAPlan) {
  const Problem large = {.m = 400, .n = 400, .lda = 400}, gaps = {.m = 37, .n = 23, .lda = 37, .incy = 2},
                canonical = {.m = 37, .n = 23, .lda = 37, .order = Order::canonical};
  for (const Problem& p : {large, gaps, canonical}) EXPECT_TRUE(run_at_once(p).empty());
  EXPECT_TRUE(run_at_once({.m = 37, .n = 23, .lda = 37}, 0).empty());
}

// The way of vectors that are too long for scratch memory, on shorter ones.
TEST(CpuRun, LoopsComputeTriangles) {
  for (const test::GroupedCase& g : test::small_cases()) {
    const auto plan = [](const Problem& p) {
      return Plan{
          .problem = p, .backend = BackendId::cpu, .kernel = {.variant = Variant::cpu_loops}, .params = HostParams{}};
    };
    EXPECT_TRUE(test::agrees_with_reference(cpu_backend(), g.c, {.plan = plan})) << g.c.name;
  }
}

#ifdef _OPENMP
// Inside a parallel region OpenMP grants one thread, however many the plan has.
TEST(CpuRun, FewerThreadsThanPlannedGiveTheSameBits) {
  const Problem rectangle = {.m = 700, .n = 900, .lda = 700};
  const Problem triangle = {.routine = Routine::symv, .m = 800, .n = 800, .lda = 800};
  for (const Problem& p : {rectangle, triangle}) {
    std::vector<float> a = numbers(p.lda * p.n, 7), x = numbers(p.n, 5), y = numbers(p.m, 3);
    for (std::size_t i = 0; i < a.size(); ++i) a[i] /= static_cast<float>(1 + i % 11);
    const Plan plan = cpu_backend().plan(p, 4);
    ASSERT_EQ(plan.threads, 4);
    const std::vector<float> wanted = run(cpu_backend(), plan, a, x, y);
    std::vector<float> nested[2];
#pragma omp parallel num_threads(2)
    {
#pragma omp for
      for (int i = 0; i < 2; ++i) nested[i] = run(cpu_backend(), plan, a, x, y);
    }
    EXPECT_EQ(nested[0], wanted);
    EXPECT_EQ(nested[1], wanted);
  }
}
#endif

}  // namespace
}  // namespace onepass
