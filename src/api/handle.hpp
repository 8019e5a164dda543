// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a handle holds: a backend, the stream and mode of the calls, a workspace per stream.
#pragma once

#include <new>
#include <string>
#include <vector>

#include "api/plan_cache.hpp"
#include "backends/backend.hpp"

struct onepassContext {
  const onepass::Backend* backend = nullptr;
  onepass::Stream stream = nullptr;
  onepass::Scalars scalars = onepass::Scalars::host;
  int threads = 0;
  onepass::Workspace workspace;  // of the current stream

  struct Owned {
    onepass::Stream stream;
    onepass::Workspace workspace;
  };
  std::vector<Owned> owned;

  onepassContext() = default;
  onepassContext(const onepassContext&) = delete;
  onepassContext& operator=(const onepassContext&) = delete;
  ~onepassContext();

  // Of problems that passed the check.
  onepass::PlanCache plans;

  // y = alpha op(A) x + beta y on this handle's backend, stream and workspace.
  onepass::Status run(onepass::Problem problem, const onepass::Operands& operands);

  // Makes `stream` the current one and gives it a workspace of its own, so that calls on several
  // streams may overlap. Allocates on the first use of a stream only.
  onepass::Status use(onepass::Stream stream);
};

struct onepassPlanRecord {
  const onepass::Backend* backend = nullptr;
  onepass::Plan plan;
};

namespace onepass {

// Remembers the text for onepassLastErrorMessage and returns the code. Never throws.
onepassStatus_t report(const Status& status) noexcept;

// A C entry point: no exception crosses it.
template <class Body>
onepassStatus_t guarded(Body body) noexcept {
  try {
    return report(body());
  } catch (const std::bad_alloc&) {
    return report({ONEPASS_STATUS_OUT_OF_MEMORY, {}});
  } catch (...) {
    return report({ONEPASS_STATUS_EXECUTION_FAILED, {}});
  }
}

inline Status no_handle() { return {ONEPASS_STATUS_NOT_INITIALIZED, "handle is null: call onepassCreate first"}; }

}  // namespace onepass
