// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A device for the steps of gebrd: launches on the simulator, with the memory of each described exactly, and copies and
// products as loops.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
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

  Status reduce_panel(const lapack::BidiagonalStage& stage, const kernels::BidiagonalPanelArgs& g) override {
    EXPECT_EQ(stage.columns, g.columns);
    EXPECT_EQ(g.lda * static_cast<std::int64_t>(sizeof(A)) % 16, 0);
    switch (stage.vectors) {
      case 4: return panel<4>(stage, g);
      case 8: return panel<8>(stage, g);
      default: return panel<16>(stage, g);
    }
  }

 private:
  template <int vectors>
  Status panel(const lapack::BidiagonalStage& stage, const kernels::BidiagonalPanelArgs& g) {
    using Kernel = kernels::BidiagonalPanel<A, vectors>;
    constexpr std::int64_t both = 2 * kernels::stream_columns, element = sizeof(A), real = sizeof(RealOf<A>);
    const std::int64_t blocks = stage.blocks, pitch = kernels::stream_pitch(g.m);
    sim::GridMemory memory;
    memory.add_matrix({.rows = g.m, .cols = g.n, .lda = g.lda, .element = element}, g.a);
    memory.add_barrier(g.barrier);
    memory.add("scale", {.rows = 2, .element = real}, g.scale, sim::Holds::constants);
    const auto add = [&](const char* name, const void* data, std::int64_t count, std::int64_t size) {
      if (count > 0) memory.add(name, {.rows = count, .element = size}, data, sim::Holds::nothing);
    };
    add("d", g.d, g.columns, real);
    add("e", g.e, std::min(g.columns, g.n - 1), real);
    add("tauq", g.tauq, g.columns, element);
    add("taup", g.taup, g.columns, element);
    add("P", g.p, g.p_ld * both, element);
    add("Q", g.q, g.q_ld * both, element);
    add("column", g.column, pitch, element);
    add("row sums", g.row_sums, blocks * pitch, element);
    add("row", g.row, g.n, element);
    add("column norms", g.column_norms, blocks, real);
    add("row norms", g.row_norms, blocks, real);
    add("dot products of P", g.p_dots, blocks * both, element);
    add("dot products of Q", g.q_dots, blocks * both, element);
    Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = stage.blocks}, Kernel::max_threads,
                                                          kernels::stream_shared_bytes(element, real), g);
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  }
};

}  // namespace onepass::test
