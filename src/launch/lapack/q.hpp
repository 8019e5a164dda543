// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches around blocks of reflectors.
#pragma once

#include "kernels/lapack/block_reflector.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

template <>
struct KernelsOf<Step::copy_reflectors> : OneShape {
  template <class A, int>
  using Kernel = kernels::CopyReflectors<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::CopyReflectorsArgs& g, const Work&, Memory& memory) {
    memory.add({.name = "A",
                .data = g.a,
                .rows = g.by_rows ? g.count : g.rows,
                .columns = g.by_rows ? g.rows : g.count,
                .ld = g.lda,
                .element = sizeof(A),
                .holds = Holds::constants});
    memory.add({.name = "V",
                .data = g.v,
                .rows = g.by_rows ? g.lines : g.rows,
                .columns = g.by_rows ? g.rows : g.lines,
                .ld = g.ldv,
                .element = sizeof(A)});
  }
};

template <>
struct KernelsOf<Step::set_identity> : OneShape {
  template <class A, int>
  using Kernel = kernels::SetIdentity<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::SetIdentityArgs& g, const Work&, Memory& memory) {
    memory.add({.name = "A",
                .data = static_cast<const A*>(g.a) + g.rows.begin + g.columns.begin * g.lda,
                .rows = g.rows.end - g.rows.begin,
                .columns = g.columns.end - g.columns.begin,
                .ld = g.lda,
                .element = sizeof(A)});
  }
};

template <>
struct KernelsOf<Step::triangular_factor> : OneShape {
  template <class A, int>
  using Kernel = kernels::TriangularFactor<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::TriangularFactorArgs& g, const Work& work, Memory& memory) {
    const std::int64_t elements = std::int64_t{work.blocks} * g.parts * g.width * g.width;
    memory.add(
        {.name = "products", .data = g.products, .rows = elements, .element = sizeof(A), .holds = Holds::constants});
    memory.add({.name = "tau", .data = g.tau, .rows = g.count, .element = sizeof(A), .holds = Holds::constants});
    memory.add({.name = "T", .data = g.t, .rows = elements, .element = sizeof(A)});
  }
};

}  // namespace onepass::lapack
