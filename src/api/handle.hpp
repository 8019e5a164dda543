// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a handle holds: a backend and a device of it, the stream and mode of the calls, workspaces and plans.
#pragma once

#include <memory>
#include <string>

#include "api/plan_cache.hpp"
#include "backends/backend.hpp"
#include "device/timeout_flag.hpp"
#include "device/workspaces.hpp"
#include "support/border.hpp"

struct onepassContext {
  const onepass::Backend* backend = nullptr;
  int device = 0;  // that was current when the handle was made
  onepass::Stream stream = nullptr;
  onepass::Scalars scalars = onepass::Scalars::host;
  onepass::Accumulate accumulate = onepass::Accumulate::standard;  // of typed calls
  onepass::Order order = onepass::Order::standard;                 // likewise
  int threads = 0;
  onepass::Workspaces workspaces;
  onepass::PlanCache plans;  // of problems that passed the check

  // A failure where the calling thread works with another device than the handle's.
  onepass::Status check_device() const {
    const int current = backend->current_device();
    if (current == device) [[likely]]
      return {};
    return {ONEPASS_STATUS_WRONG_DEVICE, "device " + std::to_string(current) +
                                             " is current, and this handle belongs to " + std::to_string(device) +
                                             ": call cudaSetDevice first, or make another handle"};
  }

  onepass::Status use(onepass::Stream stream);
};

struct onepassPlanRecord {
  const onepass::Backend* backend = nullptr;
  onepass::Plan plan;
  std::shared_ptr<onepass::TimeoutFlag> flag;  // shared with the handle that made it
};

namespace onepass {

// What onepassLastErrorMessage tells the calling thread.
ErrorText& last_error() noexcept;

// A C entry point: no exception crosses it.
template <class Body>
onepassStatus_t guarded(Body body) noexcept {
  return at_border(last_error(), body);
}

inline Status no_handle() { return {ONEPASS_STATUS_NOT_INITIALIZED, "handle is null: call onepassCreate first"}; }

}  // namespace onepass
