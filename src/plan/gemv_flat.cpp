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

// Vectors of a run of elements at the worst of its offsets.
std::int64_t vectors_of(const Problem& p, std::int64_t elements) {
  const std::int64_t v = vector_length(p);
  return ceil_div(elements + v - 1, v);
}

// The elements of a block with so many outputs, in front of the staged x.
std::int64_t vectors_of_block(const Problem& p, std::int64_t outputs) {
  return vectors_of(p, outputs / flat(p).outputs_of_unit * flat(p).unit);
}
std::int64_t x_offset(const Problem& p, std::int64_t outputs) { return 16 * vectors_of_block(p, outputs); }

std::int64_t most_products_of_block(const Problem& p, std::int64_t outputs) {
  const Flat f = flat(p);
  return f.along ? outputs / f.outputs_of_unit : ceil_div(outputs - 1, f.outputs_of_product) + 1;
}

std::int64_t shared_bytes(const Problem& p, std::int64_t outputs) {
  return x_offset(p, outputs) + most_products_of_block(p, outputs) * flat(p).terms * size_of_sum(p);
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

std::int64_t flat_x_offset(const Plan& plan) { return x_offset(plan.problem, params<FlatParams>(plan).outputs); }

FlatShape flat_shape(const Problem& p, int threads, std::int64_t bytes) {
  const Flat f = flat(p);
  const std::int64_t v = vector_length(p), vectors = kernels::gemv_flat_vectors * threads;
  std::int64_t units = bytes / (f.unit * size_of(p.type_a));
  units = std::min({units, ((vectors - 1) * v + 1) / f.unit, small / 2 / f.outputs_of_unit, small / 2 / f.terms});
  FlatShape shape;
  for (units = std::max<std::int64_t>(units, 1); units >= 1; units = units == 1 ? 0 : units / 2) {
    shape.outputs = units * f.outputs_of_unit;
    shape.shared_bytes = shared_bytes(p, shape.outputs);
    if (shape.shared_bytes <= most_shared_bytes) break;
  }
  if (vectors_of_block(p, shape.outputs) <= vectors) shape.blocks = ceil_div(all_outputs(p), shape.outputs);
  return shape;
}

Plan shape_flat(const Problem& p, int threads, int lanes, std::int64_t bytes) {
  const FlatShape shape = flat_shape(p, threads, bytes);
  return {
      .problem = p,
      .kernel = {.variant = Variant::gemv_flat},
      .threads = threads,
      .params =
          FlatParams{.lanes = lanes, .outputs = shape.outputs, .blocks = shape.blocks, .prefetch = prefetch_pays(p)},
      .shared_bytes = static_cast<std::size_t>(shape.shared_bytes)};
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
  if (vectors_of_block(p, shape.outputs) > kernels::gemv_flat_vectors * plan.threads)
    return "a block has more vectors than its threads";
  if (shape.outputs + f.outputs_of_product >= small || most_products_of_block(p, shape.outputs) * f.terms >= small)
    return "a block has too many outputs";
  if (shape.blocks != ceil_div(all_outputs(p), shape.outputs) || shape.blocks > INT32_MAX)
    return "the blocks do not cover the outputs";
  if (plan.workspace_bytes != 0) return "nothing is split here";
  if (plan.shared_bytes != static_cast<std::size_t>(shared_bytes(p, shape.outputs)) ||
      plan.shared_bytes > most_shared_bytes)
    return "shared_bytes is wrong";
  return "";
}

}  // namespace onepass
