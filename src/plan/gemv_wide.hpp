// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which products gemv_n_wide and gemv_t_tall serve, and in which launch: few and long sums of two-byte elements.
#pragma once

#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

// Whether blocks of their own gather the partial sums of a variant.
constexpr bool has_blocks_that_gather(Variant variant) {
  return variant == Variant::gemv_n_wide || variant == Variant::gemv_t_tall;
}

// What is free to choose: threads of a block, and splits of a sum at least.
struct LongSumsLaunch {
  Loads loads = Loads::few;
  int threads = 256;
  std::int64_t splits = 2;
};
Plan shape_long_sums(const Problem& p, const LongSumsLaunch& c);

// Null, or why another kernel is the better choice, or the only one.
const char* why_no_long_sums(const Problem& p, const DeviceTraits& traits);

// The launch of a problem for which there is no such reason.
Plan plan_long_sums(const Problem& p, const DeviceTraits& traits);

// Empty, or why a plan of these variants would not compute its problem.
std::string why_illegal_long_sums(const Plan& plan);

// Lanes that gather four outputs, and rows of the grid behind the splits whose blocks do.
int log2_gathering_lanes(const Plan& plan);
std::int64_t gathering_rows(const Plan& plan);

}  // namespace onepass
