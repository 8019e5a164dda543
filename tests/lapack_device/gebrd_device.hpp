// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A device for the steps of gebrd: launches on the simulator, with the memory of each described exactly, and copies and
// products as loops.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/bidiagonal.hpp"
#include "kernels/lapack/bidiagonal_panel.hpp"
#include "lapack/cuda/gebrd_steps.hpp"
#include "on_device.hpp"
#include "products.hpp"
#include "small_launches.hpp"

namespace onepass::test {

template <class T>
class SimulatedGebrd final : public lapack::GebrdDevice {
 public:
  using A = typename OnDevice<T>::type;

  Status copy(const kernels::MatrixCopy& c) override {
    for (std::int64_t j = 0; j < c.columns; ++j)
      std::copy_n(static_cast<const T*>(c.a) + j * c.lda, c.rows, static_cast<T*>(c.b) + j * c.ldb);
    return {};
  }
  Status make_adjoint(const kernels::MatrixCopy& c, int blocks) override { return simulate_adjoint<A>(c, blocks); }
  Status scale(const kernels::ScaleArgs& g, int blocks) override { return simulate_scaling<A>(g, blocks); }
  Status multiply(const lapack::Product& product) override {
    multiply_by_loops<T>(product);
    return {};
  }

  Status reduce_on_chip(const lapack::BidiagonalStage& stage, const kernels::BidiagonalArgs& g) override {
    using Kernel = kernels::Bidiagonal<A, 1, 4, 4>;
    EXPECT_EQ(stage.shape, 0);
    sim::GridMemory memory;
    memory.add_matrix({.rows = g.m, .cols = g.n, .lda = g.lda, .element = sizeof(A)}, g.a);
    memory.add_barrier(g.barrier);
    memory.add("scale", {.rows = 2, .element = sizeof(RealOf<A>)}, g.scale, Holds::constants);
    add_results(memory, g);
    memory.add("exchange", {.rows = 4 * Kernel::rows, .element = sizeof(A)}, g.exchange, Holds::nothing);
    Status status =
        sim::SimLauncher{&memory}.run<Kernel>({.x = stage.blocks}, Kernel::max_threads, stage.shared_bytes, g);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(sim::last_counters().grid_barriers, 2 * g.columns - (g.columns == g.n ? 1 : 0));
    // By columns and by rows, before the first barrier; the first column by every block, too.
    for (std::int64_t j = 0; j < g.n; ++j)
      for (std::int64_t i = 0; i < g.m; ++i) {
        const A* const at = static_cast<const A*>(g.a) + i + j * g.lda;
        EXPECT_EQ(memory.loads(at), memory.loads(at, 0)) << i << ", " << j;
        if (j > 0) {
          EXPECT_EQ(memory.loads(at), 2) << i << ", " << j;
        }
      }
    return status;
  }

  Status reduce_panel(const lapack::BidiagonalStage& stage, const kernels::BidiagonalPanelArgs& g) override {
    EXPECT_EQ(stage.columns, g.columns);
    EXPECT_EQ(g.lda * static_cast<std::int64_t>(sizeof(A)) % 16, 0);
    return kernels::with_long_stream_vectors<sizeof(A)>(stage.vectors, [&]<int vectors>() {
      if constexpr (kernels::stream_has_parts(vectors))
        if (stage.parts > 1) return panel<kernels::BidiagonalPanel<A, vectors, true>>(stage, g);
      return panel<kernels::BidiagonalPanel<A, vectors>>(stage, g);
    });
  }

 private:
  static void add_results(sim::GridMemory& memory, const kernels::BidiagonalOperands& g) {
    const std::int64_t beside = std::min(g.columns, g.n - 1);
    memory.add("d", {.rows = g.columns, .element = sizeof(RealOf<A>)}, g.d, Holds::nothing);
    if (beside > 0) memory.add("e", {.rows = beside, .element = sizeof(RealOf<A>)}, g.e, Holds::nothing);
    memory.add("tauq", {.rows = g.columns, .element = sizeof(A)}, g.tauq, Holds::nothing);
    memory.add("taup", {.rows = g.columns, .element = sizeof(A)}, g.taup, Holds::nothing);
  }
  template <class Kernel>
  Status panel(const lapack::BidiagonalStage& stage, const kernels::BidiagonalPanelArgs& g) {
    constexpr std::int64_t both = 2 * kernels::stream_columns, element = sizeof(A), real = sizeof(RealOf<A>);
    const std::int64_t blocks = stage.blocks, pitch = kernels::stream_pitch(g.m);
    sim::GridMemory memory;
    memory.add_matrix({.rows = g.m, .cols = g.n, .lda = g.lda, .element = element}, g.a);
    memory.add_barrier(g.barrier);
    memory.add("scale", {.rows = 2, .element = real}, g.scale, Holds::constants);
    add_results(memory, g);
    const auto add = [&](const char* name, const void* data, std::int64_t count, std::int64_t size) {
      memory.add(name, {.rows = count, .element = size}, data, Holds::nothing);
    };
    add("P", g.p, g.p_ld * both, element);
    add("Q", g.q, g.q_ld * both, element);
    add("column", g.column, pitch, element);
    add("row sums", g.row_sums, blocks * pitch, element);
    add("row", g.row, g.n, element);
    add("column norms", g.column_norms, blocks, real);
    add("row norms", g.row_norms, blocks, real);
    add("dot products of P", g.p_dots, blocks * both, element);
    add("dot products of Q", g.q_dots, blocks * both, element);
    Status status = sim::SimLauncher{&memory}.run<Kernel>(
        {.x = stage.blocks}, Kernel::max_threads, kernels::stream_shared_bytes(element, real), g, {.cluster = g.parts});
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  }
};

// Instantiated in a file of their own for each type (CMakeLists.txt).
extern template class SimulatedGebrd<float>;
extern template class SimulatedGebrd<double>;
extern template class SimulatedGebrd<std::complex<float>>;
extern template class SimulatedGebrd<std::complex<double>>;

}  // namespace onepass::test
