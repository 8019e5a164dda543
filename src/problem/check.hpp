// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Problem -> first bad argument. Pure: knows no backend, reads no operand but alpha and beta.
#pragma once

#include "problem/pointer.hpp"
#include "problem/problem.hpp"
#include "problem/status.hpp"

namespace onepass {

// The first argument that is wrong, or ok. Sizes, strides and enums alone.
Status check(const Problem& p);

// Likewise for the pointers of a call, for a problem that passed the check above.
Status check(const Problem& p, const Operands& operands, Alignment alignment);

// Likewise for the A of such a problem alone.
Status check_matrix(const Problem& p, const void* a, Alignment alignment);

// Whether BLAS returns at once and leaves y alone: an empty matrix or batch, or, where the scalars
// are on the host, alpha == 0 and beta == 1.
bool nothing_to_do(const Problem& p, const Operands& operands);

}  // namespace onepass
