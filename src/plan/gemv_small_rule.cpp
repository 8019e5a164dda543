// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_small_rule.hpp"

#include <algorithm>

#include "plan/gemv_shape.hpp"
#include "plan/gemv_small.hpp"
#include "plan/occupancy.hpp"
#include "problem/cost.hpp"
#include "tuning/lookup.hpp"

namespace onepass {
namespace {

const SmallRule& rule(const Problem& p) { return stored(p).transposed ? small_t_rule : small_n_rule; }

int cluster(const Problem& p, const DeviceTraits& traits) {
  if (traits.arch < 90 || is_accurate(p)) return 1;
  return length_y(p) < 16 ? 1 : rule(p).cluster(p);  // not measured
}

}  // namespace

bool is_plain_z(const Problem& p) { return size_of(p.type_a) == 16 && !is_accurate(p); }

const char* why_no_small_gemv(const Problem& p, const DeviceTraits& traits) {
  if (const char* reason = why_not_small_gemv(p); reason != nullptr) return reason;
  if (traits.sm_count < 64) return "a device with few SMs";  // this was measured with 132
  if (cluster(p, traits) == 1) {
    const SmallRule::Limits most = rule(p).limits(p);
    if (cost(p).matrix_bytes > most.bytes) return "the matrix is too large for loads of single elements";
    if (length_x(p) > most.terms) return "the sums are too long for one block";
  }
  if (is_gemv_of_user(traits, p)) return "the user's table has a launch";
  return rule(p).why_not(p, traits.sm_count);
}

Plan plan_small_gemv(const Problem& p, const DeviceTraits& traits) {
  if (const int blocks = cluster(p, traits); blocks > 1) return rule(p).plan_cluster(p, blocks);
  Plan plan = rule(p).plan(p, std::max(traits.sm_count, 1));
  if (rule(p).is_prefetched(p))
    params<GemvParams>(plan).prefetch_blocks = std::min<std::int64_t>(prefetching_blocks(plan, traits), INT32_MAX);
  return plan;
}

}  // namespace onepass
