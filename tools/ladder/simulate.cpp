// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "ladder/simulate.hpp"

#include <algorithm>

#include "ladder/problem.hpp"
#include "support/failure.hpp"

#ifdef ONEPASS_WITH_SIM
#include "backends/registry.hpp"
#include "backends/sim/counters.hpp"
#include "backends/sim/launcher.hpp"
#include "backends/sim/memory/problem_memory.hpp"
#include "ladder/gpu/launch.hpp"
#endif

namespace onepass::tools::ladder {

Shape simulated_shape(Shape shape) {
  constexpr std::int64_t rows = 128, cols = 1024;
  return {std::min(shape.m, rows), shape.n <= cols ? shape.n : cols + shape.n % 32};
}

#ifdef ONEPASS_WITH_SIM
namespace {

constexpr sim::SimOptions counted{.count_instructions = true};

Traffic traffic() {
  const sim::Counters& c = sim::last_counters();
  return {.sectors_requested = c.matrix_sectors_requested,
          .sectors_needed = c.matrix_sectors_needed,
          .loads = c.load_instructions,
          .shared_accesses = c.shared_accesses,
          .bank_conflicts = c.bank_conflicts,
          .barriers = c.barriers,
          .shuffles = c.shuffles};
}

}  // namespace

std::optional<Simulated> simulate(Rung rung, Shape shape, const Floats& a, const Floats& x) {
  std::vector<float> y(static_cast<std::size_t>(shape.m));
  const float one = 1, zero = 0;
  const Plan plan{.problem = problem_of(shape), .backend = BackendId::sim};
  sim::MemoryMap memory =
      sim::problem_memory(plan, {.alpha = &one, .a = a.data(), .x = x.data(), .beta = &zero, .y = y.data()}, {});
  const Args args{.a = a.data(), .x = x.data(), .y = y.data(), .rows = shape.m, .cols = shape.n};
  const sim::WithOptions as_counted(counted);
  require(launch(sim::SimLauncher{&memory}, rung, args));
  return Simulated{.traffic = traffic(), .y = std::move(y)};
}

std::optional<Simulated> simulate_onepass(Shape shape, const Floats& a, const Floats& x) {
  std::vector<float> y(static_cast<std::size_t>(shape.m));
  const float one = 1, zero = 0;
  const Backend& backend = sim_backend();
  const Plan plan = backend.plan(aligned(problem_of(shape)), 0);
  std::vector<std::byte> workspace(plan.workspace_bytes);
  const sim::WithOptions as_counted(counted);
  require(backend.launch(plan, {.alpha = &one, .a = a.data(), .x = x.data(), .beta = &zero, .y = y.data()},
                         {.data = workspace.data(), .bytes = workspace.size()}, nullptr));
  return Simulated{.traffic = traffic(), .y = std::move(y)};
}
#else
std::optional<Simulated> simulate(Rung, Shape, const Floats&, const Floats&) { return {}; }
std::optional<Simulated> simulate_onepass(Shape, const Floats&, const Floats&) { return {}; }
#endif

}  // namespace onepass::tools::ladder
