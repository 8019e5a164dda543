// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/gemv_args.hpp"

#include <bit>
#include <cstring>

#include "plan/gemv_flat.hpp"
#include "plan/gemv_shape.hpp"
#include "problem/scalar.hpp"

namespace onepass {
namespace {

kernels::Scalar scalar(const Problem& p, const void* value) {
  kernels::Scalar result;
  if (p.scalars == Scalars::host) std::memcpy(result.bytes, value, static_cast<std::size_t>(size_of_sum(p.type_a)));
  return result;
}

// A vector's first element as BLAS counts; a pointer array stays as it is.
const void* start(const Problem& p, const void* vector, std::int64_t first, Type type) {
  if (p.pointer_array || vector == nullptr) return vector;
  return static_cast<const std::byte*>(vector) + first * size_of(type);
}

}  // namespace

std::uint32_t reciprocal(std::int64_t d) {
  return static_cast<std::uint32_t>(0xffffffffu / static_cast<std::uint64_t>(d) + 1);
}

kernels::GemvArgs product_args(const Problem& p, const Operands& o) {
  const Stored s = stored(p);
  const std::int64_t first_x = first_element(length_x(p), p.incx), first_y = first_element(length_y(p), p.incy);
  const bool on_device = p.scalars == Scalars::device;
  return {
      .a = o.a,
      .x = start(p, o.x, first_x, p.type_x),
      .y = const_cast<void*>(start(p, o.y, first_y, p.type_y)),
      .lda = p.lda,
      .rows = s.rows,
      .cols = s.cols,
      .incx = p.incx,
      .incy = p.incy,
      .conjugate = s.conjugate,
      .wide_y = p.type_y != p.type_a,
      .alpha = scalar(p, o.alpha),
      .beta = row(p).has_beta ? scalar(p, o.beta) : kernels::Scalar{},
      .batch = p.batch,
      .stride_a = p.stride_a,
      .stride_x = p.stride_x,
      .stride_y = p.stride_y,
      .first_x = first_x,
      .first_y = first_y,
      .alpha_pointer = on_device ? o.alpha : nullptr,
      .beta_pointer = on_device ? o.beta : nullptr,
      .pointer_array = p.pointer_array,
  };
}

kernels::GemvArgs gemv_args(const Plan& plan, const Operands& o, Workspace workspace) {
  const GemvParams& g = params<GemvParams>(plan);
  kernels::GemvArgs args = product_args(plan.problem, o);
  args.chunk = g.chunk;
  args.log2_lanes = std::countr_zero(static_cast<unsigned>(g.lanes));
  args.log2_groups = std::countr_zero(static_cast<unsigned>(plan.threads / g.lanes));
  args.tile = static_cast<int>(g.tile);
  args.log2_step = std::countr_zero(static_cast<unsigned>(bundle_step(plan)));
  args.splits = static_cast<int>(g.splits);
  args.prefetch_vectors = g.prefetch_vectors;
  args.prefetch_blocks = static_cast<int>(g.prefetch_blocks);
  args.mailboxes = g.splits > 1 ? workspace.data : nullptr;
  args.timed_out = workspace.timed_out;
  args.products_per_block = g.products_per_block;
  return args;
}

kernels::GemvFlatArgs gemv_flat_args(const Plan& plan, const Operands& o) {
  const Problem& p = plan.problem;
  const FlatParams& shape = params<FlatParams>(plan);
  const Stored s = stored(p);
  const Flat f = flat(p);
  kernels::GemvArgs gemv = product_args(p, o);
  gemv.log2_lanes = std::countr_zero(static_cast<unsigned>(shape.lanes));
  gemv.log2_groups = std::countr_zero(static_cast<unsigned>(plan.threads / shape.lanes));
  gemv.tile = static_cast<int>(shape.outputs);
  gemv.prefetch = shape.prefetch;
  return {
      .gemv = gemv,
      .outputs = f.outputs_of_product * p.batch,
      .elements = s.rows * s.cols * p.batch,
      .outputs_of_product = static_cast<int>(f.outputs_of_product),
      .unit = static_cast<int>(f.unit),
      .terms = static_cast<int>(f.terms),
      .step = f.along ? static_cast<int>(s.rows) : 1,
      .x_offset = static_cast<int>(flat_x_offset(plan)),
      .by_outputs = reciprocal(f.outputs_of_product),
      .by_terms = reciprocal(f.terms),
      .along = f.along,
  };
}

Grid gemv_grid(const Plan& plan) {
  if (plan.kernel.variant == Variant::gemv_flat) return {.x = params<FlatParams>(plan).blocks};
  const GemvParams& g = params<GemvParams>(plan);
  return {.x = g.tiles, .y = g.splits, .z = ceil_div(plan.problem.batch, g.products_per_block)};
}

}  // namespace onepass
