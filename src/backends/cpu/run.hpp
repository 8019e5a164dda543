// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs a plan of the cpu backend, or a small product without one.
#pragma once

#include "plan/plan.hpp"

namespace onepass::cpu {

// `workspace`: plan.workspace_bytes, aligned to 256.
void run_gemv(const Plan& plan, const Operands& operands, void* workspace);
void run_symv(const Plan& plan, const Operands& operands, void* workspace);
void run_accurate(const Plan& plan, const Operands& operands, void* workspace);
void run_canonical(const Plan& plan, const Operands& operands, void* workspace);
void run_ger(const Plan& plan, const Operands& operands, void* workspace);

// Runs a product that is too small to be shared and takes no scratch memory, as its plan would: making that plan takes
// half as long as a product of 16x16. False for any other, which is left alone.
bool run_at_once(const Problem& p, const Operands& operands);
// Likewise of these routines, with operands and threads that are known to be plain and one.
bool run_gemv_at_once(const Problem& p, const Operands& operands);
bool run_symv_at_once(const Problem& p, const Operands& operands);

}  // namespace onepass::cpu
