// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A device for the launch of a batch of singular value decompositions, on the simulator, with its memory described
// exactly.
#pragma once

#include <gtest/gtest.h>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/batch_svd.hpp"
#include "lapack/cuda/batch_svd_steps.hpp"

namespace onepass::test {

// A: of the kernels.
template <class A>
class SimulatedBatchSvd final : public lapack::BatchSvdDevice {
 public:
  Status clear(int* info, std::int64_t count) override {
    std::fill_n(info, count, 0);
    return {};
  }
  Status solve(const lapack::BatchSvdPlan& plan, const kernels::BatchSvdArgs& g) override {
    if (!plan.whole) return plan.slots == 8 ? launch<8, false>(plan, g) : launch<4, false>(plan, g);
    if (plan.slots == 1) return launch<1, true>(plan, g);
    return plan.slots == 2 ? launch<2, true>(plan, g) : launch<4, true>(plan, g);
  }

  int most_blocks = 1 << 30;

 private:
  template <int slots, bool whole>
  Status launch(const lapack::BatchSvdPlan& plan, const kernels::BatchSvdArgs& g) {
    using R = RealOf<A>;
    using Kernel = kernels::BatchSvd<A, slots, whole>;
    const std::int64_t k = std::min(g.m, g.n);
    sim::GridMemory memory;
    add(memory, "A", g.a, g.m, g.n, g.lda, g.stride_a, g, sim::Holds::constants);
    if (g.vectors) {
      add(memory, "U", g.u, g.m, k, g.ldu, g.stride_u, g, sim::Holds::nothing);
      add(memory, "V^H", g.vt, g.plain_v ? g.n : k, g.plain_v ? k : g.n, g.ldvt, g.stride_vt, g, sim::Holds::nothing);
    }
    memory.add("S", {.rows = k, .cols = g.count, .lda = g.stride_s, .element = sizeof(R)}, g.s, sim::Holds::nothing);
    memory.add("info", {.rows = g.count, .element = sizeof(int)}, g.info, sim::Holds::nothing);
    if (plan.workspace_bytes > 0)
      memory.add("columns", {.rows = static_cast<std::int64_t>(plan.workspace_bytes / sizeof(A)), .element = sizeof(A)},
                 g.off_chip, sim::Holds::nothing);
    EXPECT_LE(32 * plan.warps, Kernel::max_threads);
    Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = std::min(plan.blocks, most_blocks)}, 32 * plan.warps,
                                                          shared_bytes(plan), g);
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  }
  static void add(sim::GridMemory& memory, const char* name, const void* at, std::int64_t rows, std::int64_t columns,
                  std::int64_t ld, std::int64_t stride, const kernels::BatchSvdArgs& g, sim::Holds holds) {
    if (g.pointer_arrays)
      memory.add("pointers", {.rows = g.count, .element = sizeof(void*)}, at, sim::Holds::constants);
    for (std::int64_t i = 0; i < g.count; ++i)
      memory.add(name, {.rows = rows, .cols = columns, .lda = ld, .element = sizeof(A)},
                 g.pointer_arrays ? static_cast<A* const*>(at)[i] : static_cast<const A*>(at) + i * stride, holds);
  }
};

}  // namespace onepass::test
