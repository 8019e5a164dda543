// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Plan and operands -> arguments of a kernel of rank-1 updates.
#pragma once

#include "kernels/ger_args.hpp"
#include "launch/launcher.hpp"
#include "plan/plan.hpp"
#include "problem/problem.hpp"

namespace onepass {

kernels::GerArgs ger_args(const Plan& plan, const Operands& operands);

Grid ger_grid(const Plan& plan);

}  // namespace onepass
