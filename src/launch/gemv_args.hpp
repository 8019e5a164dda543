// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Plan and operands -> arguments of a GEMV kernel.
#pragma once

#include "kernels/args.hpp"
#include "launch/launcher.hpp"
#include "plan/plan.hpp"
#include "problem/problem.hpp"

namespace onepass {

// 2^32 / d, rounded up; 0 stands for the reciprocal of 1.
std::uint32_t reciprocal(std::int64_t d);

// What every kernel is told of its operands, whatever the shape of the launch.
kernels::GemvArgs product_args(const Problem& p, const Operands& operands);

// Of a plan of gemv_n, gemv_t or gemv_t_once.
kernels::GemvArgs gemv_args(const Plan& plan, const Operands& operands, Workspace workspace);

// Of a plan of gemv_flat.
kernels::GemvFlatArgs gemv_flat_args(const Plan& plan, const Operands& operands);

Grid gemv_grid(const Plan& plan);

}  // namespace onepass
