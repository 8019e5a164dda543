// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The registry of kernels says what the compiler made of them, and plans know how many blocks an SM holds.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "backends/cuda/instances.hpp"
#include "backends/registry.hpp"
#include "kernels/ger/ger_args.hpp"
#include "launch/launch.hpp"
#include "plan/device_traits.hpp"
#include "plan/registry.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

class Registers : public testing::Test {
 protected:
  void SetUp() override {
    const std::string why = backend.why_unavailable();
    if (!why.empty()) GTEST_SKIP() << why;
    if (backend.traits().arch != 90)
      GTEST_SKIP() << "the table is that of sm_90, and this is " << backend.traits().arch;
  }

  // A plan whose kernel is that of the row, for elements of one type.
  static Plan plan_of(const KernelRow& row, ElementsId elements) {
    Plan plan{.problem = {}, .backend = BackendId::cuda, .kernel = row.id, .threads = 128};
    plan.problem.routine = std::ranges::find(routines, row.family, &RoutineRow::family)->routine;
    const CombinationRow& types = combination_of(elements);
    plan.problem.type_a = plan.problem.type_y = types.a;
    plan.problem.type_x = types.x;
    plan.problem.accumulate = types.accumulate;
    plan.problem.tails = types.tails ? Tails::x : Tails::none;
    return plan;
  }
  static cuda::Compiled inspect(const Plan& plan) {
    cuda::Compiled found;
    const Status status = by_instance(family(plan.problem), elements_of(plan.problem), [&]<class E, Family f>() {
      return cuda::Instances<E, f>::inspect(plan, &found);
    });
    EXPECT_TRUE(status.ok()) << status.text;
    return found;
  }
  static std::string describe(const Plan& plan) {
    return full_kind(plan.problem) + " " + name(plan.problem.accumulate) + " " + print(plan);
  }

  const Backend& backend = cuda_backend();
};

constexpr int most_threads(Family family) { return family == Family::ger ? kernels::ger_threads : 256; }

// The beginning of a line of the registry as C++.
std::string as_written(const KernelRow& row) {
  std::string text = std::string("{{") + name(row.id.variant) + ", " + name(row.id.form) + ", " + name(row.id.loads) +
                     "}, Family::" + name(row.family) + ", {";
  for (std::size_t i = 0; i < row.registers.size(); ++i)
    text += (i == 0 ? "" : ", ") + std::to_string(row.registers[i]);
  return text + "}";
}

TEST_F(Registers, AreThoseOfTheRegistry) {
  for (const KernelRow& row : kernel_rows) {
    KernelRow compiled = row;
    for (const ElementsId elements : all_ids) {
      if (!row.serves(elements)) continue;
      const cuda::Compiled found = inspect(plan_of(row, elements));
      compiled.registers[static_cast<std::size_t>(elements)] = static_cast<std::uint8_t>(found.registers);
    }
    EXPECT_EQ(compiled.registers, row.registers) << "the line of src/plan/registry.hpp should be\n"
                                                 << as_written(compiled);
  }
}

// Of blocks with a warp for each of an SM's four schedulers. The registers belong to those, a quarter each, so that an
// SM may hold one or two blocks less of smaller ones than resident_blocks says.
TEST_F(Registers, AndSharedMemoryGiveTheBlocksOfAnSm) {
  for (const KernelRow& row : kernel_rows)
    for (const ElementsId elements : all_ids) {
      if (!row.serves(elements)) continue;
      Plan plan = plan_of(row, elements);
      for (const int threads : {128, 256}) {
        if (threads > most_threads(row.family)) continue;
        for (const std::size_t shared : {0, 5120, 12'288, 40'960, 57'344, 98'304}) {
          plan.threads = threads;
          plan.shared_bytes = shared;
          EXPECT_EQ(inspect(plan).resident_blocks, resident_blocks(plan, backend.traits())) << describe(plan);
        }
      }
    }
}

// As the planner makes them.
TEST_F(Registers, OfPlansToo) {
  for (const Type type : all_types)
    for (const RoutineRow& row : routines)
      for (const std::int64_t n : {100, 600, 2000, 4096, 20'000}) {
        const Problem p{
            .routine = row.routine, .type_a = type, .type_x = type, .type_y = type, .m = n, .n = n, .lda = n};
        if (!check(p).ok()) continue;  // not offered
        const Plan plan = backend.plan(p, 0);
        const cuda::Compiled found = inspect(plan);
        EXPECT_EQ(found.registers, registers_of(plan)) << describe(plan);
        if (plan.threads < 128) continue;
        EXPECT_EQ(found.resident_blocks, resident_blocks(plan, backend.traits())) << describe(plan);
      }
}

}  // namespace
}  // namespace onepass
