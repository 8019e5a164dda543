// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of SYMV by their names, their arguments and grids. A batch too large for the grid, or with more partial
// sums than the workspace has mailboxes for, is several launches, one after the other in the stream.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "kernels/symv.hpp"
#include "kernels/symv_canonical.hpp"
#include "kernels/symv_rows.hpp"
#include "kernels/symv_rows_canonical.hpp"
#include "kernels/symv_small.hpp"
#include "kernels/symv_squares.hpp"
#include "kernels/symv_tiles.hpp"
#include "launch/launch.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/symv_shape.hpp"

namespace onepass {

// The operands from product `first` on.
inline Operands from_product(const Problem& p, const Operands& o, std::int64_t first) {
  // The operand of product `first`, or the place of its pointer.
  const auto from_first = [&](const void* data, std::int64_t stride, Type type) -> const void* {
    if (data == nullptr) return nullptr;
    const std::int64_t bytes = p.pointer_array ? static_cast<std::int64_t>(sizeof(void*)) : stride * size_of(type);
    return static_cast<const std::byte*>(data) + first * bytes;
  };
  return {.alpha = o.alpha,
          .a = from_first(o.a, p.stride_a, p.type_a),
          .x = from_first(o.x, p.stride_x, p.type_x),
          .beta = o.beta,
          .y = const_cast<void*>(from_first(o.y, p.stride_y, p.type_y)),
          .x_tail = o.x_tail,
          .y_tail = o.y_tail,
          .settled_a = o.settled_a && first == 0,
          .settled_x = o.settled_x && first == 0,
          .opens_first = o.opens_first && first == 0};
}

// For `count` products from product `first` on.
inline kernels::SymvArgs symv_args(const Plan& plan, const Operands& o, Workspace workspace, std::int64_t first,
                                   std::int64_t count) {
  const Problem& p = plan.problem;
  const SymvParams& shape = params<SymvParams>(plan);
  const bool tiles = has_units_of_tiles(plan);
  const SymvList list = tiles ? tiles_list(plan) : symv_list(plan);
  kernels::SymvArgs args{product_args(p, from_product(p, o, first))};
  args.chunk = shape.units;
  args.log2_lanes = std::countr_zero(static_cast<unsigned>(kernels::symv_lanes));
  args.log2_groups = std::countr_zero(
      static_cast<unsigned>(tiles ? tiles_unit(plan) : std::int64_t{plan.threads / kernels::symv_lanes}));
  args.tile = static_cast<int>(shape.strip_rows);
  args.splits = static_cast<int>(shape.blocks);
  args.prefetch = shape.prefetch;
  args.mailboxes = plan.workspace_bytes > 0 ? workspace.data : nullptr;
  args.timed_out = workspace.timed_out;
  args.batch = count;
  args.strips = static_cast<int>(shape.strips);
  args.panels = static_cast<int>(list.panels);
  args.panel_rows = static_cast<int>(shape.strip_rows / list.panels);
  args.align_mask = static_cast<int>(symv_run(p, plan.threads)) - 1;
  args.above = static_cast<int>(symv_above(p, plan.threads));
  args.lead = static_cast<int>(symv_lead(p, plan.threads));
  args.held = static_cast<int>(tiles ? tiles_held(plan) : symv_held(plan));
  args.keeps_rows = tiles && tiles_keep_rows(plan);
  args.log2_gathered = std::countr_zero(static_cast<std::uint64_t>(symv_gathered(plan)));
  args.units = static_cast<int>(list.units);
  args.tile_units = static_cast<int>(list.tile_units);
  args.least_units = static_cast<int>(list.least_units);
  args.most_units = static_cast<int>(list.most_units);
  if (tiles) args.larger = static_cast<int>(tiles_larger(plan));
  args.mailboxes_per_product = symv_mailboxes(plan);
  args.upper = stored(p).uplo == Uplo::upper;
  args.hermitian = row(p).hermitian;
  args.streams = symv_streams(plan);
  return args;
}

// The triangle of a product in the canonical order.
inline kernels::SymvCanonicalArgs triangle_canonical_args(const Problem& p, const Operands& o) {
  kernels::SymvCanonicalArgs args{product_args(p, o)};
  args.conjugate = false;
  args.upper = stored(p).uplo == Uplo::upper;
  args.hermitian = row(p).hermitian;
  args.conjugate_rows = stored(p).conjugate;
  args.conjugate_columns = stored(p).conjugate != row(p).hermitian;
  return args;
}

// For `count` products from product `first` on, of a plan whose variant is symv_canonical.
inline kernels::SymvCanonicalArgs symv_canonical_args(const Plan& plan, const Operands& o, Workspace workspace,
                                                      std::int64_t first, std::int64_t count) {
  const Problem& p = plan.problem;
  const SymvParams& shape = params<SymvParams>(plan);
  kernels::SymvCanonicalArgs args = triangle_canonical_args(p, from_product(p, o, first));
  args.mailboxes = workspace.data;
  args.timed_out = workspace.timed_out;
  args.batch = count;
  args.chunks = static_cast<int>(shape.strips);
  args.log2_parts = std::countr_zero(static_cast<std::uint64_t>(shape.units));
  args.working = shape.blocks;
  args.mailboxes_per_product = symv_canonical_mailboxes(plan);
  return args;
}

// An upper triangle is a lower one, seen from its last element backwards: its operands begin there.
inline void see_from_last_element(const Problem& p, kernels::GemvArgs& args, std::int64_t& first_a) {
  const auto reverse = [&](const void*& data, std::int64_t& first, std::int64_t step, Type type) {
    first += (p.n - 1) * step;
    if (!p.pointer_array && data != nullptr)
      data = static_cast<const std::byte*>(data) + (p.n - 1) * step * size_of(type);
  };
  const void* y = args.y;
  reverse(args.a, first_a, p.lda + 1, p.type_a);
  reverse(args.x, args.first_x, p.incx, p.type_x);
  reverse(y, args.first_y, p.incy, p.type_y);
  args.y = const_cast<void*>(y);
  args.incx = -args.incx;
  args.incy = -args.incy;
}

// Of a plan whose variant is symv_small.
inline kernels::SymvSmallArgs symv_small_args(const Plan& plan, const Operands& o) {
  const Problem& p = plan.problem;
  const int size = static_cast<int>(size_of(p.type_a));
  const SymvSmallParams& shape = params<SymvSmallParams>(plan);
  kernels::SymvSmallArgs args{product_args(p, o)};
  args.chunk = shape.pieces;
  args.prefetch = shape.prefetch;
  args.column_bytes = static_cast<int>(p.lda) * size;
  args.strips = static_cast<int>(small_strips(p));
  args.pieces = static_cast<int>(small_pieces(p));
  args.warps = static_cast<int>(small_warps(plan));
  args.log2_products = std::countr_zero(static_cast<std::uint64_t>(shape.products));
  args.hermitian = row(p).hermitian;
  if (stored(p).uplo == Uplo::lower) return args;
  see_from_last_element(p, args, args.first_a);
  args.column_bytes = -args.column_bytes;
  args.row_elements = -1;
  return args;
}

// A triangle that is loaded by single elements.
inline kernels::SymvRowsArgs triangle_args(const Plan& plan, const Operands& o, bool prefetch) {
  const Problem& p = plan.problem;
  const std::int64_t size = size_of(p.type_a);
  kernels::SymvRowsArgs args{product_args(p, o)};
  args.prefetch = prefetch && !o.starts_alone;
  args.column_bytes = p.lda * size;
  args.row_bytes = static_cast<int>(size);
  args.hermitian = row(p).hermitian;
  if (stored(p).uplo == Uplo::lower) return args;
  std::int64_t first_a = 0;
  see_from_last_element(p, args, first_a);
  args.column_bytes = -args.column_bytes;
  args.row_bytes = -args.row_bytes;
  return args;
}

// Of a plan whose variant is symv_rows.
inline kernels::SymvRowsArgs symv_rows_args(const Plan& plan, const Operands& o) {
  const SymvRowsParams& shape = params<SymvRowsParams>(plan);
  kernels::SymvRowsArgs args = triangle_args(plan, o, shape.prefetch);
  args.log2_lanes = std::countr_zero(static_cast<std::uint64_t>(shape.outputs));
  args.log2_groups = std::countr_zero(static_cast<std::uint64_t>(rows_team(plan))) - args.log2_lanes;
  return args;
}

// Of a plan whose variant is symv_squares.
inline kernels::SymvRowsArgs symv_squares_args(const Plan& plan, const Operands& o, Workspace workspace) {
  const SymvSquaresParams& shape = params<SymvSquaresParams>(plan);
  kernels::SymvRowsArgs args = triangle_args(plan, o, shape.prefetch);
  args.log2_groups = std::countr_zero(static_cast<std::uint64_t>(shape.squares));
  args.mailboxes = workspace.data;
  args.timed_out = workspace.timed_out;
  return args;
}

// Of a plan whose variant is symv_rows_canonical.
inline kernels::SymvCanonicalArgs symv_rows_canonical_args(const Plan& plan, const Operands& o) {
  kernels::SymvCanonicalArgs args = triangle_canonical_args(plan.problem, o);
  args.chunks = static_cast<int>(ceil_div(plan.problem.n, canonical::chunk));
  return args;
}

inline Grid symv_grid(const Plan& plan, std::int64_t count) {
  const std::int64_t combining = symv_mailboxes(plan) == 0 ? 0 : symv_gathering_blocks(plan);
  return {.x = params<SymvParams>(plan).blocks + combining, .y = 1, .z = count};
}

template <>
struct LaunchOf<Family::symv> {
  template <class E, KernelId id>
  static constexpr auto kernel() {
    if constexpr (id.variant == Variant::symv) return std::type_identity<kernels::Symv<E, id.form>>{};
    if constexpr (id.variant == Variant::symv_small) return std::type_identity<kernels::SymvSmall<E>>{};
    if constexpr (id.variant == Variant::symv_tiles) return std::type_identity<kernels::SymvTiles<E>>{};
    if constexpr (id.variant == Variant::symv_canonical)
      return std::type_identity<kernels::SymvCanonical<E, id.form>>{};
    if constexpr (id.variant == Variant::symv_rows_canonical)
      return std::type_identity<kernels::SymvRowsCanonical<E>>{};
    if constexpr (id.variant == Variant::symv_rows) return std::type_identity<kernels::SymvRows<E, id.loads>>{};
    if constexpr (id.variant == Variant::symv_squares) return std::type_identity<kernels::SymvSquares<E, id.loads>>{};
  }
  template <class E, KernelId id>
  using Kernel = typename decltype(kernel<E, id>())::type;
  template <KernelId id>
  using Args = std::conditional_t<
      id.variant == Variant::symv_small, kernels::SymvSmallArgs,
      std::conditional_t<
          id.variant == Variant::symv_rows || id.variant == Variant::symv_squares, kernels::SymvRowsArgs,
          std::conditional_t<id.variant == Variant::symv_canonical || id.variant == Variant::symv_rows_canonical,
                             kernels::SymvCanonicalArgs, kernels::SymvArgs>>>;

