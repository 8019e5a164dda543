// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of the bidiagonal reduction.
#pragma once

#include <algorithm>
#include <array>
#include <functional>

#include "kernels/lapack/reductions/bidiagonal.hpp"
#include "kernels/lapack/reductions/bidiagonal_panel.hpp"
#include "lapack/gpu/reductions/chip_shapes.hpp"
#include "launch/lapack/rank_2k.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

// What both kernels are given.
template <class A, class Memory>
void add_bidiagonal(const kernels::BidiagonalOperands& g, Memory& memory) {
  constexpr std::int64_t element = sizeof(A), real = sizeof(RealOf<A>);
  memory.add_matrix({.name = "A", .data = g.a, .rows = g.m, .columns = g.n, .ld = g.lda, .element = element});
  memory.add_barrier(g.barrier);
  memory.add({.name = "scale", .data = g.scale, .rows = 2, .element = real, .holds = Holds::constants});
  memory.add({.name = "d", .data = g.d, .rows = g.columns, .element = real});
  memory.add({.name = "e", .data = g.e, .rows = std::min(g.columns, g.n - 1), .element = real});
  memory.add({.name = "tauq", .data = g.tauq, .rows = g.columns, .element = element});
  memory.add({.name = "taup", .data = g.taup, .rows = g.columns, .element = element});
}

template <>
struct KernelsOf<Step::bidiagonal_on_chip> : OnChip {
  template <class A, int number, ChipShape shape = bidiagonal_shapes.of(sizeof(A))[number]>
  using Kernel = kernels::Bidiagonal<A, shape.rows_of_thread, shape.columns_in_registers, shape.rows_in_registers>;
  template <class A, int shape, class Memory>
  static void regions(const kernels::BidiagonalArgs& g, const Work&, Memory& memory) {
    add_bidiagonal<A>(g, memory);
    memory.add({.name = "exchange", .data = g.exchange, .rows = 4 * Kernel<A, shape>::rows, .element = sizeof(A)});
  }
};

// The shape is the number of vectors of a thread; negative, if columns are in parts.
template <>
struct KernelsOf<Step::bidiagonal_panel> {
  static constexpr auto shapes = [] {
    const auto& some = kernels::stream_vectors_of_shapes;
    const auto& of_long = kernels::stream_vectors_of_long_columns;
    const auto& in_parts = kernels::stream_vectors_in_parts;
    std::array<int, std::size(some) + std::size(of_long) + std::size(in_parts)> all{};
    auto* const end = std::ranges::copy(of_long, std::ranges::copy(some, all.begin()).out).out;
    std::ranges::transform(in_parts, end, std::negate{});
    return all;
  }();
  template <class A, int shape>
  static constexpr bool has = shape <= kernels::stream_vectors || kernels::stream_holds_long_columns(shape, sizeof(A));
  template <class A, int shape>
  using Kernel = kernels::BidiagonalPanel<A, (shape < 0 ? -shape : shape), (shape < 0)>;
  template <class A, int, class Memory>
  static void regions(const kernels::BidiagonalPanelArgs& g, const Work& work, Memory& memory) {
    constexpr std::int64_t both = 2 * kernels::stream_columns, element = sizeof(A), real = sizeof(RealOf<A>);
    const std::int64_t blocks = work.blocks, pitch = kernels::stream_pitch(g.m);
    add_bidiagonal<A>(g, memory);
    memory.add({.name = "P", .data = g.p, .rows = g.p_ld * both, .element = element});
    memory.add({.name = "Q", .data = g.q, .rows = g.q_ld * both, .element = element});
    memory.add({.name = "column", .data = g.column, .rows = pitch, .element = element});
    memory.add({.name = "row sums", .data = g.row_sums, .rows = blocks * pitch, .element = element});
    memory.add({.name = "row", .data = g.row, .rows = g.n, .element = element});
    memory.add({.name = "column norms", .data = g.column_norms, .rows = blocks, .element = real});
    memory.add({.name = "row norms", .data = g.row_norms, .rows = blocks, .element = real});
    memory.add({.name = "dot products of P", .data = g.p_dots, .rows = blocks * both, .element = element});
    memory.add({.name = "dot products of Q", .data = g.q_dots, .rows = blocks * both, .element = element});
  }
};

template <>
struct KernelsOf<Step::rank_k_update> : Rank2kKernels<false> {
  static constexpr std::array shapes = {0, kernels::rank_2k_aligned};
};

}  // namespace onepass::lapack
