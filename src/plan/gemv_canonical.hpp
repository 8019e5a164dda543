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
         variant == Variant::gemv_t_canonical || variant == Variant::gemv_t_small_canonical;
}

// What is free in a launch. Powers of two, and no more lanes than threads.
struct CanonicalLaunch {
  Variant variant = Variant::gemv_n_canonical;
  Loads loads = Loads::many;  // of the kernels for small matrices; the problem says those of the others
  int threads = 32;           // of a block
  int lanes = 32;             // of them along the contiguous dimension
  int columns = 1;            // of a warp (gemv_t_canonical)
  std::int64_t nodes = 1;     // of the tree that a thread or a warp has one after the other
};

// Null, or why a variant cannot serve a problem, or another one is the better choice.
const char* decline_canonical(Variant variant, const Problem& p, const DeviceTraits& traits);

// By a rule: of the one variant that does not decline.
Plan plan_canonical(const Problem& p, const DeviceTraits& traits);

// Empty, or the reason why a plan of such a variant would not compute its problem.
std::string why_illegal_canonical(const Plan& plan);

// The complete plan of a launch.
Plan shape_canonical(const Problem& p, const CanonicalLaunch& launch);

}  // namespace onepass
