// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels of SYMV by their names, their arguments and grids. A batch too large for the grid, or with more partial
// sums than the workspace has mailboxes for, is several launches, one after the other in the stream.
#pragma once

#include <algorithm>
#include <bit>
#include <type_traits>

#include "kernels/symv/symv_canonical.hpp"
#include "kernels/symv/symv_rows.hpp"
#include "kernels/symv/symv_rows_canonical.hpp"
#include "kernels/symv/symv_small.hpp"
#include "kernels/symv/symv_squares.hpp"
#include "kernels/symv/symv_tiles.hpp"
#include "launch/launch.hpp"
#include "plan/gemv_shape.hpp"
#include "plan/symv_shape.hpp"

namespace onepass {

// The operands from product `first` on.
inline Operands from_product(const Problem& p, const Operands& o, std::int64_t first) {
  if (first == 0) return o;
  // The operand of product `first`, or the place of its pointer.
  const auto from_first = [&](const void* data, std::int64_t stride, Type type) -> const void* {
    if (data == nullptr) return nullptr;
    const std::int64_t bytes = p.pointer_array ? static_cast<std::int64_t>(sizeof(void*)) : stride * size_of(type);
    return static_cast<const std::byte*>(data) + first * bytes;
  };
  Operands from = o;
  from.a = from_first(o.a, p.stride_a, p.type_a);
  from.x = from_first(o.x, p.stride_x, p.type_x);
  from.y = const_cast<void*>(from_first(o.y, p.stride_y, p.type_y));
  from.settled_a = from.settled_x = from.opens_first = false;
  return from;
}

// Of a plan whose variant is symv_tiles.
inline kernels::SymvTilesArgs symv_tiles_args(const Plan& plan, const Operands& o, Workspace workspace) {
  const Problem& p = plan.problem;
  const SymvParams& shape = params<SymvParams>(plan);
  const TilesList list = tiles_list(plan);
  kernels::SymvTilesArgs args{product_args(p, o)};
  args.chunk = shape.units;
  args.log2_groups = std::countr_zero(static_cast<std::uint64_t>(tiles_unit(plan)));
  args.tile = static_cast<int>(shape.strip_rows);
  args.splits = static_cast<int>(shape.blocks);
  args.mailboxes = workspace.data;
  args.timed_out = workspace.timed_out;
  args.strips = static_cast<int>(shape.strips);
  args.held = static_cast<int>(tiles_held(plan));
  args.log2_gathered = std::countr_zero(static_cast<std::uint64_t>(tiles_gathered(plan)));
  args.units = static_cast<int>(list.units);
  args.tile_units = static_cast<int>(list.tile_units);
  args.least_units = static_cast<int>(list.least_units);
  args.most_units = static_cast<int>(list.most_units);
  args.larger = static_cast<int>(tiles_larger(plan));
  args.upper = stored(p).uplo == Uplo::upper;
  args.hermitian = row(p).hermitian;
  args.keeps_rows = tiles_keep_rows(plan);
  args.streams = tiles_stream(plan);
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
  const void *y = args.y, *y_tail = args.y_tail;
  std::int64_t of_tails = 0;
  reverse(args.a, first_a, p.lda + 1, p.type_a);
  reverse(args.x, args.first_x, p.incx, p.type_x);
  reverse(y, args.first_y, p.incy, p.type_y);
  reverse(args.x_tail, of_tails, p.incx, p.type_x);
  reverse(y_tail, of_tails, p.incy, p.type_y);
  args.y = const_cast<void*>(y);
  args.y_tail = const_cast<void*>(y_tail);
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
inline kernels::SymvRowsArgs triangle_args(const Problem& p, const Operands& o, bool prefetch, std::int64_t& first_a) {
  const std::int64_t size = size_of(p.type_a);
  kernels::SymvRowsArgs args{product_args(p, o)};
  args.prefetch = prefetch && !o.starts_alone;
  args.column_bytes = p.lda * size;
  args.row_bytes = static_cast<int>(size);
  args.hermitian = row(p).hermitian;
  if (stored(p).uplo == Uplo::lower) return args;
  see_from_last_element(p, args, first_a);
  args.column_bytes = -args.column_bytes;
  args.row_bytes = -args.row_bytes;
  return args;
}

// Of a plan whose variant is symv_rows.
inline kernels::SymvRowsArgs symv_rows_args(const Plan& plan, const Operands& o) {
  const SymvRowsParams& shape = params<SymvRowsParams>(plan);
  std::int64_t first_a = 0;
  kernels::SymvRowsArgs args = triangle_args(plan.problem, o, shape.prefetch, first_a);
  args.log2_lanes = std::countr_zero(static_cast<std::uint64_t>(shape.outputs));
  args.log2_groups = std::countr_zero(static_cast<std::uint64_t>(rows_team(plan))) - args.log2_lanes;
  return args;
}

// From product `first` on, of a plan whose variant is symv_squares.
inline kernels::SymvSquaresArgs symv_squares_args(const Plan& plan, const Operands& o, Workspace workspace,
                                                  std::int64_t first) {
  const SymvSquaresParams& shape = params<SymvSquaresParams>(plan);
  kernels::SymvSquaresArgs args;
  static_cast<kernels::SymvRowsArgs&>(args) =
      triangle_args(plan.problem, from_product(plan.problem, o, first), shape.prefetch, args.first_a);
  args.tile = static_cast<int>(shape.tiles * squares_tile(plan.problem, plan.kernel.loads));
  args.log2_groups = std::countr_zero(static_cast<std::uint64_t>(shape.squares));
  args.mailboxes = workspace.data;
  args.timed_out = workspace.timed_out;
  args.mailboxes_per_product = squares_mailboxes(plan);
  return args;
}

// Of a plan whose variant is symv_rows_canonical.
inline kernels::SymvCanonicalArgs symv_rows_canonical_args(const Plan& plan, const Operands& o) {
  kernels::SymvCanonicalArgs args = triangle_canonical_args(plan.problem, o);
  args.chunks = static_cast<int>(ceil_div(plan.problem.n, canonical::chunk));
  return args;
}

template <>
struct LaunchOf<Family::symv> {
  template <class E, KernelId id>
  static constexpr auto kernel() {
    if constexpr (id.variant == Variant::symv_small) return std::type_identity<kernels::SymvSmall<E>>{};
    if constexpr (id.variant == Variant::symv_tiles) return std::type_identity<kernels::SymvTiles<E>>{};
    if constexpr (id.variant == Variant::symv_canonical)
      return std::type_identity<kernels::SymvCanonical<E, id.form>>{};
    if constexpr (id.variant == Variant::symv_rows_canonical)
      return std::type_identity<kernels::SymvRowsCanonical<E>>{};
    if constexpr (id.variant == Variant::symv_rows) return std::type_identity<kernels::SymvRows<E, id.loads>>{};
    if constexpr (id.variant == Variant::symv_squares)
      return std::type_identity<kernels::SymvSquares<E, id.form, id.loads>>{};
  }
  template <KernelId id>
  static constexpr auto args() {
    if constexpr (id.variant == Variant::symv_small) return kernels::SymvSmallArgs{};
    if constexpr (id.variant == Variant::symv_tiles) return kernels::SymvTilesArgs{};
    if constexpr (id.variant == Variant::symv_rows) return kernels::SymvRowsArgs{};
    if constexpr (id.variant == Variant::symv_squares) return kernels::SymvSquaresArgs{};
    if constexpr (id.variant == Variant::symv_canonical || id.variant == Variant::symv_rows_canonical)
      return kernels::SymvCanonicalArgs{};
  }
  template <class E, KernelId id>
  using Kernel = typename decltype(kernel<E, id>())::type;
  template <KernelId id>
  using Args = decltype(args<id>());

  template <class E, KernelId id, class Launcher>
  static Status run(const Launcher& launcher, const Plan& plan, const Operands& operands, Workspace workspace) {
    const auto launch = [&](Grid grid, const Args<id>& args) {
      return launcher.template run<Kernel<E, id>>(grid, plan.threads, plan.shared_bytes, args);
    };
    // launch_some(first, count) of so many products at a time.
    const auto in_turn = [&](std::int64_t products, auto launch_some) {
      Status status;
      for (std::int64_t first = 0; first < plan.problem.batch && status.ok(); first += products)
        status = launch_some(first, std::min(products, plan.problem.batch - first));
      return status;
    };
    if constexpr (id.variant == Variant::symv_small) {
      return launch({.x = params<SymvSmallParams>(plan).blocks}, symv_small_args(plan, operands));
    } else if constexpr (id.variant == Variant::symv_rows) {
      return launch({.x = params<SymvRowsParams>(plan).blocks}, symv_rows_args(plan, operands));
    } else if constexpr (id.variant == Variant::symv_rows_canonical) {
      return launch({.x = params<SymvRowsParams>(plan).blocks}, symv_rows_canonical_args(plan, operands));
    } else if constexpr (id.variant == Variant::symv_tiles) {
      return launch({.x = params<SymvParams>(plan).blocks + ceil_div(plan.problem.n, tiles_gathered(plan))},
                    symv_tiles_args(plan, operands, workspace));
    } else if constexpr (id.variant == Variant::symv_squares) {
      return in_turn(squares_products(plan), [&](std::int64_t first, std::int64_t count) {
        return launch({.x = params<SymvSquaresParams>(plan).blocks, .z = count},
                      symv_squares_args(plan, operands, workspace, first));
      });
    } else {
      return in_turn(symv_canonical_products(plan), [&](std::int64_t first, std::int64_t count) {
        return launch({.x = symv_canonical_blocks(plan), .z = count},
                      symv_canonical_args(plan, operands, workspace, first, count));
      });
    }
  }
};

}  // namespace onepass
