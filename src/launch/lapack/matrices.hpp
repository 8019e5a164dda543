// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches that make one matrix of another.
#pragma once

#include "kernels/lapack/matrices.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

template <>
struct KernelsOf<Step::adjoint> : OneShape {
  template <class A, int>
  using Kernel = kernels::Adjoint<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::MatrixCopy& g, const Work&, Memory& memory) {
    memory.add({.name = "A",
                .data = g.a,
                .rows = g.rows,
                .columns = g.columns,
                .ld = g.lda,
                .element = sizeof(A),
                .holds = Holds::constants});
    memory.add({.name = "B", .data = g.b, .rows = g.columns, .columns = g.rows, .ld = g.ldb, .element = sizeof(A)});
  }
};

template <>
struct KernelsOf<Step::exchange> : OneShape {
  template <class A, int>
  using Kernel = kernels::Exchange<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::ExchangeArgs& g, const Work&, Memory& memory) {
    for (const auto& [name, data, ld] : {std::tuple{"A", g.a, g.lda}, {"B", g.b, g.ldb}})
      memory.add({.name = name,
                  .data = data,
                  .rows = g.n,
                  .columns = g.n,
                  .ld = ld,
                  .element = sizeof(A),
                  .holds = Holds::data});
  }
};

template <>
struct KernelsOf<Step::copy_triangle> : OneShape {
  template <class A, int>
  using Kernel = kernels::CopyTriangle<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::MatrixCopy& g, const Work&, Memory& memory) {
    memory.add({.name = "A",
                .data = g.a,
                .rows = g.rows,
                .columns = g.columns,
                .ld = g.lda,
                .element = sizeof(A),
                .holds = Holds::constants,
                .part = Part::upper});
    memory.add({.name = "B", .data = g.b, .rows = g.rows, .columns = g.columns, .ld = g.ldb, .element = sizeof(A)});
  }
};

template <>
struct KernelsOf<Step::widen> : OneShape {
  template <class A, int>
  static constexpr bool has = onepass::is_complex<A>;
  template <class A, int>
  using Kernel = kernels::Widen<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::MatrixCopy& g, const Work&, Memory& memory) {
    memory.add({.name = "A",
                .data = g.a,
                .rows = g.rows,
                .columns = g.columns,
                .ld = g.lda,
                .element = sizeof(RealOf<A>),
                .holds = Holds::constants});
    memory.add({.name = "B", .data = g.b, .rows = g.rows, .columns = g.columns, .ld = g.ldb, .element = sizeof(A)});
  }
};

}  // namespace onepass::lapack
