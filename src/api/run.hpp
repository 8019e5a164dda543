// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The sentence that the library tells: call -> check -> plan -> launch (-> kernel).
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

// A planned problem: its sizes were checked when the plan was made.
inline Status run(const Backend& backend, const Plan& plan, const Operands& operands, Workspace workspace,
                  Stream stream) {
  if (Status bad = check(plan.problem, operands, backend.alignment()); !bad.ok()) return bad;
  if (nothing_to_do(plan.problem, operands)) return {};
  if (Status bad = check_workspace(plan, workspace); !bad.ok()) return bad;
  return backend.launch(plan, operands, workspace, stream);
}

inline Status run(const Backend& backend, const Problem& problem, const Operands& operands, Workspace workspace,
                  Stream stream, int threads) {
  if (Status bad = check(problem); !bad.ok()) return bad;
  if (is_empty(problem)) return {};
  return run(backend, backend.plan(problem, threads), operands, workspace, stream);
}

}  // namespace onepass
