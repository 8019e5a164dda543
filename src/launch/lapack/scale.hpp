// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches that scale a matrix.
#pragma once

#include "kernels/lapack/scale.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

struct ScaleRegions : OneShape {
  // A triangle is turned around by negative steps, as in TridiagonalOperands.
  template <class A, class Memory>
  static void add(const kernels::ScaleArgs& g, Memory& memory) {
    const bool turned = g.row_step < 0;
    memory.add_matrix({.name = "A",
                       .data = static_cast<const A*>(g.a) + (turned ? (g.n - 1) * (g.row_step + g.col_step) : 0),
                       .rows = g.m,
                       .columns = g.n,
                       .ld = turned ? -g.col_step : g.col_step,
                       .element = sizeof(A),
                       .part = !g.lower ? Part::whole
                               : turned ? Part::upper
                                        : Part::lower});
  }
};

template <>
struct KernelsOf<Step::largest_element> : ScaleRegions {
  template <class A, int>
  using Kernel = kernels::LargestElement<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::ScaleArgs& g, const Work& work, Memory& memory) {
    add<A>(g, memory);
    memory.add({.name = "largest", .data = g.largest, .rows = work.blocks, .element = sizeof(RealOf<A>)});
    memory.add({.name = "counters", .data = g.counters, .rows = g.counter_count, .element = sizeof(*g.counters)});
  }
};
template <>
struct KernelsOf<Step::scale_matrix> : ScaleRegions {
  template <class A, int>
  using Kernel = kernels::ScaleMatrix<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::ScaleArgs& g, const Work& work, Memory& memory) {
    constexpr std::int64_t real = sizeof(RealOf<A>);
    add<A>(g, memory);
    memory.add({.name = "largest", .data = g.largest, .rows = work.blocks, .element = real, .holds = Holds::constants});
    memory.add({.name = "scale", .data = g.scale, .rows = 2, .element = real});
  }
};
template <>
struct KernelsOf<Step::rescale_hessenberg> : ScaleRegions {
  template <class A, int>
  using Kernel = kernels::RescaleHessenberg<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::ScaleArgs& g, const Work&, Memory& memory) {
    add<A>(g, memory);
    memory.add({.name = "scale", .data = g.scale, .rows = 2, .element = sizeof(RealOf<A>), .holds = Holds::constants});
  }
};

}  // namespace onepass::lapack
