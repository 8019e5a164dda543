// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/worth.hpp"

#include <algorithm>

#include "bench/random_problem.hpp"
#include "plan/registry.hpp"
#include "problem/combinations.hpp"
#include "problem/names.hpp"
#include "tune/sampling.hpp"
#include "tune/survey.hpp"

namespace onepass::tools {
namespace {

// Those of GEMV as the survey has them, with batches and more digits; triangles; both in the canonical order.
Problem problem_of(const Axes& axes, std::uint64_t index) {
  Axes of_kind = axes;
  const std::uint64_t kind = index % 4;
  if (kind == 0) return surveyed_problem(axes, index);
  if (kind == 1)
    of_kind.accumulates = {Accumulate::standard, Accumulate::standard, Accumulate::wider, Accumulate::twice};
  if (kind > 1) of_kind.orders = {Order::canonical};
  if (kind != 2) of_kind.routine = Routine::symv;
  Problem p = random_problem(of_kind, index);
  if (kind == 1 && index % 16 == 1) lay_tight(p, 0, Batching::strided, 1 + static_cast<std::int64_t>(index % 64));
  p.alignment_a = alignment_of(p, nullptr);
  return p;
}

bool is_possible(const Problem& p) {
  const bool half = size_of(p.type_a) == 2;
  return find_combination(p) != nullptr && !(p.order == Order::canonical && half);
}

}  // namespace

std::vector<KernelWorth> kernel_worth(LaunchClock& clock, const Axes& axes, double seconds,
                                      const std::function<bool(double, const std::string&)>& before) {
  constexpr int rounds = 5;
  std::vector<KernelWorth> worth;
  for (int i = 0; i <= static_cast<int>(last_variant); ++i) worth.push_back({static_cast<Variant>(i)});
  Sampler sampler(clock);
  const double start = clock.elapsed();
  for (std::uint64_t index = 0;; ++index) {
    const double passed = clock.elapsed() - start;
    if (passed > seconds) break;
    const Problem p = problem_of(axes, index);
    if (!is_possible(p) || cost(p).matrix_bytes > axes.max_bytes) continue;
    if (!before(passed, describe(p))) break;
    std::vector<Plan> plans = {plan_on_device(p, clock.traits(), BackendId::cuda)};
    for (const VariantRow& row : variants_of(family(p)))
      if (row.variant != plans[0].kernel.variant && row.decline(p, clock.traits()) == nullptr) {
        plans.push_back(row.plan(p, clock.traits()));
        plans.back().backend = BackendId::cuda;
      }
    const std::vector<double> times = sampler.time(p, plans, rounds).seconds;
    if (times.empty() || times[0] <= 0) continue;
    double other = 0;
    for (std::size_t i = 1; i < times.size(); ++i)
      if (times[i] > 0 && (other == 0 || times[i] < other)) other = times[i];
    KernelWorth& own = worth[static_cast<std::size_t>(plans[0].kernel.variant)];
    ++own.problems;
    if (other > 0) own.gain.push_back(other / times[0]);
  }
  std::erase_if(worth, [](const KernelWorth& k) { return k.problems == 0; });
  return worth;
}

}  // namespace onepass::tools
