// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The adjoint of a matrix, and a matrix scaled, by the device's kernels on the simulator.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/adjoint.hpp"
#include "kernels/lapack/scale.hpp"

namespace onepass::test {

template <class A>
Status simulate_adjoint(const kernels::MatrixCopy& g, int blocks) {
  using Kernel = kernels::Adjoint<A>;
  sim::GridMemory memory;
  memory.add("A", {.rows = g.rows, .cols = g.columns, .lda = g.lda, .element = sizeof(A)}, g.a, Holds::constants);
  memory.add("B", {.rows = g.columns, .cols = g.rows, .lda = g.ldb, .element = sizeof(A)}, g.b, Holds::nothing);
  Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads,
                                                        kernels::adjoint_shared_bytes(sizeof(A)), g);
  EXPECT_TRUE(status.ok()) << status.text;
  return status;
}

// A triangle is turned around by negative steps, as in TridiagonalArgs.
template <class A>
Status simulate_scaling(const kernels::ScaleArgs& g, int blocks) {
  using R = RealOf<A>;
  const bool turned = g.row_step < 0;
  const A* const first = static_cast<const A*>(g.a) + (turned ? (g.n - 1) * (g.row_step + g.col_step) : 0);
  const sim::Pattern matrix = {.rows = g.m,
                               .cols = g.n,
                               .lda = std::abs(g.col_step),
                               .element = sizeof(A),
                               .part = !g.lower ? Part::whole
                                       : turned ? Part::upper
                                                : Part::lower};
  const auto launch = [&]<class Kernel>(Holds largest, std::size_t shared_bytes) {
    sim::GridMemory memory;
    memory.add_matrix(matrix, first);
    memory.add("largest", {.rows = blocks, .element = sizeof(R)}, g.largest, largest);
    memory.add("scale", {.rows = 2, .element = sizeof(R)}, g.scale, Holds::nothing);
    if (g.counter_count > 0)
      memory.add("counters", {.rows = g.counter_count, .element = sizeof(std::uint32_t)}, g.counters, Holds::nothing);
    Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, shared_bytes, g);
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  };
  if (Status bad = launch.template operator()<kernels::LargestElement<A>>(Holds::nothing, 256); !bad.ok()) return bad;
  return launch.template operator()<kernels::ScaleMatrix<A>>(Holds::constants, 0);
}

// Instantiated in a file of their own for each type (CMakeLists.txt).
extern template Status simulate_adjoint<float>(const kernels::MatrixCopy&, int);
extern template Status simulate_scaling<float>(const kernels::ScaleArgs&, int);
extern template Status simulate_adjoint<double>(const kernels::MatrixCopy&, int);
extern template Status simulate_scaling<double>(const kernels::ScaleArgs&, int);
extern template Status simulate_adjoint<Complex<float>>(const kernels::MatrixCopy&, int);
extern template Status simulate_scaling<Complex<float>>(const kernels::ScaleArgs&, int);
extern template Status simulate_adjoint<Complex<double>>(const kernels::MatrixCopy&, int);
extern template Status simulate_scaling<Complex<double>>(const kernels::ScaleArgs&, int);

}  // namespace onepass::test
