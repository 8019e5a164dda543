// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The canonical order.
#include <algorithm>

#include "kernels/symv/symv_args.hpp"
#include "numbers/canonical_order.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/symv_shape.hpp"

namespace onepass {
namespace {

// Below 2^20 rows no count of blocks or mailboxes passes 31 bits; the workspace ends long before.
constexpr std::int64_t most_rows = std::int64_t{1} << 20;

const SymvParams& shape_of(const Plan& plan) { return params<SymvParams>(plan); }
std::int64_t rows_of(const Plan& plan) { return std::min(plan.problem.n, most_rows); }

}  // namespace

std::int64_t symv_canonical_mailboxes(const Plan& plan) {
  return rows_of(plan) * shape_of(plan).strips * shape_of(plan).units;
}

std::int64_t symv_canonical_products(const Plan& plan) {
  const std::int64_t bytes = symv_canonical_mailboxes(plan) * size_of(plan.problem.type_a);
  const auto fitting = static_cast<std::int64_t>(workspace_limit) / bytes;
  return std::clamp<std::int64_t>(fitting, 1, std::min(plan.problem.batch, gemv_most_in_grid));
}

std::int64_t symv_canonical_blocks(const Plan& plan) {
  return shape_of(plan).blocks + ceil_div(rows_of(plan), canonical::partial_sums);
}

const char* decline_canonical_symv(const Problem& p, const DeviceTraits&) {
  return p.order == Order::canonical ? nullptr : "no canonical order is asked for";
}

Plan shape_canonical_symv(const Problem& p, std::int64_t parts) {
  const std::int64_t chunks = ceil_div(std::min(p.n, most_rows), canonical::chunk);
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::symv_canonical, .form = is_plain(p) ? Form::plain : Form::general},
            .threads = kernels::symv_canonical_threads,
            .params = SymvParams{
                .strip_rows = canonical::chunk,
                .strips = chunks,
                .blocks = chunks * (canonical::chunk / canonical::partial_sums) + chunks * (chunks - 1) / 2 * parts,
                .units = parts}};
  // A tile's sums of rows, one for each partial sum of its block, and of the columns of that.
  plan.shared_bytes = static_cast<std::size_t>(canonical::partial_sums / parts * (canonical::chunk + canonical::depth) *
                                               size_of(p.type_a));
  plan.workspace_bytes =
      static_cast<std::size_t>(symv_canonical_mailboxes(plan) * size_of(p.type_a) * symv_canonical_products(plan));
  return plan;
}

Plan plan_canonical_symv(const Problem& p, const DeviceTraits& traits) {
  // As many blocks as the device holds at once, and no more mailboxes than there may be. On an H200, d: n = 3000 takes
  // 16.1 us with two parts and 17.3 with four, 4096 24.5 with one and 25.4 with four.
  for (const std::int64_t parts : {4, 2}) {
    const Plan plan = shape_canonical_symv(p, parts);
    if (shape_of(plan).blocks * p.batch <= 2 * std::int64_t{traits.sm_count} && plan.workspace_bytes <= workspace_limit)
      return plan;
  }
  return shape_canonical_symv(p, 1);
}

std::string why_illegal_canonical_symv(const Plan& plan) {
  const std::int64_t parts = shape_of(plan).units;
  if (plan.problem.order != Order::canonical) return "the variant sums in the canonical order";
  if (parts != 1 && parts != 2 && parts != 4) return "a square is shared by 1, 2 or 4 blocks";
  Plan right = shape_canonical_symv(plan.problem, parts);
  if (plan.kernel.form == Form::general) right.kernel.form = Form::general;
  if (plan.problem.n > most_rows || right.workspace_bytes > workspace_limit)
    return "a triangle of so many rows has more partial sums in the canonical order than a workspace has room for";
  return why_different(plan, right);
}

const char* decline_canonical_rows(const Problem& p, const DeviceTraits&) {
  if (p.order != Order::canonical) return "no canonical order is asked for";
  if (!is_plain(p)) return "a batch, or scalars on the device";
  return p.n > (size_of(p.type_a) > 8 ? 900 : 1536) ? "the matrix is too large to be loaded twice" : nullptr;
}

Plan shape_canonical_rows(const Problem& p, int threads) {
  constexpr std::int64_t outputs = kernels::symv_rows_canonical_outputs;
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::symv_rows_canonical, .form = Form::plain},
            .threads = threads,
            .params = SymvRowsParams{.outputs = outputs, .blocks = ceil_div(p.n, outputs)}};
  const std::int64_t chunks = ceil_div(p.n, canonical::chunk);
  plan.shared_bytes = static_cast<std::size_t>(
      outputs * (kernels::symv_rows_canonical_row_pitch + chunks * (kernels::symv_rows_canonical_pitch + 1)) *
      size_of(p.type_a));
  return plan;
}

// On an H200, d: n = 512 takes 3.0 us with 256 threads and 3.3 with 512, 1024 5.5 and 5.1, 1500 9.0 and 11.0; z 700
// 9.1 and 11.8.
Plan plan_canonical_rows(const Problem& p, const DeviceTraits&) {
  return shape_canonical_rows(p, p.n > 512 && p.n <= 1024 && size_of(p.type_a) <= 8 ? 512 : 256);
}

std::string why_illegal_canonical_rows(const Plan& plan) {
  if (const char* reason = decline_canonical_rows(plan.problem, {}); reason != nullptr) return reason;
  if (plan.threads != 256 && plan.threads != 512) return "a slot has 256 threads, and there are one or two";
  return why_different(plan, shape_canonical_rows(plan.problem, plan.threads));
}

}  // namespace onepass
