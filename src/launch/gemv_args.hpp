// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Plan and operands -> arguments of a GEMV kernel.
#pragma once

#include "kernels/args.hpp"
#include "launch/launcher.hpp"
#include "plan/plan.hpp"
#include "problem/problem.hpp"

namespace onepass {

kernels::GemvArgs gemv_args(const Plan& plan, const Operands& operands, Workspace workspace);

// Of a plan whose variant is gemv_flat.
kernels::GemvFlatArgs gemv_flat_args(const Plan& plan, const kernels::GemvArgs& args);

Grid gemv_grid(const Plan& plan);

}  // namespace onepass
