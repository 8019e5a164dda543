// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "api/run.hpp"

#include "api/handle.hpp"
#include "problem/check.hpp"
#include "problem/combinations.hpp"

namespace onepass {
namespace {

// `room(bytes, &workspace)`: a workspace for this launch; asked for where the plan needs one.
template <class Room>
Status run_in(const Backend& backend, const Plan& plan, const Operands& operands, Stream stream, Room room) {
  if (Status bad = check(plan.problem, operands, backend.alignment()); !bad.ok()) return bad;
  if (nothing_to_do(plan.problem, operands)) return {};
  Workspace workspace;
  if (plan.workspace_bytes > 0)
    if (Status bad = room(plan.workspace_bytes, &workspace); !bad.ok()) return bad;
  if (Status bad = check_workspace(plan, workspace); !bad.ok()) return bad;
  return backend.launch(plan, operands, workspace, stream);
}

// What a type has of a handle's setting: of wider and twice the other one where it lacks one.
Accumulate offered(Accumulate wanted, Problem problem) {
  if (!row(problem).accumulates) return Accumulate::standard;
  if (problem.tails != Tails::none) return Accumulate::twice;
  problem.accumulate = wanted;
  if (find_combination(problem) != nullptr) return wanted;
  return wanted == Accumulate::wider ? Accumulate::twice : Accumulate::wider;
}

}  // namespace

onepassStatus_t call(onepassHandle_t handle, Problem problem, const Operands& operands) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    problem.scalars = handle->scalars;
    problem.accumulate = offered(handle->accumulate, problem);
    if (row(problem).accumulates) problem.order = handle->order;
    return run(*handle, problem, operands);
  });
}

onepassStatus_t call_strided(onepassHandle_t handle, Problem problem, int64_t batch, int64_t stride_a, int64_t stride_x,
                             int64_t stride_y, const Operands& operands) {
  problem.batch = batch;
  problem.stride_a = stride_a, problem.stride_x = stride_x, problem.stride_y = stride_y;
  return call(handle, problem, operands);
}

onepassStatus_t call_pointers(onepassHandle_t handle, Problem problem, int64_t batch, const Operands& operands) {
  problem.batch = batch;
  problem.pointer_array = true;
  return call(handle, problem, operands);
}

Status run(onepassContext& handle, Problem problem, const Operands& operands) {
  if (Status bad = handle.check_device(); !bad.ok()) return bad;
  if (Status bad = handle.workspaces.report_timeout(); !bad.ok()) return bad;
  const Backend& backend = *handle.backend;
  const int threads = handle.threads > 0 ? handle.threads : backend.default_threads();
  problem.alignment_a = alignment_of(problem, operands.a);
  const Plan* plan = handle.plans.find(problem, threads);
  if (plan == nullptr) {
    if (Status bad = check(problem); !bad.ok()) return bad;
    if (is_empty(problem)) return {};
    Plan made;
    if (Status bad = plan_for(backend, problem, threads, &made); !bad.ok()) return bad;
    plan = &handle.plans.put(made, threads);
  }
  return run_in(backend, *plan, operands, handle.stream,
                [&](std::size_t bytes, Workspace* workspace) { return handle.workspaces.get(bytes, workspace); });
}

Status run(const Backend& backend, const Plan& plan, const Operands& operands, Workspace workspace, Stream stream) {
  return run_in(backend, plan, operands, stream, [&](std::size_t, Workspace* room) -> Status {
    *room = workspace;
    return {};
  });
}

Status plan_for(const Backend& backend, const Problem& problem, int threads, Plan* plan) {
  *plan = backend.plan(problem, threads);
  const std::string why = backend.why_illegal(*plan);
  return why.empty() ? Status{} : Status{ONEPASS_STATUS_TOO_LARGE, "no launch can serve this problem: " + why};
}

Status check_workspace(const Plan& plan, Workspace workspace) {
  if (plan.workspace_bytes == 0) return {};
  if (workspace.data == nullptr || workspace.bytes < plan.workspace_bytes)
    return {ONEPASS_STATUS_WORKSPACE_TOO_SMALL, "workspace of " + std::to_string(workspace.bytes) +
                                                    " bytes: this plan needs " + std::to_string(plan.workspace_bytes)};
  if (reinterpret_cast<std::uintptr_t>(workspace.data) % 256 != 0)
    return {ONEPASS_STATUS_INVALID_ALIGNMENT, "workspace must be a multiple of 256 bytes"};
  return {};
}

}  // namespace onepass
