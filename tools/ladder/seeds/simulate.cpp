// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "ladder/seeds/simulate.hpp"

#include "support/failure.hpp"

#ifdef ONEPASS_WITH_SIM
#include "backends/registry.hpp"
#include "backends/sim/counters.hpp"
#include "backends/sim/launcher.hpp"
#include "backends/sim/memory/memory_map.hpp"
#include "ladder/seeds/gpu/launch.hpp"
#endif

namespace onepass::tools::ladder {

#ifdef ONEPASS_WITH_SIM
namespace {

constexpr sim::SimOptions counted{.count_instructions = true};

void add_counters(SeedTraffic& to) {
  const sim::Counters& c = sim::last_counters();
  to.sectors_requested += c.matrix_sectors_requested;
  to.sectors_needed += c.matrix_sectors_needed;
  to.elements_again += c.matrix_elements_again;
  to.elements_never += c.matrix_elements_never;
  to.loads += c.load_instructions;
  to.shared_accesses += c.shared_accesses;
  to.barriers += c.barriers;
  to.atomic_adds += c.atomic_adds;
  to.partial_sums += c.partial_sums;
  ++to.launches;
}

// Launches one after the other, each on the memory that its kernel says it touches.
struct SeedLauncher {
  const Seed* seed;
  const Problem* p;
  SeedTraffic* traffic;

  template <class Kernel, class T>
  Status run(Grid grid, int threads, std::size_t shared_bytes, const SeedArgs<T>& g) const {
    sim::MemoryMap memory;
    const std::int64_t size = sizeof(T);
    const sim::Pattern set{.rows = partial_numbers(*seed, *p), .element = size};
    if (Kernel::touches == Touches::product || Kernel::touches == Touches::makes_set) {
      const onepass::Part part = is_triangle(*p) ? onepass::Part::lower : onepass::Part::whole;
      memory.add(sim::Role::matrix, {.rows = p->m, .cols = p->n, .lda = p->lda, .element = size, .part = part}, g.a);
      memory.add(sim::Role::x, {.rows = length_x(*p), .element = size}, g.x);
    }
    if (Kernel::touches == Touches::product && set.rows > 0) memory.add(sim::Role::workspace, set, g.partial);
    if (Kernel::touches == Touches::adds_set) memory.add(sim::Role::x, set, g.partial);
    if (Kernel::touches == Touches::makes_set)
      memory.add(sim::Role::y, set, g.partial);
    else
      memory.add(sim::Role::y, {.rows = length_y(*p), .element = size}, g.y);
    memory.forbid_reading_output();
    const sim::WithOptions as_counted(counted);
    Status status = sim::SimLauncher{&memory}.run<Kernel>(grid, threads, shared_bytes, g);
    add_counters(*traffic);
    return status;
  }
};

std::vector<std::byte> poisoned(const Problem& p) {
  return std::vector<std::byte>(static_cast<std::size_t>(length_y(p) * size_of(p.type_y)), std::byte{0xff});
}

}  // namespace

std::optional<SeedSimulated> simulate_seed(const Seed& seed, const Problem& p, const std::byte* a, const std::byte* x) {
  SeedSimulated found{.traffic = {}, .y = poisoned(p)};
  std::vector<std::byte> partial(static_cast<std::size_t>(partial_numbers(seed, p) * size_of(p.type_y)));
  require(launch_seed_of(SeedLauncher{&seed, &p, &found.traffic}, seed, {}, p, a, x, found.y.data(), partial.data()));
  return found;
}

std::optional<SeedSimulated> simulate_onepass(const Problem& p, const std::byte* a, const std::byte* x) {
  SeedSimulated found{.traffic = {}, .y = poisoned(p)};
  const double one_d = 1, zero_d = 0;
  const float one_s = 1, zero_s = 0;
  const bool single = p.type_a == Type::s;
  const void *one = single ? static_cast<const void*>(&one_s) : &one_d,
             *zero = single ? static_cast<const void*>(&zero_s) : &zero_d;
  Problem aligned = p;
  aligned.alignment_a = alignment_of(p, nullptr);
  const Plan plan = sim_backend().plan(aligned, 0);
  std::vector<std::byte> workspace(plan.workspace_bytes);
  const sim::WithOptions as_counted(counted);
  require(sim_backend().launch(plan, {.alpha = one, .a = a, .x = x, .beta = zero, .y = found.y.data()},
                               {.data = workspace.data(), .bytes = workspace.size()}, nullptr));
  add_counters(found.traffic);
  return found;
}
#else
std::optional<SeedSimulated> simulate_seed(const Seed&, const Problem&, const std::byte*, const std::byte*) {
  return {};
}
std::optional<SeedSimulated> simulate_onepass(const Problem&, const std::byte*, const std::byte*) { return {}; }
#endif

}  // namespace onepass::tools::ladder
