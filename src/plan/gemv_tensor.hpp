// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a launch of gemv_t_tensor, and the problems that it can serve.
#pragma once

#include <string>

#include "plan/plan.hpp"

namespace onepass {

// What is free to choose: lanes of a warp along a column (8, 16 or 32), and blocks of a cluster that share it, at most.
struct TensorLaunch {
  Loads loads = Loads::many;
  int threads = 128, width = 32;
  std::int64_t cluster = 1;
};
Plan shape_tensor_gemv(const Problem& p, const TensorLaunch& c);

// Null, or why the kernel cannot serve the problem, however it is launched.
const char* why_not_tensor_gemv(const Problem& p);

// Empty, or why a plan of this variant would not compute its problem.
std::string why_illegal_tensor_gemv(const Plan& plan);

// Whether A, its columns and x lie on 16-byte boundaries, and columns are whole vectors; not of a cluster.
bool is_all_aligned(const Plan& plan, const void* x);

}  // namespace onepass
