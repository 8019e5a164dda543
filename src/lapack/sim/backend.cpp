// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The routines of a GPU on the simulator, as a backend: the plans of a small device, run launch by launch.
#include "lapack/backend.hpp"

#include "lapack/gpu/arena.hpp"
#include "lapack/gpu/plan.hpp"
#include "lapack/sim/queue.hpp"

namespace onepass {
namespace {

// An H200 with few multiprocessors: blocks are simulated one after the other.
lapack::GpuPlan plan_of(const LapackProblem& problem, Status* status) {
  DeviceTraits traits = h200_traits();
  traits.sm_count = 3;
  lapack::GpuPlan plan;
  *status = make_plan(problem, traits, &plan);
  return plan;
}

}  // namespace

const LapackBackend& lapack_sim() {
  static constexpr LapackBackend backend = {
      .id = BackendId::sim,
      .plan =
          [](const LapackProblem& problem, int) {
            Status status;
            const lapack::GpuPlan plan = plan_of(problem, &status);
            return LapackPlan{.problem = problem,
                              .backend = BackendId::sim,
                              .workspace_bytes = status.ok() ? workspace_bytes(plan) : 0};
          },
      .run =
          [](const LapackPlan& planned, const LapackOperands& operands, void* workspace) {
            Status status;
            const lapack::GpuPlan plan = plan_of(planned.problem, &status);
            if (!status.ok()) return status;
            lapack::SimQueue queue;
            return run(plan, operands, workspace, queue);
          },
      .explain =
          [](const LapackPlan& planned) {
            Status status;
            const lapack::GpuPlan plan = plan_of(planned.problem, &status);
            return status.ok() ? explain(plan) : status.text + "\n";
          },
      .operands = Alignment::element,
      .workspace_alignment = lapack::workspace_alignment};
  return backend;
}

}  // namespace onepass
