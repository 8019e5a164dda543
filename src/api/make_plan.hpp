// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the calls that make a plan end in, whatever the routine.
#pragma once

#include <memory>

#include "api/handle.hpp"
#include "api/run.hpp"
#include "problem/check.hpp"

namespace onepass {

template <class CProblem>
onepassStatus_t make_plan(onepassHandle_t handle, const CProblem* problem, onepassPlan_t* plan,
                          Problem (*problem_from_c)(const CProblem&)) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (problem == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "problem is null"};
    if (plan == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "plan is null: pass the address of one"};
    *plan = nullptr;
    const Problem p = problem_from_c(*problem);
    if (Status bad = check(p); !bad.ok()) return bad;
    auto made = std::make_unique<onepassPlanRecord>();
    made->backend = handle->backend;
    made->flag = handle->workspaces.flag();
    // An empty problem has nothing to plan: every run of it returns at once.
    made->plan = {.problem = p, .backend = handle->backend->id()};
    if (!is_empty(p))
      if (Status bad = plan_for(*handle->backend, p, handle->threads, &made->plan); !bad.ok()) return bad;
    *plan = made.release();
    return {};
  });
}

}  // namespace onepass
