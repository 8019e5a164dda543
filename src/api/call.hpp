// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the typed calls of every routine end in: a problem, the form of its batch, and the pointers.
#pragma once

#include "onepass/onepass.h"
#include "problem/problem.hpp"

namespace onepass {

// With the handle's place of the scalars.
onepassStatus_t call(onepassHandle_t handle, Problem problem, const Operands& operands);
onepassStatus_t call_strided(onepassHandle_t handle, Problem problem, int64_t batch, int64_t stride_a, int64_t stride_x,
                             int64_t stride_y, const Operands& operands);
onepassStatus_t call_pointers(onepassHandle_t handle, Problem problem, int64_t batch, const Operands& operands);

}  // namespace onepass
