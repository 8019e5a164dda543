// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launch of a panel of QR.
#pragma once

#include "kernels/lapack/qr_panel.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

// The shape is the number of columns.
template <>
struct KernelsOf<Step::qr_panel> : OneShape {
  static constexpr std::array shapes = {32, 64};
  template <class A, int nb>
  using Kernel = kernels::QrPanel<A, nb>;
  template <class A, int nb, class Memory>
  static void regions(const kernels::QrPanelArgs& g, const Work& work, Memory& memory) {
    constexpr std::int64_t element = sizeof(A);
    const std::int64_t numbers = std::int64_t{work.blocks} * nb;
    memory.add_matrix({.name = "A", .data = g.a, .rows = g.m, .columns = g.columns, .ld = g.lda, .element = element});
    memory.add_barrier(g.barrier);
    memory.add({.name = "tau", .data = g.tau, .rows = g.columns, .element = element});
    memory.add({.name = "largest elements", .data = g.largest, .rows = numbers, .element = sizeof(RealOf<A>)});
    memory.add({.name = "dot products", .data = g.dots, .rows = 2 * numbers, .element = element});
    memory.add({.name = "row", .data = g.row, .rows = 2 * nb, .element = element});
    if (g.v != nullptr)
      memory.add({.name = "V",
                  .data = static_cast<const A*>(g.v) - g.zeros_above,
                  .rows = g.m + g.zeros_above,
                  .columns = g.columns,
                  .ld = g.ldv,
                  .element = element});
    if (g.t != nullptr)
      memory.add({.name = "T", .data = g.t, .rows = g.columns, .columns = g.columns, .ld = g.ldt, .element = element});
  }
};

}  // namespace onepass::lapack
