// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What is free in a launch of GEMV: all else of its plan is arithmetic.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

struct GemvBasis;

struct Choice {
  Variant variant = Variant::gemv_n;
  Loads loads = Loads::many;
  int threads = 0;  // of a block
  int lanes = 1;    // along the contiguous dimension; of gemv_flat along a sum
  // gemv_n, gemv_t, gemv_t_once: blocks that share a sum. gemv_n_small, gemv_t_small, gemv_t_tensor: likewise, as a
  // cluster. gemv_t_short: visits of a block. gemv_flat: bytes of a block.
  std::int64_t share = 1;

  bool operator==(const Choice&) const = default;
};

// The kernels that a choice may name: those with no order of sums of their own.
inline constexpr Variant gemv_kernels[] = {Variant::gemv_flat,    Variant::gemv_n_small, Variant::gemv_n,
                                           Variant::gemv_t_small, Variant::gemv_t_short, Variant::gemv_t_tensor,
                                           Variant::gemv_t_once,  Variant::gemv_t};

// "gemv_n many 256/16/4": threads, lanes, share.
std::string print(const Choice& choice);
// Nothing if it is no such text.
std::optional<Choice> parse_choice(std::string_view text);

// Null, or why a kernel cannot serve a problem, however it is launched.
const char* why_not_served(Variant variant, const GemvBasis& b, const DeviceTraits& traits);
const char* why_not_served(Variant variant, const Problem& p, const DeviceTraits& traits);

// The complete plan of a choice that a kernel can run.
Plan plan_of(const Choice& choice, const Problem& p, const DeviceTraits& traits);
// None where it cannot.
std::optional<Plan> legal_plan_of(const Choice& choice, const Problem& p, const DeviceTraits& traits);

// The plan is of such a kernel.
Choice choice_of(const Plan& plan);

// Empty, or the reason why a plan of such a kernel would not compute its problem.
std::string why_illegal_gemv(const Plan& plan);

}  // namespace onepass
