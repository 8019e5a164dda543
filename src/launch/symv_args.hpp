// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Plan and operands -> arguments of the SYMV kernels.
#pragma once

#include "kernels/symv_args.hpp"
#include "launch/launcher.hpp"
#include "plan/plan.hpp"
#include "problem/problem.hpp"

namespace onepass {

// For `count` products from product `first` on.
kernels::SymvArgs symv_args(const Plan& plan, const Operands& operands, Workspace workspace, std::int64_t first,
                            std::int64_t count);

// Of a plan whose variant is symv_small.
kernels::SymvSmallArgs symv_small_args(const Plan& plan, const Operands& operands);

Grid symv_grid(const Plan& plan, std::int64_t count);

}  // namespace onepass
