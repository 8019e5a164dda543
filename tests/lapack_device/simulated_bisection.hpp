// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A device for the steps of bisection: launches on the simulator, with the memory of each described exactly.
#pragma once

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/bisection.hpp"
#include "lapack/cuda/tridiagonal_values_steps.hpp"

namespace onepass::test {

template <class R, kernels::Form form = kernels::Form::tridiagonal>
class SimulatedBisection final : public lapack::BisectionDevice {
 public:
  Status bisect(const kernels::BisectionArgs& g, int blocks) override {
    sim::GridMemory memory;
    memory.add("d", {.rows = g.n, .element = sizeof(R)}, g.d, Holds::constants);
    memory.add("e", {.rows = g.n - 1, .element = sizeof(R)}, g.e, Holds::constants);
    memory.add("w", {.rows = g.count, .element = sizeof(R)}, g.w, Holds::nothing);
    memory.add("found", {.rows = 1, .element = sizeof(int)}, g.found, Holds::nothing);
    memory.add("info", {.rows = 1, .element = sizeof(int)}, g.info, Holds::nothing);
    return sim::SimLauncher{&memory}.run<kernels::Bisection<R, form>>({.x = blocks}, kernels::bisection_threads,
                                                                      kernels::bisection_shared_bytes(), g);
  }
};

// Instantiated in a file of their own for each type (CMakeLists.txt).
extern template class SimulatedBisection<float>;
extern template class SimulatedBisection<float, kernels::Form::bidiagonal>;
extern template class SimulatedBisection<double>;
extern template class SimulatedBisection<double, kernels::Form::bidiagonal>;

}  // namespace onepass::test
