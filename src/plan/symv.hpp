// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Problem + traits -> plan of a SYMV kernel. Pure: needs no device and touches no memory.
//
// In a plan of symv, `tile` is the rows of a strip and `tiles` the strips, `splits` the blocks of a product and
// `chunk` their share of the list of units, a unit being a column per warp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "plan/variants.hpp"

namespace onepass {

// The list of units, as the kernel counts it.
struct SymvList {
  std::int64_t panels = 0;       // of a strip
  std::int64_t tile_units = 0;   // in as many columns as a strip has rows
  std::int64_t least_units = 0;  // of the shortest strip
  std::int64_t most_units = 0;   // of the longest strip
  std::int64_t units = 0;        // of all strips

  bool operator==(const SymvList&) const = default;
};
SymvList symv_list(const Plan& plan);

// Boxes for the letters of one product, and products that a launch can take at once with the workspace of
// the plan and the grid of a device: a larger batch is several launches.
std::int64_t symv_boxes(const Plan& plan);
std::int64_t symv_products(const Plan& plan);

// A complete plan from its free numbers: panels of a strip and blocks of a product as they are wished for.
Plan shape_symv(const Problem& p, int threads, std::int64_t panels, std::int64_t blocks);

// Empty, or the reason why a plan would not compute its problem.
std::string why_illegal_symv(const Plan& plan);

std::span<const VariantEntry> symv_variants();

Plan plan_symv(const Problem& p, const DeviceTraits& traits, BackendId backend);

}  // namespace onepass
