// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/symv_ring.hpp"

#include <algorithm>
#include <bit>

#include "kernels/symv_args.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/symv_tuned.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

const SymvParams& shape_of(const Plan& plan) { return params<SymvParams>(plan); }

std::int64_t warps(const Plan& plan) { return plan.threads / kernels::symv_lanes; }

// The rings of all warps, in which their sums of rows stand in the end, and `held` sums.
std::size_t shared_bytes(const Plan& plan, std::int64_t held) {
  return static_cast<std::size_t>(warps(plan) * kernels::symv_ring_bytes(plan.kernel.loads) +
                                  held * size_of_sum(plan.problem));
}
std::size_t shared_bytes(const Plan& plan) { return shared_bytes(plan, ring_held(plan)); }

std::size_t workspace_bytes(const Plan& plan) {
  return static_cast<std::size_t>(symv_mailboxes(plan) * size_of_sum(plan.problem));
}

}  // namespace

std::int64_t ring_rows(const Problem& p, Loads loads) {
  return kernels::symv_ring_vectors(loads) * kernels::symv_lanes * vector_length(p);
}

std::int64_t ring_held(const Plan& plan) {
  return symv_held(plan, symv_shared_limit, [&](std::int64_t held) { return shared_bytes(plan, held); });
}

const char* why_not_ring(const Problem& p) {
  if (!is_plain(p)) return "a batch, or scalars on the device";
  if (p.order == Order::canonical) return "its order of sums is another";
  if (is_accurate(p)) return "the sums have more digits than the elements";
  if (size_of(p.type_a) < 4) return "its elements are too small";
  return nullptr;
}

Plan shape_ring(const Problem& p, Loads loads, int threads, std::int64_t blocks) {
  const std::int64_t rows = ring_rows(p, loads);
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::symv_ring, .form = Form::plain, .loads = loads},
            .threads = threads,
            .params = SymvParams{.strip_rows = rows,
                                 .strips = ceil_div(p.n + symv_above(p, threads), rows),
                                 .units = kernels::symv_ring_columns,
                                 .prefetch = true}};
  SymvParams& shape = params<SymvParams>(plan);
  shape.units = ceil_div(symv_list(plan).units, std::max<std::int64_t>(blocks, 1));
  shape.blocks = ceil_div(symv_list(plan).units, shape.units);
  plan.workspace_bytes = workspace_bytes(plan);
  plan.shared_bytes = shared_bytes(plan);
  return plan;
}

std::string why_illegal_ring(const Plan& plan) {
  const Problem& p = plan.problem;
  const SymvParams& shape = shape_of(plan);
  if (const char* reason = why_not_ring(p); reason != nullptr) return reason;
  if (plan.threads < kernels::symv_lanes || plan.threads > kernels::symv_max_threads ||
      !std::has_single_bit(static_cast<unsigned>(plan.threads)))
    return "threads must be a power of two from 32 to 256";
  if (warps(plan) % classes_to_keep_apart(p) != 0) return "threads leave too few warps for this lda";
  if (shape.strip_rows != ring_rows(p, plan.kernel.loads)) return "the strips are not those of a lane's vectors";
  if (shape.strips != ceil_div(p.n + symv_above(p, plan.threads), shape.strip_rows))
    return "the strips do not cover the outputs";
  if (shape.strips > 65535 || symv_list(plan).units > INT32_MAX / 2) return "the list of units is too long";
  if (shape.units < 1 || shape.blocks < 1 || shape.blocks != ceil_div(symv_list(plan).units, shape.units))
    return "the blocks do not cover the list";
  if (symv_mailboxes(plan) == 0) return "one block alone has no mailboxes";
  if (plan.shared_bytes != shared_bytes(plan)) return "shared_bytes is wrong";
  if (plan.shared_bytes > symv_shared_limit) return "shared_bytes passes the limit";
  if (plan.workspace_bytes != workspace_bytes(plan)) return "workspace_bytes is wrong";
  if (plan.workspace_bytes > symv_workspace_limit(p)) return "workspace_bytes passes the limit";
  return "";
}

const char* decline_ring(const Problem& p, const DeviceTraits& traits) {
  constexpr std::int64_t least_rows = 2049;
  if (const char* reason = why_not_ring(p); reason != nullptr) return reason;
  if (p.n < least_rows) return "symv is faster with as few rows";
  if (is_of_user(traits, find_symv, p)) return "the user's table has a launch";
  return why_illegal_ring(plan_ring(p, traits)).empty() ? nullptr : "its mailboxes do not fit the workspace";
}

Plan plan_ring(const Problem& p, const DeviceTraits& traits) {
  const std::int64_t sms = std::max(traits.sm_count, 1);
  return shape_ring(p, p.n < 6144 ? Loads::few : Loads::many, kernels::symv_max_threads, sms);
}

}  // namespace onepass
