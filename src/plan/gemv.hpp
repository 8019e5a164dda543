// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The GEMV kernels that a plan may choose, and their launches that the model expects to be fastest. Pure: needs no
// device and touches no memory.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "plan/choice.hpp"
#include "plan/registry.hpp"

namespace onepass {

std::span<const VariantRow> gemv_rows();

// By the table of a user, by the model, or by the rules for the canonical order.
Plan plan_gemv(const Problem& p, const DeviceTraits& traits);

struct ModelledChoice {
  Choice choice;
  double seconds = 0;
};

// The best of one kernel; none where it serves no launch of the problem.
std::optional<ModelledChoice> best_choice(Variant variant, const Problem& p, const DeviceTraits& traits);
// The best of all.
ModelledChoice best_choice(const Problem& p, const DeviceTraits& traits);

// All that are ever looked at, for the tuner: fastest first.
std::vector<ModelledChoice> all_choices(const Problem& p, const DeviceTraits& traits);

// What is free in a launch of the canonical order (numbers/canonical_order.hpp): blocks may share a sum in any way that
// the tree allows, and the bits stay. Powers of two, and no more lanes than threads.
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