  template <class E, KernelId id, class Launcher>
  static Status run(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace workspace) {
    const auto launch = [&](Grid grid, const Args<id>& args) {
      return launcher.template run<Kernel<E, id>>(grid, plan.threads, plan.shared_bytes, args);
    };
    if constexpr (id.variant == Variant::symv_small) {
      return launch({.x = params<SymvSmallParams>(plan).blocks}, symv_small_args(plan, operands));
    } else if constexpr (id.variant == Variant::symv_rows) {
      return launch({.x = params<SymvRowsParams>(plan).blocks}, symv_rows_args(plan, operands));
    } else if constexpr (id.variant == Variant::symv_squares) {
      return launch({.x = params<SymvSquaresParams>(plan).blocks}, symv_squares_args(plan, operands, workspace));
    } else if constexpr (id.variant == Variant::symv_rows_canonical) {
      return launch({.x = params<SymvRowsParams>(plan).blocks}, symv_rows_canonical_args(plan, operands));
    } else if constexpr (id.variant == Variant::symv_canonical) {
      const std::int64_t products = symv_canonical_products(plan);
      for (std::int64_t first = 0; first < plan.problem.batch; first += products) {
        const std::int64_t count = std::min(products, plan.problem.batch - first);
        Status status = launch({.x = symv_canonical_blocks(plan), .z = count},
                               symv_canonical_args(plan, operands, workspace, first, count));
        if (!status.ok()) return status;
      }
      return {};
    } else {
      const std::int64_t products = std::max<std::int64_t>(symv_products(plan), 1);
      for (std::int64_t first = 0; first < plan.problem.batch; first += products) {
        const std::int64_t count = std::min(products, plan.problem.batch - first);
        Status status = launch(symv_grid(plan, count), symv_args(plan, operands, workspace, first, count));
        if (!status.ok()) return status;
      }
      return {};
    }
  }
};

}  // namespace onepass
