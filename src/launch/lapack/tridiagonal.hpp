// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of the tridiagonal reduction.
#pragma once

#include <algorithm>
#include <cstdlib>

#include "kernels/lapack/reductions/tridiagonal.hpp"
#include "kernels/lapack/reductions/tridiagonal_next_column.hpp"
#include "kernels/lapack/reductions/tridiagonal_one_block.hpp"
#include "kernels/lapack/reductions/tridiagonal_panel.hpp"
#include "lapack/gpu/reductions/chip_shapes.hpp"
#include "launch/lapack/rank_2k.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

// A region of memory whose rows and columns may have negative steps, by its first element in that order.
inline Region turned(Region region, std::int64_t step) {
  if (step < 0)
    region.data = static_cast<const std::byte*>(region.data) -
                  (region.rows - 1 + (region.columns - 1) * region.ld) * region.element;
  return region;
}

// What all kernels but the update are given: the lower triangle of order n that is left, perhaps turned around, and the
// results of `columns` of it, with what the launch before this one has left of these.
template <class A, class Memory>
void add_tridiagonal(const kernels::TridiagonalOperands& g, std::int64_t n, std::int64_t columns, Holds left,
                     Memory& memory) {
  constexpr std::int64_t element = sizeof(A), real = sizeof(RealOf<A>);
  const std::int64_t step = g.row_step, beside = std::min(columns, n - 1);
  memory.add_matrix(turned({.name = "A",
                            .data = g.a,
                            .rows = n,
                            .columns = n,
                            .ld = std::abs(g.col_step),
                            .element = element,
                            .part = step < 0 ? Part::upper : Part::lower},
                           step));
  memory.add_barrier(g.barrier);
  memory.add(turned({.name = "d", .data = g.d, .rows = columns, .element = real, .holds = left}, step));
  memory.add(turned({.name = "e", .data = g.e, .rows = beside, .element = real, .holds = left}, step));
  memory.add(turned({.name = "tau", .data = g.tau, .rows = beside, .element = element, .holds = left}, step));
  memory.add({.name = "scale", .data = g.scale, .rows = 2, .element = real, .holds = Holds::constants});
  if (g.unit == nullptr) return;
  memory.add({.name = "unit", .data = g.unit, .element = element});
  memory.add({.name = "value of unit", .data = g.unit_value, .element = real, .holds = Holds::constants});
}

template <>
struct KernelsOf<Step::tridiagonal_on_chip> : OnChip {
  template <class A, int number, ChipShape shape = tridiagonal_shapes.of(sizeof(A))[number]>
  using Kernel = kernels::Tridiagonal<A, shape.rows_of_thread, shape.columns_in_registers>;
  template <class A, int shape, class Memory>
  static void regions(const kernels::TridiagonalArgs& g, const Work&, Memory& memory) {
    add_tridiagonal<A>(g, g.n, g.steps == g.n - 1 ? g.n : g.steps, Holds::nothing, memory);
    memory.add({.name = "exchange", .data = g.exchange, .rows = 4 * Kernel<A, shape>::rows, .element = sizeof(A)});
  }
};

template <>
struct KernelsOf<Step::tridiagonal_one_block> : OneShape {
  template <class A, int>
  using Kernel = kernels::TridiagonalOneBlock<A, kernels::one_block_rows_of_lane(sizeof(A))>;
  template <class A, int, class Memory>
  static void regions(const kernels::TridiagonalArgs& g, const Work&, Memory& memory) {
    add_tridiagonal<A>(g, g.n, g.n, Holds::nothing, memory);
  }
};

