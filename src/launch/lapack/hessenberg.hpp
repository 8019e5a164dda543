// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of the Hessenberg reduction.
#pragma once

#include "kernels/lapack/reductions/hessenberg.hpp"
#include "kernels/lapack/reductions/hessenberg_panel.hpp"
#include "lapack/gpu/reductions/chip_shapes.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

template <>
struct KernelsOf<Step::hessenberg_on_chip> : OnChip {
  template <class A, int number, ChipShape shape = hessenberg_shapes.of(sizeof(A))[number]>
  using Kernel = kernels::Hessenberg<A, shape.rows_of_thread, shape.columns_in_registers, shape.rows_in_registers>;
  template <class A, int shape, class Memory>
  static void regions(const kernels::HessenbergArgs& g, const Work&, Memory& memory) {
    memory.add_matrix({.name = "A", .data = g.a, .rows = g.n, .columns = g.n, .ld = g.lda, .element = sizeof(A)});
    memory.add_barrier(g.barrier);
    memory.add({.name = "tau", .data = g.tau, .rows = g.n - 1, .element = sizeof(A)});
    memory.add({.name = "exchange", .data = g.exchange, .rows = 6 * Kernel<A, shape>::rows, .element = sizeof(A)});
  }
};

// The shape is the number of vectors of a thread.
template <>
struct KernelsOf<Step::hessenberg_panel> : OneShape {
  static constexpr auto shapes = std::to_array(kernels::stream_vectors_of_shapes);
  template <class A, int vectors>
  using Kernel = kernels::HessenbergPanel<A, vectors>;
  template <class A, int, class Memory>
  static void regions(const kernels::HessenbergPanelArgs& g, const Work& work, Memory& memory) {
    constexpr std::int64_t nb = kernels::stream_columns, element = sizeof(A), real = sizeof(RealOf<A>);
    const std::int64_t blocks = work.blocks, pitch = kernels::stream_pitch(g.m);
    memory.add_matrix({.name = "A",
                       .data = static_cast<const A*>(g.a) - g.lda,
                       .rows = g.m,
                       .columns = g.m + 1,
                       .ld = g.lda,
                       .element = element});
    memory.add_barrier(g.barrier);
    memory.add({.name = "tau", .data = g.tau, .rows = g.columns, .element = element});
    memory.add({.name = "V", .data = g.v, .rows = g.m, .columns = g.columns, .ld = g.ld, .element = element});
    memory.add({.name = "Y", .data = g.y, .rows = g.m, .columns = g.columns, .ld = g.ld, .element = element});
    memory.add({.name = "T", .data = g.t, .rows = g.columns, .columns = g.columns, .ld = g.t_ld, .element = element});
    memory.add({.name = "column", .data = g.column, .rows = 2 * pitch, .element = element});
    memory.add({.name = "row sums", .data = g.row_sums, .rows = blocks * pitch, .element = element});
    memory.add({.name = "norms", .data = g.norms, .rows = blocks, .element = real});
    memory.add({.name = "left dot products", .data = g.left_dots, .rows = blocks * nb, .element = element});
    memory.add({.name = "dot products", .data = g.dots, .rows = blocks * nb, .element = element});
  }
};

}  // namespace onepass::lapack
