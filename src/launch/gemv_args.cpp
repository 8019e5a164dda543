// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "launch/gemv_args.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

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

kernels::GemvArgs gemv_args(const Plan& plan, const Operands& o, Workspace workspace) {
  const Problem& p = plan.problem;
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
      .chunk = plan.chunk,
      .incx = p.incx,
      .incy = p.incy,
      .log2_lanes = std::countr_zero(static_cast<unsigned>(plan.lanes)),
      .log2_groups = std::countr_zero(static_cast<unsigned>(plan.threads / plan.lanes)),
      .tile = static_cast<int>(plan.tile),
      .log2_step = std::countr_zero(static_cast<unsigned>(bundle_step(plan))),
      .splits = static_cast<int>(plan.splits),
      .conjugate = s.conjugate,
      .wide_y = p.type_y != p.type_a,
      .prefetch = plan.prefetch,
      .alpha = scalar(p, o.alpha),
      .beta = scalar(p, o.beta),
      .boxes = plan.splits > 1 ? workspace.data : nullptr,
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

Grid gemv_grid(const Plan& plan) {
  return {.x = plan.tiles, .y = plan.splits, .z = std::min<std::int64_t>(plan.problem.batch, 65535)};
}

}  // namespace onepass