// The shape is a PanelPart: panels that are begun by the update before them are those of double precision.
template <>
struct KernelsOf<Step::tridiagonal_panel> {
  static constexpr std::array shapes = {static_cast<int>(kernels::PanelPart::all),
                                        static_cast<int>(kernels::PanelPart::first_column),
                                        static_cast<int>(kernels::PanelPart::others)};
  template <class A, int shape>
  static constexpr bool has = shape == static_cast<int>(kernels::PanelPart::all) || sizeof(RealOf<A>) == 8;
  template <class A, int shape>
  using Kernel = kernels::TridiagonalPanel<A, static_cast<kernels::PanelPart>(shape)>;

  template <class A, int shape, class Memory>
  static void regions(const kernels::TridiagonalPanelArgs& g, const Work& work, Memory& memory) {
    using kernels::PanelPart;
    constexpr std::int64_t element = sizeof(A), real = sizeof(RealOf<A>);
    // The launches of a panel in two parts find what those before them have left.
    constexpr PanelPart part = static_cast<PanelPart>(shape);
    constexpr Holds begun = part == PanelPart::all ? Holds::nothing : Holds::data,
                    others = part == PanelPart::others ? Holds::data : Holds::nothing;
    using Panel = Kernel<A, shape>;
    const kernels::PanelTiles tiles(g.m - g.columns, Panel::slabs, Panel::Shape::row_parts, work.blocks);
    const int of_update = kernels::Rank2kTiles(g.m, {sizeof(A), sizeof(RealOf<A>)}, g.row_step > 0).slots();
    const std::int64_t slots = part == PanelPart::all ? tiles.slots() : std::max(tiles.slots(), of_update);
    add_tridiagonal<A>(g, g.m, g.columns, begun, memory);
    const auto add = [&](const char* name, const void* data, std::int64_t rows, std::int64_t size, Holds holds) {
      memory.add({.name = name, .data = data, .rows = rows, .element = size, .holds = holds});
    };
    memory.add(turned({.name = "W",
                       .data = g.w,
                       .rows = g.m,
                       .columns = g.columns,
                       .ld = std::abs(g.w_col_step),
                       .element = element,
                       .holds = others},
                      g.row_step));
    add("x", g.x, 2 * std::int64_t{tiles.x_pitch(g.columns)}, element, begun);
    add("norms", g.norms, work.blocks, real, begun);
    add("sums of tiles", g.sums, slots * tiles.pitch(), element, begun);
    add("dot products", g.dots, 4 * kernels::panel_columns, element, others);
    add("squares", g.squares, work.blocks, real, others);
  }
};

template <>
struct KernelsOf<Step::tridiagonal_next_column> : OneShape {
  template <class A, int>
  static constexpr bool has = sizeof(RealOf<A>) == 8;
  template <class A, int>
  using Kernel = kernels::TridiagonalNextColumn<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::TridiagonalNextColumnArgs& g, const Work& work, Memory& memory) {
    constexpr std::int64_t element = sizeof(A), real = sizeof(RealOf<A>);
    const auto add = [&](const char* name, const void* data, std::int64_t columns, std::int64_t step) {
      memory.add(turned({.name = name,
                         .data = data,
                         .rows = g.m,
                         .columns = columns,
                         .ld = std::abs(step),
                         .element = element,
                         .holds = Holds::constants},
                        g.row_step));
    };
    add("column", g.a, 1, 0);
    add("V", g.v, g.terms, g.col_step);
    add("W", g.w, g.terms, g.w_col_step);
    memory.add({.name = "d", .data = g.d, .element = real});
    memory.add({.name = "scale", .data = g.scale, .rows = 2, .element = real, .holds = Holds::constants});
    memory.add({.name = "x", .data = g.x, .rows = g.x_end, .element = element});
    memory.add({.name = "norms", .data = g.norms, .rows = work.blocks, .element = real});
  }
};

template <>
struct KernelsOf<Step::rank_2k_update> : Rank2kKernels<true> {
  static constexpr std::array shapes = {0, kernels::rank_2k_aligned, kernels::rank_2k_multiplies,
                                        kernels::rank_2k_aligned + kernels::rank_2k_multiplies};
};

}  // namespace onepass::lapack
