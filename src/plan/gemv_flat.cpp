// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/gemv_flat.hpp"

#include <algorithm>
#include <bit>

#include "kernels/args.hpp"
#include "plan/gemv_shape.hpp"
#include "types/elements.hpp"

namespace onepass {
namespace {

// The kernel divides by multiplication, which is exact for numbers below this.
constexpr std::int64_t small = std::int64_t{1} << 16;
constexpr std::int64_t most_shared_bytes = 48 << 10;

std::int64_t all_outputs(const Problem& p) { return flat(p).outputs_of_product * p.batch; }

std::int64_t units_of_block(const Plan& plan) {
  return params<FlatParams>(plan).outputs / flat(plan.problem).outputs_of_unit;
}

// Vectors of a run of elements at the worst of its offsets.
std::int64_t vectors_of(const Problem& p, std::int64_t elements) {
  const std::int64_t v = vector_length(p);
  return ceil_div(elements + v - 1, v);
}

std::int64_t most_products_of_block(const Plan& plan) {
  const Flat f = flat(plan.problem);
  return f.along ? units_of_block(plan) : ceil_div(params<FlatParams>(plan).outputs - 1, f.outputs_of_product) + 1;
}

std::size_t shared_bytes(const Plan& plan) {
  const std::int64_t xs = most_products_of_block(plan) * flat(plan.problem).terms;
  return static_cast<std::size_t>(flat_x_offset(plan) + xs * size_of_sum(plan.problem));
}

}  // namespace

Flat flat(const Problem& p) {
  const Stored s = stored(p);
  if (s.transposed)
    return {.along = false, .unit = s.rows, .outputs_of_unit = 1, .outputs_of_product = s.cols, .terms = s.rows};
  return {
      .along = true, .unit = s.rows * s.cols, .outputs_of_unit = s.rows, .outputs_of_product = s.rows, .terms = s.cols};
}

const char* why_not_flat(const Problem& p) {
  const Stored s = stored(p);
  if (p.accumulate != Accumulate::standard) return "the sums have more digits than usual";
  if (p.pointer_array) return "the matrices lie behind pointers";
  if (p.scalars == Scalars::device) return "the scalars lie on the device";
  if (p.lda != s.rows || p.stride_a != s.rows * s.cols) return "the matrices have gaps";
  const Flat f = flat(p);
  const std::int64_t most_vectors = kernels::gemv_flat_vectors * kernels::gemv_max_threads;
  if (f.unit > small || vectors_of(p, f.unit) > most_vectors / 2) return "the matrices are too large for shared memory";
  if (f.outputs_of_product >= small / 2) return "a product has too many outputs";
  return nullptr;
}

std::int64_t flat_x_offset(const Plan& plan) {
  return 16 * vectors_of(plan.problem, units_of_block(plan) * flat(plan.problem).unit);
}

Plan shape_flat(const Problem& p, int threads, int lanes, std::int64_t bytes) {
  const Flat f = flat(p);
  const std::int64_t v = vector_length(p), vectors = kernels::gemv_flat_vectors * threads;
  std::int64_t units = bytes / (f.unit * size_of(p.type_a));
  units = std::min({units, ((vectors - 1) * v + 1) / f.unit, small / 2 / f.outputs_of_unit, small / 2 / f.terms});
  Plan plan{.problem = p,
            .kernel = {.variant = Variant::gemv_flat},
            .threads = threads,
            .params = FlatParams{.lanes = lanes, .prefetch = prefetch_pays(p)}};
  FlatParams& shape = params<FlatParams>(plan);
  for (units = std::max<std::int64_t>(units, 1); units >= 1; units = units == 1 ? 0 : units / 2) {
    shape.outputs = units * f.outputs_of_unit;
    plan.shared_bytes = shared_bytes(plan);
    if (plan.shared_bytes <= most_shared_bytes) break;
  }
  shape.blocks = ceil_div(all_outputs(p), shape.outputs);
  return plan;
}

std::string why_illegal_flat(const Plan& plan) {
  const Problem& p = plan.problem;
  const FlatParams& shape = params<FlatParams>(plan);
  if (p.batch == 1) return "a single product";
  if (const char* reason = why_not_flat(p); reason != nullptr) return reason;
  const Flat f = flat(p);
  if (plan.threads < 32 || plan.threads > kernels::gemv_max_threads ||
      !std::has_single_bit(static_cast<unsigned>(plan.threads)))
    return "threads must be a power of two from 32 to 256";
  if (shape.lanes < 1 || shape.lanes > 32 || !std::has_single_bit(static_cast<unsigned>(shape.lanes)))
    return "lanes must be a power of two and at most a warp";
  if (shape.outputs < 1 || shape.outputs >= small || shape.outputs % f.outputs_of_unit != 0)
    return "the outputs of a block cut a matrix";
  if (vectors_of(p, units_of_block(plan) * f.unit) > kernels::gemv_flat_vectors * plan.threads)
    return "a block has more vectors than its threads";
  if (shape.outputs + f.outputs_of_product >= small || most_products_of_block(plan) * f.terms >= small)
    return "a block has too many outputs";
  if (shape.blocks != ceil_div(all_outputs(p), shape.outputs) || shape.blocks > INT32_MAX)
    return "the blocks do not cover the outputs";
  if (plan.workspace_bytes != 0) return "nothing is split here";
  if (plan.shared_bytes != shared_bytes(plan) || plan.shared_bytes > most_shared_bytes) return "shared_bytes is wrong";
  return "";
}

}  // namespace onepass
