// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The sentence that the library tells: call -> check -> plan -> launch (-> kernel). Every call takes this way.
#pragma once

#include "backends/backend.hpp"
#include "onepass/onepass.h"

namespace onepass {

// What the typed calls of every routine end in: a problem, the form of its batch, and the pointers. With the handle's
// place of the scalars.
onepassStatus_t call(onepassHandle_t handle, Problem problem, const Operands& operands);
onepassStatus_t call_strided(onepassHandle_t handle, Problem problem, int64_t batch, int64_t stride_a, int64_t stride_x,
                             int64_t stride_y, const Operands& operands);
onepassStatus_t call_pointers(onepassHandle_t handle, Problem problem, int64_t batch, const Operands& operands);

// The formula of a problem's routine, on the handle's backend, stream and workspaces.
Status run(onepassContext& handle, Problem problem, const Operands& operands);

// A planned problem, whose sizes were checked when the plan was made, with a workspace at hand.
Status run(const Backend& backend, const Plan& plan, const Operands& operands, Workspace workspace, Stream stream);

// The plan for a problem that passed the check. There are problems of terabytes that no launch has enough blocks for.
Status plan_for(const Backend& backend, const Problem& problem, int threads, Plan* plan);

// The room that a launch gets must be what its plan asks for.
Status check_workspace(const Plan& plan, Workspace workspace);

}  // namespace onepass
