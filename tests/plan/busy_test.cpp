// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// No plan leaves the memory of a device idle: the blocks of a large product wait for enough bytes at a time, whatever
// its shape and alignment. Counted from the grid and the loads of the kernels, without the model.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>

#include "kernels/exec/sim.hpp"
#include "launch/gemv.hpp"
#include "plan/occupancy.hpp"
#include "plan/plan.hpp"
#include "plan/problems.hpp"
#include "plan/registry.hpp"
#include "problem/cost.hpp"

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
    case Variant::gemv_n_small: return size * gemv_n_small_in_flight(loads, size);
    case Variant::gemv_t_small:
      return size * gemv_t_small_columns(loads, deep) * gemv_t_small_in_flight(loads, deep, size);
    case Variant::gemv_t_short: return vector * gemv_t_short_columns(loads) * gemv_t_short_vectors(loads);
    case Variant::gemv_t_tensor: return vector * gemv_t_tensor_columns(loads) * gemv_t_tensor_in_flight(loads);
    case Variant::gemv_n_wide: return vector * gemv_n_wide_in_flight(loads);
    case Variant::gemv_t_tall: return vector * 2 * gemv_t_tall_in_flight(loads);
    default: return 0;
  }
}

double blocks_of(const Plan& plan) {
  const Grid grid = gemv_grid(plan);
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

// A trip to memory takes 0.6 to 0.8 us there, in which the bus of 4.65 TB/s delivers 21 to 28 KB to each of the 132
// SMs: a launch that waits for fewer has so much less of the bus while it runs alone. Above 16 MB that time is all
// that counts, so half of it is the limit, on half of the SMs, which draw as much as the bus delivers. Below, the
// launch itself and the sums at its end take as long as the bus does, and launches were chosen by timing that wait for
// less: a third.
TEST(EveryPlan, KeepsTheBusOfAnH200Busy) {
  constexpr int problems = 100'000;
  constexpr double trip = 24e3, large = 16e6;
  const DeviceTraits traits = h200_traits();
  Random random(1);
  int idle = 0;
  for (int i = 0; i < problems; ++i) {
    const Problem p = any_problem(random);
    const Plan plan = plan_on_device(p, traits, BackendId::cuda);
    const bool is_large = cost(p).matrix_bytes > large;
    const double blocks = blocks_of(plan), least_blocks = is_large ? traits.sm_count / 2.0 : 1;
    if (blocks >= least_blocks && bytes_in_flight_of_sm(plan, traits) >= trip / (is_large ? 2 : 3)) continue;
    if (++idle <= 5) ADD_FAILURE() << describe(p) << " on " << blocks << " blocks: " << print(plan);
  }
  EXPECT_EQ(idle, 0) << "of " << problems;
}

}  // namespace
}  // namespace onepass
