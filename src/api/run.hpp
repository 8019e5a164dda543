// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The sentence that the library tells: call -> check -> plan -> launch (-> kernel). Every call takes this way.
#pragma once

#include "backends/backend.hpp"
#include "problem/check.hpp"

namespace onepass {

// The room that a launch gets must be what its plan asks for.
inline Status check_workspace(const Plan& plan, Workspace workspace) {
  if (plan.workspace_bytes == 0) return {};
  if (workspace.data == nullptr || workspace.bytes < plan.workspace_bytes)
    return {ONEPASS_STATUS_WORKSPACE_TOO_SMALL, "workspace of " + std::to_string(workspace.bytes) +
                                                    " bytes: this plan needs " + std::to_string(plan.workspace_bytes)};
  if (reinterpret_cast<std::uintptr_t>(workspace.data) % 256 != 0)
    return {ONEPASS_STATUS_INVALID_ALIGNMENT, "workspace must be a multiple of 256 bytes"};
  return {};
}

// A planned problem, whose sizes were checked when the plan was made. `room(bytes, &workspace)`: a workspace for this
// launch; asked for where the plan needs one.
template <class Room>
Status run(const Backend& backend, const Plan& plan, const Operands& operands, Stream stream, Room room) {
  if (Status bad = check(plan.problem, operands, backend.alignment()); !bad.ok()) return bad;
  if (nothing_to_do(plan.problem, operands)) return {};
  Workspace workspace;
  if (plan.workspace_bytes > 0)
    if (Status bad = room(plan.workspace_bytes, &workspace); !bad.ok()) return bad;
  if (Status bad = check_workspace(plan, workspace); !bad.ok()) return bad;
  return backend.launch(plan, operands, workspace, stream);
}

// Likewise with a workspace at hand.
inline Status run(const Backend& backend, const Plan& plan, const Operands& operands, Workspace workspace,
                  Stream stream) {
  return run(backend, plan, operands, stream, [&](std::size_t, Workspace* room) -> Status {
    *room = workspace;
    return {};
  });
}

// The plan for a problem that passed the check. There are problems of terabytes that no launch has enough blocks for.
inline Status plan_for(const Backend& backend, const Problem& problem, int threads, Plan* plan) {
  *plan = backend.plan(problem, threads);
  const std::string why = backend.why_illegal(*plan);
  return why.empty() ? Status{} : Status{ONEPASS_STATUS_TOO_LARGE, "no launch can serve this problem: " + why};
}

// A problem that may have been seen before: `plans` finds its plan, or keeps the one that is made now.
template <class Plans, class Room>
Status run(const Backend& backend, Plans& plans, Problem problem, int threads, const Operands& operands, Stream stream,
           Room room) {
  problem.alignment_a = alignment_of(problem, operands.a);
  const Plan* plan = plans.find(problem, threads);
  if (plan == nullptr) {
    if (Status bad = check(problem); !bad.ok()) return bad;
    if (is_empty(problem)) return {};
    Plan made;
    if (Status bad = plan_for(backend, problem, threads, &made); !bad.ok()) return bad;
    plan = &plans.put(made, threads);
  }
  return run(backend, *plan, operands, stream, room);
}

}  // namespace onepass
