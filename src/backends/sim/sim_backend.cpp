// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The backend that runs the CUDA kernels themselves on fibres of the host.
#include <new>

#include "backends/host_backend.hpp"
#include "backends/registry.hpp"
#include "backends/sim/instances.hpp"
#include "backends/sim/memory/problem_memory.hpp"
#include "launch/launch.hpp"
#include "plan/registry.hpp"
#include "plan/tuning_table.hpp"

namespace onepass {
namespace {

class SimBackend final : public HostBackend {
 public:
  SimBackend() : traits_(h200_traits()) {
    traits_.name = "simulated NVIDIA H200";
    tuning_ = load_tuning(traits_);
    traits_.tuning = &tuning_;
  }

  BackendId id() const override { return BackendId::sim; }
  std::string why_unavailable() const override { return ""; }
  const DeviceTraits& traits() const override { return traits_; }
  Alignment alignment() const override { return Alignment::element; }

  Plan plan(const Problem& problem, int) const override { return plan_on_device(problem, traits_, BackendId::sim); }

  std::string why_illegal(const Plan& plan) const override { return why_illegal_on_device(plan); }

  Status launch(const Plan& plan, const Operands& operands, Workspace workspace, Stream) const override try {
    sim::MemoryMap memory = sim::problem_memory(plan, operands, workspace);
    return by_instance(family(plan.problem), elements_of(plan.problem), [&]<class E, Family f>() {
      return sim::Instances<E, f>::launch(&memory, plan, operands, workspace);
    });
  } catch (const std::bad_alloc&) {
    return {ONEPASS_STATUS_OUT_OF_MEMORY, "no memory for the simulator's stacks and tables"};
  }

  Status warm_up() const override {
    warn_of_refused(tuning_);
    return {};
  }

 private:
  DeviceTraits traits_;
  TuningTables tuning_;
};

}  // namespace

const Backend& sim_backend() {
  static const SimBackend instance;
  return instance;
}

}  // namespace onepass
