// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How the cpu backend shares a product among threads.
#include "backends/cpu/plan.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

#include "backends/cpu/team.hpp"

namespace onepass {
namespace {

Problem square(std::int64_t n) { return {.m = n, .n = n, .lda = n}; }

TEST(CpuPlan, SmallProductsStayOnOneThread) {
  EXPECT_EQ(cpu::plan_gemv(square(255), 8).threads, 1);
  EXPECT_EQ(cpu::plan_gemv(square(257), 8).threads, 2);
  EXPECT_EQ(cpu::plan_gemv(square(4096), 8).threads, 8);
}

TEST(CpuPlan, ThreadsShareColumns) {
  const Plan n = cpu::plan_gemv(square(1024), 4);
  EXPECT_EQ(n.kernel.variant, Variant::cpu_n);
  EXPECT_EQ(cpu::host(n).splits, 4);
  Problem transposed = square(1024);
  transposed.op = Op::t;
  const Plan t = cpu::plan_gemv(transposed, 4);
  EXPECT_EQ(t.kernel.variant, Variant::cpu_t);
  EXPECT_EQ(cpu::host(t).tiles, 4);
}

TEST(CpuPlan, ThreadsShareRowsOfTallMatrices) {
  const Plan n = cpu::plan_gemv({.m = 1000000, .n = 10, .lda = 1000000}, 4);
  EXPECT_EQ(cpu::host(n).tiles, 4);
  EXPECT_EQ(cpu::host(n).splits, 1);
}

TEST(CpuPlan, ThreadsTakeWholeProductsOfABatch) {
  Problem p = square(64);
  p.batch = 100;
  const Plan plan = cpu::plan_gemv(p, 4);
  EXPECT_EQ(plan.threads, 4);
  EXPECT_TRUE(cpu::shares_batch(plan));
}

TEST(CpuPlan, WorkspaceStaysUnderEightMebibytes) {
  for (const std::int64_t m : {100, 10000, 3000000})
    for (const std::int64_t n : {100, 10000, 3000000})
      for (const Op op : {Op::n, Op::t})
        for (const std::int64_t batch : {1, 1000})
          for (const int threads : {1, 7, 256}) {
            const Problem p = {.type_a = Type::h,
                               .type_x = Type::h,
                               .type_y = Type::h,
                               .op = op,
                               .m = m,
                               .n = n,
                               .lda = m,
                               .incx = 2,
                               .incy = -3,
                               .batch = batch};
            EXPECT_LE(cpu::plan_gemv(p, threads).workspace_bytes, 8u << 20) << m << "x" << n;
          }
}

Problem triangle(std::int64_t n, Uplo uplo = Uplo::lower) {
  return {.routine = Routine::symv, .uplo = uplo, .m = n, .n = n, .lda = n};
}

TEST(CpuPlan, SmallTrianglesStayOnOneThread) {
  EXPECT_EQ(cpu::plan_symv(triangle(360), 8).threads, 1);
  EXPECT_EQ(cpu::plan_symv(triangle(370), 8).threads, 2);
  EXPECT_EQ(cpu::plan_symv(triangle(4096), 8).threads, 8);
}

TEST(CpuPlan, ThreadsShareTheElementsOfATriangle) {
  for (const Uplo uplo : {Uplo::lower, Uplo::upper})
    for (const std::int64_t n : {400, 1001, 5000})
      for (const int threads : {1, 2, 3, 7}) {
        const Plan plan = cpu::plan_symv(triangle(n, uplo), threads);
        EXPECT_EQ(plan.kernel.variant, Variant::cpu_symv);
        std::int64_t next = 0;
        for (std::int64_t part = 0; part < cpu::host(plan).splits; ++part) {
          const cpu::Range columns = cpu::columns_of(plan, part);
          EXPECT_EQ(columns.begin, next);
          next = columns.end;
          double elements = 0;
          for (std::int64_t c = columns.begin; c < columns.end; ++c)
            elements += static_cast<double>(uplo == Uplo::lower ? n - c : c + 1);
          const double share = 0.5 * static_cast<double>(n * (n + 1)) / static_cast<double>(cpu::host(plan).splits);
          EXPECT_NEAR(elements, share, 17.0 * static_cast<double>(n)) << n << " part " << part;
        }
        EXPECT_EQ(next, n);
      }
}

// Half of a terabyte: its vectors do not fit, and nobody will run it here.
TEST(CpuPlan, VectorsLargerThanTheScratchMemoryGoWithoutIt) {
  Problem p = triangle(3'000'000);
  EXPECT_EQ(cpu::plan_symv(p, 8).kernel.variant, Variant::cpu_symv);
  EXPECT_EQ(cpu::plan_symv(p, 8).threads, 1);
  p.incx = 2;
  EXPECT_EQ(cpu::plan_symv(p, 8).kernel.variant, Variant::cpu_loops);
  for (const std::int64_t n : {100, 10'000, 400'000, 3'000'000})
    for (const int threads : {1, 7, 256}) {
      p = triangle(n);
      p.incx = -2, p.incy = 2, p.batch = 3;
      EXPECT_LE(cpu::plan_symv(p, threads).workspace_bytes, 8u << 20) << n;
    }
}

// Every kind of plan: threads that share columns, rows, products of a batch, or a triangle.
std::vector<Plan> plans_of_all_kinds() {
  std::vector<Plan> plans;
  for (const int threads : {1, 2, 7, 16, 300})
    for (const std::int64_t batch : {1, 3, 100})
      for (const std::int64_t inc : {1, 2}) {
        for (const auto& [m, n] : {std::pair{1000, 1000}, {1000, 255}, {20, 20}, {300'000, 10}, {10, 300'000}})
          for (const Op op : {Op::n, Op::t}) {
            const Type z = Type::z;
            plans.push_back(cpu::plan_gemv({.type_a = z,
                                            .type_x = z,
                                            .type_y = z,
                                            .op = op,
                                            .m = m,
                                            .n = n,
                                            .lda = m,
                                            .incx = inc,
                                            .incy = inc,
                                            .batch = batch,
                                            .stride_a = m * n,
                                            .stride_x = 2 * 300'000,
                                            .stride_y = 2 * 300'000},
                                           threads));
          }
        for (const std::int64_t n : {20, 500, 3'000'000}) {
          Problem p = triangle(n);
          p.incx = inc, p.incy = inc, p.batch = batch;
          p.stride_a = n * n, p.stride_x = 2 * n, p.stride_y = 2 * n;
          plans.push_back(cpu::plan_symv(p, threads));
        }
      }
  return plans;
}

TEST(CpuPlan, PlansAreLegal) {
  for (const Plan& plan : plans_of_all_kinds()) EXPECT_EQ(cpu::why_illegal(plan), "") << print(plan);
}

HostParams& edit(Plan& plan) { return params<HostParams>(plan); }

TEST(CpuPlan, EditedPlansAreNot) {
  for (const Plan& plan : plans_of_all_kinds()) {
    const auto expect_illegal = [&](auto edit) {
      Plan edited = plan;
      edit(edited);
      EXPECT_NE(cpu::why_illegal(edited), "") << print(edited);
    };
    expect_illegal([](Plan& p) { p.threads = 0; });
    expect_illegal([](Plan& p) { p.threads = 5000; });
    expect_illegal([](Plan& p) { edit(p).tiles = 0; });
    expect_illegal([](Plan& p) { edit(p).splits = 0; });
    expect_illegal([](Plan& p) { edit(p).splits += 64; });
    expect_illegal([](Plan& p) { edit(p).tiles += 64; });
    expect_illegal([](Plan& p) { p.workspace_bytes += 1; });
    expect_illegal([](Plan& p) { p.params = NoParams{}; });
    expect_illegal([](Plan& p) { p.params = GemvParams{}; });
    expect_illegal([](Plan& p) { p.kernel.form = Form::plain; });
    expect_illegal([](Plan& p) { p.kernel.loads = Loads::few; });
    expect_illegal([](Plan& p) { p.shared_bytes = 64; });
    expect_illegal([](Plan& p) { p.backend = BackendId::sim; });
    expect_illegal([](Plan& p) {
      Variant& variant = p.kernel.variant;
      variant = variant == Variant::cpu_n ? Variant::cpu_t : Variant::cpu_n;
    });
  }
}

// More threads than a product has work for would leave some a sum without terms.
TEST(CpuPlan, MorePartsThanWorkAreIllegal) {
  Plan plan = cpu::plan_gemv({.m = 100'000, .n = 3, .lda = 100'000}, 2);
  ASSERT_EQ(cpu::host(plan).tiles, 2);
  edit(plan) = {.tiles = 1, .splits = 4}, plan.threads = 4;
  plan.workspace_bytes = cpu::scratch(plan).team_bytes;
  EXPECT_NE(cpu::why_illegal(plan), "") << print(plan);
}

TEST(CpuPlan, TrianglesHaveNoTiles) {
  Plan plan = cpu::plan_symv(triangle(1000), 2);
  ASSERT_EQ(cpu::host(plan).splits, 2);
  std::swap(edit(plan).tiles, edit(plan).splits);
  plan.workspace_bytes = cpu::scratch(plan).team_bytes;
  EXPECT_NE(cpu::why_illegal(plan), "") << print(plan);
}

TEST(CpuTeam, SharesCoverARangeOnce) {
  for (const std::int64_t count : {0, 1, 15, 16, 17, 1000})
    for (const std::int64_t parts : {1, 2, 3, 40})
      for (const std::int64_t grain : {1, 16}) {
        std::int64_t next = 0;
        for (std::int64_t part = 0; part < parts; ++part) {
          const cpu::Range range = cpu::share(count, parts, part, grain);
          EXPECT_EQ(range.begin, next);
          EXPECT_LE(range.begin, range.end);
          next = range.end;
        }
        EXPECT_EQ(next, count);
      }
}

}  // namespace
}  // namespace onepass
