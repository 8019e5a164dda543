// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches that make one matrix of another.
#pragma once

#include "kernels/lapack/adjoint.hpp"
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

}  // namespace onepass::lapack
