// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs a plan of the cpu backend.
#pragma once

#include "plan/plan.hpp"

namespace onepass::cpu {

// `workspace`: plan.workspace_bytes, aligned to 256.
void run_gemv(const Plan& plan, const Operands& operands, void* workspace);
void run_symv(const Plan& plan, const Operands& operands, void* workspace);
void run_accurate(const Plan& plan, const Operands& operands, void* workspace);
void run_canonical(const Plan& plan, const Operands& operands, void* workspace);
void run_ger(const Plan& plan, const Operands& operands, void* workspace);

}  // namespace onepass::cpu
