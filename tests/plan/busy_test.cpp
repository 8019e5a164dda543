// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// No plan leaves the memory of a device idle: the blocks of a large product wait for enough bytes at a time, whatever
// its shape and alignment. Counted from the grid and the loads of the kernels, without the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <set>
#include <string>

#include "backends/sim/exec.hpp"
#include "launch/gemv.hpp"
#include "launch/ger.hpp"
#include "plan/choice.hpp"
#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"
#include "support/thorough.hpp"

namespace onepass {
namespace {

// Bytes for which a thread waits at a time.
int bytes_in_flight(const Plan& plan) {
  using namespace kernels;
  constexpr int vector = 16;
  const Loads loads = plan.kernel.loads;
  const auto size = static_cast<int>(size_of(plan.problem.type_a));
  const bool deep = gemv_t_small_is_deep(size, static_cast<int>(size_of_sum(plan.problem)));
  switch (plan.kernel.variant) {
    case Variant::gemv_n: return vector * gemv_n_in_flight(loads);
    case Variant::gemv_t:
    case Variant::gemv_t_once: return vector * gemv_t_bundle * gemv_t_in_flight(loads);
    case Variant::gemv_n_small: {
      const int rows = rows_of_small_lane(plan.problem, plan.threads / params<GemvParams>(plan).lanes);
      return size * rows * gemv_n_small_in_flight(loads, size, rows);
    }
    case Variant::gemv_t_small:
      return size * gemv_t_small_columns(loads, deep) * gemv_t_small_in_flight(loads, deep, size);
    case Variant::gemv_t_short: return vector * gemv_t_short_columns(loads) * gemv_t_short_vectors(loads);
    case Variant::gemv_t_tensor: return vector * gemv_t_tensor_columns(loads) * gemv_t_tensor_in_flight(loads);
    case Variant::gemv_flat: return vector * gemv_flat_vectors;
    default: return 0;
  }
}

double blocks_of(const Plan& plan) {
  if (const auto* p = std::get_if<SymvParams>(&plan.params)) return static_cast<double>(p->blocks * plan.problem.batch);
  if (const auto* p = std::get_if<SymvRowsParams>(&plan.params)) return static_cast<double>(p->blocks);
  if (const auto* p = std::get_if<SymvSquaresParams>(&plan.params))
    return static_cast<double>(p->blocks * plan.problem.batch);
  if (const auto* p = std::get_if<SymvSmallParams>(&plan.params)) return static_cast<double>(p->blocks);
  const Grid grid = family(plan.problem) == Family::ger ? ger_grid(plan) : gemv_grid(plan);
  return static_cast<double>(grid.x * grid.y * grid.z);
}

// Of all blocks that the device holds at once, for each SM.
double bytes_in_flight_of_sm(const Plan& plan, const DeviceTraits& traits) {
  const double blocks = std::min(blocks_of(plan), static_cast<double>(blocks_of_wave(plan, traits)));
  return blocks * plan.threads * bytes_in_flight(plan) / traits.sm_count;
}

using Random = std::mt19937_64;

std::int64_t below(Random& random, std::int64_t end) {
  return std::uniform_int_distribution<std::int64_t>(0, end - 1)(random);
}

// From `least` to `most`, as many between 1 and 2 as between 2 and 4.
double any_size(Random& random, double least, double most) {
  return std::exp(std::uniform_real_distribution<double>(std::log(least), std::log(most))(random));
}

std::int64_t multiple(std::int64_t value, std::int64_t of) { return (value + of - 1) / of * of; }

// 4 MB to 1 GB of any type and op: columns of any length, multiples of 1 to 32, with and without gaps, behind any
// pointer; some are a few products.
Problem any_problem(Random& random) {
  constexpr const char* types[] = {"s", "d", "c", "z", "h", "b"};
  constexpr Op ops[] = {Op::n, Op::t, Op::c};
  constexpr std::int64_t shortest = 16;
  Problem p{.op = ops[below(random, 3)]};
  set_types(p, types[below(random, 6)]);
  const std::int64_t batch = below(random, 16) == 0 ? 2 + below(random, 7) : 1;
  const double elements = any_size(random, 4e6, 1e9) / static_cast<double>(size_of(p.type_a) * batch);
  const std::int64_t unit = std::int64_t{1} << below(random, 6);
  p.m = multiple(std::llround(any_size(random, shortest, elements / shortest)), unit);
  p.n = multiple(std::llround(elements / static_cast<double>(p.m)), below(random, 2) == 0 ? 1 : unit);
  p.lda = p.m + (below(random, 3) == 0 ? below(random, 40) : 0);
  p.alignment_a = below(random, 2) == 0 ? 256 : std::max(size_of(p.type_a), std::int64_t{4} << below(random, 6));
  return batch == 1 ? p : test::batched(p, batch);
}

// Of any family.
Problem any_problem_of_all(Random& random) {
  Problem p = any_problem(random);
  if (below(random, 4) != 0) {
    if (p.type_a == p.type_y && size_of(p.type_a) > 2 && below(random, 6) == 0) p.accumulate = Accumulate::twice;
    return p;
  }
  const bool update = below(random, 2) == 0;
  if (size_of(p.type_a) == 2 && update) set_types(p, "s");
  p.routine = update ? Routine::ger : is_complex_type(p.type_a) ? Routine::hemv : Routine::symv;
  p.op = Op::n;
  if (update) return p;
  p.m = p.n = std::llround(std::sqrt(static_cast<double>(p.m) * static_cast<double>(p.n)));
  p.lda = p.n + below(random, 3);
  p.uplo = below(random, 2) == 0 ? Uplo::lower : Uplo::upper;
  return p.batch == 1 ? p : test::batched(p, p.batch);
}

// A trip to memory takes 0.6 to 0.8 us on an H200, in which the bus of 4.65 TB/s delivers 21 to 28 KB to each of the
// 132 SMs: a launch that waits for fewer has so much less of the bus while it runs alone.
constexpr double trip = 24e3;

// Above 16 MB that time is all
// that counts, so half of it is the limit. Below, the launch itself and the sums at its end take as long as the bus
// does, and launches were timed to be fastest that wait for less: a third.
TEST(EveryPlan, KeepsTheBusOfAnH200Busy) {
  constexpr int problems = test::sanitized ? 10'000 : 100'000;
  constexpr double large = 16e6;
  const DeviceTraits traits = h200_traits();
  Random random(1);
  int idle = 0;
  for (int i = 0; i < problems; ++i) {
    const Problem p = any_problem(random);
    const Plan plan = plan_on_device(p, traits, BackendId::cuda);
    if (bytes_in_flight_of_sm(plan, traits) >= trip / (cost(p).matrix_bytes > large ? 2 : 3)) continue;
    if (++idle <= 5) ADD_FAILURE() << describe(p) << ": " << print(plan);
  }
  EXPECT_EQ(idle, 0) << "of " << problems;
}

// Four fifths of the SMs have a block; or blocks of 256 threads and more, which have as many loads in flight as an SM
// needs, stand on a third. Of 860 products above 8 MB for which such launches were timed on an H200, 34 took .81 to .99
// of the time of the best with more blocks, on 64 SMs and more, and the model tells them apart within some hundredths.
TEST(EveryPlan, HasWorkForTheSmsOfAnH200) {
  constexpr int problems = test::sanitized ? 50'000 : 1'000'000;
  constexpr double large = 8e6;
  const DeviceTraits traits = h200_traits();
  Random random(2);
  std::set<Variant> seen;
  int idle = 0, greedy = 0;
  for (int i = 0; i < problems; ++i) {
    const Problem p = any_problem_of_all(random);
    const Plan plan = plan_on_device(p, traits, BackendId::cuda);
    seen.insert(plan.kernel.variant);
    if (family(p) == Family::gemv && p.batch == 1 && plan.workspace_bytes > first_workspace && ++greedy <= 5)
      ADD_FAILURE() << describe(p) << " allocates a larger workspace: " << print(plan);
    const double blocks = blocks_of(plan), least = plan.threads >= 256 ? 0.36 : 0.8;
    if (cost(p).matrix_bytes < large || blocks >= least * traits.sm_count) continue;
    if (++idle <= 5) ADD_FAILURE() << describe(p) << " on " << blocks << " blocks: " << print(plan);
  }
  EXPECT_EQ(idle, 0) << "of " << problems;
  EXPECT_EQ(greedy, 0) << "of " << problems;
  for (const Variant variant : gemv_kernels)
    EXPECT_TRUE(seen.contains(variant) || variant == Variant::gemv_flat) << name(variant) << " is never planned";
}

// The time that the bus is there for the blocks, over the time that it takes to deliver their bytes: in whole waves,
// and in what is left for a last one, which may have too few loads in flight.
double slowdown(const Plan& plan, const DeviceTraits& traits) {
  const double blocks = blocks_of(plan), held = static_cast<double>(blocks_of_wave(plan, traits));
  const auto time = [&](double of_wave) {
    const double in_flight = of_wave * plan.threads * bytes_in_flight(plan) / traits.sm_count;
    return of_wave / blocks * std::max(1.0, trip / in_flight);
  };
  const double waves = std::floor(blocks / held), left = blocks - waves * held;
  return waves * time(held) + (left > 0 ? time(left) : 0);
}

// A row or a column more, or another alignment, is another problem, but hardly a slower one.
TEST(EveryPlan, KeepsTheBusAsBusyAsThatOfANeighbour) {
  constexpr int pairs = test::sanitized ? 5'000 : 50'000;
  constexpr double large = 16e6;
  const DeviceTraits traits = h200_traits();
  Random random(3);
  int uneven = 0;
  for (int i = 0; i < pairs; ++i) {
    const Problem p = any_problem(random);
    if (p.batch > 1 || cost(p).matrix_bytes < large) continue;
    Problem q = p;
    switch (below(random, 3)) {
      case 0: ++q.n; break;
      case 1: ++q.m, ++q.lda; break;
      default: ++q.lda;
    }
    const Plan one = plan_on_device(p, traits, BackendId::cuda), other = plan_on_device(q, traits, BackendId::cuda);
    const double ratio = slowdown(one, traits) / slowdown(other, traits);
    if (std::max(ratio, 1 / ratio) < 1.3) continue;
    if (++uneven <= 5) ADD_FAILURE() << ratio << ": " << describe(p) << "\n" << print(one) << "\n" << print(other);
  }
  EXPECT_EQ(uneven, 0) << "of " << pairs;
}

}  // namespace
}  // namespace onepass
