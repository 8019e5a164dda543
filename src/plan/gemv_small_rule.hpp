// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which small and middling products gemv_n_small and gemv_t_small serve, and in which launch.
#pragma once

#include <cstdint>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

// Null, or why another kernel is the better choice.
const char* why_no_small_gemv(const Problem& p, const DeviceTraits& traits);

// The launch of a problem for which there is no such reason.
Plan plan_small_gemv(const Problem& p, const DeviceTraits& traits);

// What was measured of either kernel.
struct SmallRule {
  static constexpr double any_size = 1e300;
  struct Limits {
    double bytes;        // of A
    std::int64_t terms;  // of a sum
  };
  Limits (*limits)(const Problem& p);  // of blocks that share no sums
  int (*cluster)(const Problem& p);    // blocks that share a sum; 1: none
  const char* (*why_not)(const Problem& p, std::int64_t sms);
  Plan (*plan)(const Problem& p, std::int64_t sms);
  Plan (*plan_cluster)(const Problem& p, int blocks);
  bool (*is_prefetched)(const Problem& p);
};
extern const SmallRule small_n_rule, small_t_rule;

// 16-byte elements, summed as usual.
bool is_plain_z(const Problem& p);

}  // namespace onepass
