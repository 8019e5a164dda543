// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of GEMV in the canonical order (problem/canonical_order.hpp): blocks may share a sum in any way that the
// tree allows, and the bits stay.
#pragma once

#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

constexpr bool is_canonical(Variant variant) {
  return variant == Variant::gemv_n_canonical || variant == Variant::gemv_n_small_canonical ||
         variant == Variant::gemv_n_rows_canonical || variant == Variant::gemv_t_canonical ||
         variant == Variant::gemv_t_small_canonical;
}

// Null, or why a variant cannot serve a problem, or another one is the better choice.
const char* decline_canonical(Variant variant, const Problem& p, const DeviceTraits& traits);

// By a model or by a rule. The variant does not decline.
Plan plan_canonical(Variant variant, const Problem& p, const DeviceTraits& traits);

// Empty, or the reason why a plan of such a variant would not compute its problem.
std::string why_illegal_canonical(const Plan& plan);

// gemv_n_canonical and gemv_t_canonical: a complete plan from its free numbers, threads of a block, lanes along the
// contiguous dimension, columns of a warp (gemv_t_canonical), and nodes of the tree that a thread or a warp has one
// after the other. Powers of two.
Plan shape_canonical(const Problem& p, int threads, int lanes, int columns, std::int64_t nodes);

// gemv_n_small_canonical and gemv_t_small_canonical: blocks of so many threads, groups of so many lanes, each thread
// with so many chunks; powers of two.
Plan shape_small_canonical(const Problem& p, Loads loads, int threads, int lanes, std::int64_t chunks);

}  // namespace onepass
