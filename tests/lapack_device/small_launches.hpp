// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A real matrix made complex, by the device's kernel on the simulator.
#pragma once

#include <gtest/gtest.h>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/widen.hpp"

namespace onepass::test {

template <class A>
Status simulate_widening(const kernels::MatrixCopy& g, int blocks) {
  using Kernel = kernels::Widen<A>;
  sim::GridMemory memory;
  memory.add("A", {.rows = g.rows, .cols = g.columns, .lda = g.lda, .element = sizeof(RealOf<A>)}, g.a,
             Holds::constants);
  memory.add("B", {.rows = g.rows, .cols = g.columns, .lda = g.ldb, .element = sizeof(A)}, g.b, Holds::nothing);
  Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, 0, g);
  EXPECT_TRUE(status.ok()) << status.text;
  return status;
}

}  // namespace onepass::test
