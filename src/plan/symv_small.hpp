// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a launch of symv_small and symv_small_vectors, and the problems that they can serve.
#pragma once

#include <cstdint>
#include <string>

#include "plan/plan.hpp"

namespace onepass {

// Strips of 32 rows, and pieces of the squares of 32 x 32 that the triangle touches.
std::int64_t small_strips(const Problem& p);
std::int64_t small_pieces(const Problem& p);

// Of a product, in a plan of this variant.
std::int64_t small_warps(const Plan& plan);

// Null, or why the kernel cannot serve the problem, however it is shaped.
const char* why_not_small(const Problem& p);

// Likewise symv_small_vectors, of a problem that symv_small can serve.
const char* why_not_vectors(const Problem& p);

// The complete plan: a block takes so many products, a power of two, and each has so many warps.
Plan shape_small(const Problem& p, std::int64_t warps, std::int64_t products, Variant variant = Variant::symv_small);

// Empty, or why a plan of one of the two would not compute its problem.
std::string why_illegal_small(const Plan& plan);

}  // namespace onepass
