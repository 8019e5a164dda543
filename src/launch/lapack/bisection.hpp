// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launch of bisection.
#pragma once

#include "kernels/lapack/solvers/bisection.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

template <>
struct KernelsOf<Step::bisection> : OfForms<0> {
  template <class R, int shape>
  using Kernel = kernels::Bisection<R, form_of(shape)>;
  template <class R, int, class Memory>
  static void regions(const kernels::BisectionArgs& g, const Work&, Memory& memory) {
    memory.add({.name = "d", .data = g.d, .rows = g.n, .element = sizeof(R), .holds = Holds::constants});
    memory.add({.name = "e", .data = g.e, .rows = g.n - 1, .element = sizeof(R), .holds = Holds::constants});
    memory.add({.name = "w", .data = g.w, .rows = g.count, .element = sizeof(R)});
    memory.add({.name = "found", .data = g.found, .element = sizeof(int)});
    memory.add({.name = "info", .data = g.info, .element = sizeof(int)});
  }
};

}  // namespace onepass::lapack
