// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cpu backend: vectors from Highway, threads from OpenMP, operands in host memory.
#include <algorithm>
#include <array>

#include "backends/cpu/block.hpp"
#include "backends/cpu/machine.hpp"
#include "backends/cpu/plan.hpp"
#include "backends/cpu/run.hpp"
#include "backends/cpu/team.hpp"
#include "backends/host_backend.hpp"
#include "backends/registry.hpp"
#include "problem/cost.hpp"

namespace onepass {
namespace {

std::string features() {
#ifdef ONEPASS_WITH_HIGHWAY
  std::string text = std::string("Highway, ") + cpu::kernels().instructions;
#else
  std::string text = cpu::kernels().instructions + std::string(": Highway not found");
#endif
#ifdef _OPENMP
  return text + "; OpenMP";
#else
  return text + "; one thread: OpenMP not found";
#endif
}

// What the backend has for a family, and for sums with more digits.
struct Row {
  Family family;
  Plan (*plan)(const Problem& problem, int threads);
  void (*run)(const Plan& plan, const Operands& operands, void* workspace);
};
constexpr std::array rows = {
    Row{.family = Family::gemv, .plan = cpu::plan_gemv, .run = cpu::run_gemv},
    Row{.family = Family::symv, .plan = cpu::plan_symv, .run = cpu::run_symv},
    Row{.family = Family::ger, .plan = cpu::plan_ger, .run = cpu::run_ger},
};
static_assert(rows.size() == all_families.size());

constexpr Row accurate = {.family = Family::gemv, .plan = cpu::plan_accurate, .run = cpu::run_accurate};

constexpr Row canonical = {.family = Family::gemv, .plan = cpu::plan_canonical, .run = cpu::run_canonical};

const Row& of(const Problem& problem) {
  if (problem.order == Order::canonical) return canonical;
  if (is_accurate(problem)) return accurate;
  return *std::ranges::find(rows, family(problem), &Row::family);
}

class Cpu final : public HostBackend {
 public:
  BackendId id() const override { return BackendId::cpu; }
  std::string why_unavailable() const override { return {}; }
  // Made when they are first asked for: a product needs none, and they take memory.
  const DeviceTraits& traits() const override {
    static const DeviceTraits traits = {
        .name = cpu::processor_name(),
        .memory_bytes = cpu::memory_bytes(),
        .threads = cpu::default_threads(),
        .features = features(),
        .ceilings = {},
    };
    return traits;
  }

  int default_threads() const override { return cpu::default_threads(); }
  Plan plan(const Problem& problem, int threads) const override {
    const int most = threads > 0 ? threads : cpu::default_threads();
    return of(problem).plan(problem, most);
  }
  std::string why_illegal(const Plan& plan) const override { return cpu::why_illegal(plan); }
  Status launch(const Plan& plan, const Operands& operands, Workspace workspace, Stream) const override {
    of(plan.problem).run(plan, operands, workspace.data);
    return {};
  }
};

}  // namespace

bool cpu::run_at_once(const Problem& p, const Operands& operands) {
  if (!is_plain(p) || p.order != Order::standard || is_accurate(p) || useful_threads(stored_bytes(p), 2) > 1)
    return false;
  switch (family(p)) {
    case Family::gemv: return run_gemv_at_once(p, operands);
    case Family::symv: return run_symv_at_once(p, operands);
    case Family::ger: return false;
  }
  return false;
}

const Backend& cpu_backend() {
  static const Cpu backend;
  return backend;
}

}  // namespace onepass
