// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A device for the steps of Q: launches on the simulator, with the memory of each described exactly, and products as
// loops.
#pragma once

#include <gtest/gtest.h>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/block_reflector.hpp"
#include "lapack/cuda/q_steps.hpp"
#include "on_device.hpp"
#include "products.hpp"

namespace onepass::test {

// `Device`: the interface of steps that apply a Q, among others.
template <class T, class Device = lapack::QDevice>
class SimulatedQ : public Device {
 public:
  using A = typename OnDevice<T>::type;

  Status copy_reflectors(const kernels::CopyReflectorsArgs& g, int blocks) override {
    const std::int64_t inner = g.by_rows ? g.lines : g.rows, outer = g.by_rows ? g.rows : g.lines;
    const std::int64_t stored_inner = g.by_rows ? g.count : g.rows, stored_outer = g.by_rows ? g.rows : g.count;
    sim::GridMemory memory;
    memory.add("A", {.rows = stored_inner, .cols = stored_outer, .lda = g.lda, .element = sizeof(A)}, g.a,
               sim::Holds::constants);
    memory.add("V", {.rows = inner, .cols = outer, .lda = g.ldv, .element = sizeof(A)}, g.v, sim::Holds::nothing);
    return launch<kernels::CopyReflectors<A>>(memory, blocks, 0, g);
  }
  Status set_identity(const kernels::SetIdentityArgs& g, int blocks) override {
    sim::GridMemory memory;
    memory.add("A",
               {.rows = g.rows.end - g.rows.begin,
                .cols = g.columns.end - g.columns.begin,
                .lda = g.lda,
                .element = sizeof(A)},
               static_cast<A*>(g.a) + g.rows.begin + g.columns.begin * g.lda, sim::Holds::nothing);
    return launch<kernels::SetIdentity<A>>(memory, blocks, 0, g);
  }
  Status make_triangles(const kernels::TriangularFactorArgs& g, int blocks) override {
    const std::int64_t elements = std::int64_t{blocks} * g.parts * g.width * g.width;
    sim::GridMemory memory;
    memory.add("products", {.rows = elements, .element = sizeof(A)}, g.products, sim::Holds::constants);
    memory.add("tau", {.rows = g.count, .element = sizeof(A)}, g.tau, sim::Holds::constants);
    memory.add("T", {.rows = elements, .element = sizeof(A)}, g.t, sim::Holds::nothing);
    return launch<kernels::TriangularFactor<A>>(memory, blocks,
                                                kernels::triangular_factor_shared_bytes(g.width, sizeof(A)), g);
  }
  Status multiply(const lapack::Product& p) override {
    multiply_by_loops<T>(p);
    ++products;
    return {};
  }

  int launches = 0, products = 0;

 private:
  template <class Kernel, class Args>
  Status launch(sim::GridMemory& memory, int blocks, std::size_t shared_bytes, const Args& args) {
    ++launches;
    Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, shared_bytes, args);
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  }
};

// Instantiated in a file of their own for each type (CMakeLists.txt).
extern template class SimulatedQ<float>;
extern template class SimulatedQ<double>;
extern template class SimulatedQ<std::complex<float>>;
extern template class SimulatedQ<std::complex<double>>;

}  // namespace onepass::test
