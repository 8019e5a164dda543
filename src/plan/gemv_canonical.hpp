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

// Null, or why another variant has to serve a problem.
const char* decline_canonical(const Problem& p, Variant variant);

// A complete plan from its free numbers: threads of a block, lanes along the contiguous dimension, columns of a warp
// (gemv_t_canonical), and nodes of the tree that a thread or a warp has one after the other. Powers of two.
Plan shape_canonical(const Problem& p, int threads, int lanes, int columns, std::int64_t nodes);

// The best of all of them, in the eyes of a model.
Plan plan_canonical(const Problem& p, const DeviceTraits& traits);

std::string why_illegal_canonical(const Plan& plan);

}  // namespace onepass
