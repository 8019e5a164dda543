// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of rank-1 updates by their names, their arguments and grids.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>
#include <utility>

#include "kernels/ger/ger.hpp"
#include "kernels/ger/ger_aligned.hpp"
#include "kernels/ger/ger_flat.hpp"
#include "launch/launch.hpp"

namespace onepass {

// A row-major A lies here transposed, and so its vectors change places; what is conjugated is y all the same.
inline kernels::GerArgs ger_args(const Plan& plan, const Operands& o) {
  const Problem& p = plan.problem;
  const kernels::GemvArgs product = product_args(p, o);
  kernels::GerArgs args{
      .a = const_cast<void*>(o.a),  // which a rank-1 update writes
      .along = product.x,
      .across = product.y,
      .lda = product.lda,
      .rows = product.rows,
      .cols = product.cols,
      .inc_along = p.incx,
      .inc_across = p.incy,
      .by_rows = reciprocal(product.rows),
      .conjugate_across = product.conjugate,
      .alpha = product.alpha,
      .batch = p.batch,
      .stride_a = p.stride_a,
      .stride_along = p.stride_x,
      .stride_across = p.stride_y,
      .first_along = product.first_x,
      .first_across = product.first_y,
      .alpha_pointer = product.alpha_pointer,
      .pointer_array = p.pointer_array,
  };
  if (p.layout == Layout::row) {
    std::swap(args.along, args.across);
    std::swap(args.inc_along, args.inc_across);
    std::swap(args.stride_along, args.stride_across);
    std::swap(args.first_along, args.first_across);
    std::swap(args.conjugate_along, args.conjugate_across);
  }
  if (const auto* flat = std::get_if<GerFlatParams>(&plan.params)) args.prefetch = flat->prefetch;
  if (const auto* tiles = std::get_if<GerParams>(&plan.params)) {
    args.columns = tiles->columns;
    args.log2_lanes = std::countr_zero(static_cast<unsigned>(tiles->lanes));
  }
  return args;
}

inline Grid ger_grid(const Plan& plan) {
  const std::int64_t products = std::min<std::int64_t>(plan.problem.batch, 65535);  // the rest by the same blocks
  if (const auto* flat = std::get_if<GerFlatParams>(&plan.params)) return {.x = flat->blocks, .z = products};
  const GerParams& tiles = params<GerParams>(plan);
  return {.x = tiles.tiles, .y = tiles.column_blocks, .z = products};
}

template <>
struct LaunchOf<Family::ger> {
  template <class E, KernelId id>
  static constexpr auto kernel() {
    if constexpr (id.variant == Variant::ger_aligned) return std::type_identity<kernels::GerAligned<E, id.form>>{};
    if constexpr (id.variant == Variant::ger_flat) return std::type_identity<kernels::GerFlat<E, id.form>>{};
    if constexpr (id.variant == Variant::ger) return std::type_identity<kernels::Ger<E, id.form>>{};
  }
  template <class E, KernelId id>
  using Kernel = typename decltype(kernel<E, id>())::type;
  template <KernelId id>
  using Args = kernels::GerArgs;

  template <class E, KernelId id, class Launcher>
  static Status run(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace) {
    return launcher.template run<Kernel<E, id>>(ger_grid(plan), plan.threads, plan.shared_bytes,
                                                ger_args(plan, operands));
  }
};

}  // namespace onepass
