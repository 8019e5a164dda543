// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C entry points of plans, and the description of the backends.
#include <algorithm>
#include <cstring>
#include <memory>

#include "api/handle.hpp"
#include "api/run.hpp"
#include "backends/registry.hpp"
#include "plan/gemv.hpp"
#include "plan/plan.hpp"
#include "plan/registry.hpp"

using onepass::guarded;
using onepass::no_handle;
using onepass::Status;

namespace {

Status no_plan() {
  return {ONEPASS_STATUS_NOT_INITIALIZED, "plan is null: call onepassPlanGemv or onepassPlanSymv first"};
}

Status copy_text(const std::string& text, char* buffer, size_t capacity, size_t* length) {
  if (length != nullptr) *length = text.size();
  if (capacity == 0) return {};
  if (buffer == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "buffer is null, but capacity is not 0"};
  const size_t copied = std::min(capacity - 1, text.size());
  std::memcpy(buffer, text.data(), copied);
  buffer[copied] = '\0';
  return {};
}

template <class Text>
onepassStatus_t plan_text(onepassPlan_t plan, char* buffer, size_t capacity, size_t* length, Text text) {
  return guarded([&]() -> Status { return plan == nullptr ? no_plan() : copy_text(text(), buffer, capacity, length); });
}

}  // namespace

extern "C" {

onepassStatus_t onepassPlanDestroy(onepassPlan_t plan) {
  delete plan;
  return ONEPASS_STATUS_SUCCESS;
}

onepassStatus_t onepassPlanWorkspaceSize(onepassPlan_t plan, size_t* bytes) {
  return guarded([&]() -> Status {
    if (plan == nullptr) return no_plan();
    if (bytes == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "bytes is null"};
    *bytes = plan->plan.workspace_bytes;
    return {};
  });
}

onepassStatus_t onepassPlanPrepareWorkspace(onepassPlan_t plan, void* workspace, size_t bytes, onepassStream_t stream) {
  return guarded([&]() -> Status {
    if (plan == nullptr) return no_plan();
    if (Status bad = check_workspace(plan->plan, {.data = workspace, .bytes = bytes}); !bad.ok()) return bad;
    return plan->backend->zero(workspace, bytes, stream);
  });
}

onepassStatus_t onepassPlanRun(onepassPlan_t plan, onepassStream_t stream, void* workspace, size_t bytes,
                               const void* alpha, const void* a, const void* x, const void* beta, void* y) {
  return guarded([&]() -> Status {
    if (plan == nullptr) return no_plan();
    if (plan->flag->take()) return onepass::timed_out("prepare the plan's workspaces again");
    return run(*plan->backend, plan->plan, {alpha, a, x, beta, y},
               onepass::Workspace{.data = workspace, .bytes = bytes, .timed_out = plan->flag->word()}, stream);
  });
}

onepassStatus_t onepassPlanPrint(onepassPlan_t plan, char* buffer, size_t capacity, size_t* length) {
  return plan_text(plan, buffer, capacity, length, [&] { return print(plan->plan); });
}

onepassStatus_t onepassPlanExplain(onepassPlan_t plan, char* buffer, size_t capacity, size_t* length) {
  return plan_text(plan, buffer, capacity, length, [&] { return print(explain(plan->plan, plan->backend->traits())); });
}

onepassStatus_t onepassPlanSave(onepassPlan_t plan, char* buffer, size_t capacity, size_t* length) {
  return plan_text(plan, buffer, capacity, length, [&] { return to_json(plan->plan); });
}

onepassStatus_t onepassPlanLoad(onepassHandle_t handle, const char* json, onepassPlan_t* plan) {
  return guarded([&]() -> Status {
    if (handle == nullptr) return no_handle();
    if (json == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "json is null"};
    if (plan == nullptr) return {ONEPASS_STATUS_INVALID_ARGUMENT, "plan is null: pass the address of one"};
    *plan = nullptr;
    auto made = std::make_unique<onepassPlanRecord>();
    made->backend = handle->backend;
    made->flag = handle->workspaces.flag();
    if (Status bad = onepass::from_json(json, &made->plan); !bad.ok()) return bad;
    if (made->plan.backend != handle->backend->id())
      return {ONEPASS_STATUS_INVALID_PLAN, std::string("this plan is for the backend ") + name(made->plan.backend) +
                                               ", and the handle's is " + name(handle->backend->id())};
    if (const std::string why = handle->backend->why_illegal(made->plan); !why.empty())
      return {ONEPASS_STATUS_INVALID_PLAN, "this text is no plan: " + why};
    *plan = made.release();
    return {};
  });
}

onepassStatus_t onepassDescribeBackends(char* buffer, size_t capacity, size_t* length) {
  return guarded([&]() -> Status { return copy_text(onepass::describe_backends(), buffer, capacity, length); });
}

}  // extern "C"
