// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A device for the launch of a batch of singular value decompositions, on the simulator, with its memory described
// exactly.
#pragma once

#include <gtest/gtest.h>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/batch_bidiagonal.hpp"
#include "kernels/lapack/batch_refine.hpp"
#include "kernels/lapack/batch_refine_ends.hpp"
#include "kernels/lapack/batch_refine_product.hpp"
#include "kernels/lapack/batch_refine_small.hpp"
#include "kernels/lapack/batch_svd.hpp"
#include "kernels/lapack/batch_svd_pairs.hpp"
#include "lapack/cuda/batch_svd_steps.hpp"
#include "simulated_batch.hpp"

namespace onepass::test {

// A: of the kernels.
template <class A>
class SimulatedBatchSvd final : public lapack::BatchSvdDevice {
 public:
  Status clear(int* info, std::int64_t count) override {
    std::fill_n(info, count, 0);
    return {};
  }
  Status rotate(const lapack::BatchSvdPlan& plan, const kernels::BatchSvdArgs& g) override {
    if (!plan.whole) return plan.slots == 8 ? launch<8, false>(plan, g) : launch<4, false>(plan, g);
    if (plan.slots == 1) return launch<1, true>(plan, g);
    return plan.slots == 2 ? launch<2, true>(plan, g) : launch<4, true>(plan, g);
  }

  lapack::BatchDevice& eigen() override { return eigen_; }
  Status rotate_pairs(const kernels::BatchSvdPairsArgs& g, int rows, int blocks) override {
    sim::GridMemory memory;
    add(memory, "A", g.svd.a, g.svd.m, g.svd.n, g.svd.lda, g.svd.stride_a, g.svd, constants);
    memory.add("state", {.rows = g.svd.count, .element = sizeof(int)}, g.state, nothing);
    add_results(memory, g.svd);
    return kernels::with_pairs<A>(rows, [&]<class Kernel>() {
      return launch<Kernel>(memory, blocks, static_cast<std::size_t>(Kernel::shared_bytes), g);
    });
  }
  Status start_small(const kernels::RefineSmallArgs& g, int lanes, int blocks) override {
    using Start = kernels::RefineSmallStart<A>;
    sim::GridMemory memory = of(g, nothing);
    const std::size_t bytes = kernels::batch_small_shared_bytes(lanes, sizeof(Start), sizeof(RealOf<Start>));
    if (lanes == 8) return launch<kernels::BatchRefineSmallStart<A, 8>>(memory, blocks, bytes, g);
    if (lanes == 16) return launch<kernels::BatchRefineSmallStart<A, 16>>(memory, blocks, bytes, g);
    return launch<kernels::BatchRefineSmallStart<A, 32>>(memory, blocks, bytes, g);
  }
  Status refine_small(const kernels::RefineSmallArgs& g, int lanes, int blocks) override {
    sim::GridMemory memory = of(g, constants);
    memory.add("state", {.rows = g.svd.count, .element = sizeof(int)}, g.state, nothing);
    add_results(memory, g.svd);
    const std::size_t bytes = kernels::refine_small_bytes(lanes, sizeof(A), sizeof(R));
    if (lanes == 8) return launch<kernels::BatchRefineSmall<A, 8>>(memory, blocks, bytes, g);
    if (lanes == 16) return launch<kernels::BatchRefineSmall<A, 16>>(memory, blocks, bytes, g);
    return launch<kernels::BatchRefineSmall<A, 32>>(memory, blocks, bytes, g);
  }
  Status make_bidiagonal(const kernels::BatchBidiagonalArgs& g, int blocks) override {
    sim::GridMemory memory;
    add(memory, "A", g.svd.a, g.svd.m, g.svd.n, g.svd.lda, g.svd.stride_a, g.svd, constants);
    for (const void* diagonal : {g.d, g.e})
      memory.add("B", {.rows = g.svd.count * g.order, .element = sizeof(R)}, diagonal, nothing);
    const kernels::BatchHeldShape shape = kernels::batch_bidiagonal_shape(std::max(g.svd.m, g.svd.n), sizeof(A));
    const std::size_t bytes = kernels::batch_bidiagonal_shared_bytes(shape, sizeof(A), sizeof(R));
    return kernels::with_bidiagonal<A>(shape.rows,
                                       [&]<class Kernel>() { return launch<Kernel>(memory, blocks, bytes, g); });
  }
  Status begin(const kernels::RefineArgs& g, int blocks) override {
    sim::GridMemory memory = of(g, nothing, nothing);
    add(memory, "A", g.svd.a, g.svd.m, g.svd.n, g.svd.lda, g.svd.stride_a, g.svd, constants);
    return launch<kernels::BatchRefineBegin<A>>(memory, blocks, kernels::refine_begin_bytes, g);
  }
  Status multiply(kernels::RefineProduct which, const kernels::RefineArgs& g, int blocks) override {
    using enum kernels::RefineProduct;
    switch (which) {
      case gram: return multiply<gram>(g, blocks);
      case start: return multiply<start>(g, blocks);
      case again: return multiply<again>(g, blocks);
      case square: return multiply<square>(g, blocks);
      case fourth: return multiply<fourth>(g, blocks);
      default: return multiply<apply>(g, blocks);
    }
  }
  Status find_angles(const kernels::RefineArgs& g, int blocks) override {
    sim::GridMemory memory = of(g, constants, data);
    return launch<kernels::BatchAngles<A>>(
        memory, blocks, kernels::refine_angles_bytes(static_cast<std::size_t>(std::min(g.svd.m, g.svd.n)), sizeof(R)),
        g);
  }
  Status finish(const kernels::RefineArgs& g, int blocks) override {
    states.assign(g.state, g.state + g.svd.count);
    sim::GridMemory memory = of(g, constants, constants);
    add_results(memory, g.svd);
    return launch<kernels::BatchRefineEnd<A>>(
        memory, blocks,
        kernels::refine_finish_bytes(static_cast<std::size_t>(std::min(g.svd.m, g.svd.n)), sizeof(A), sizeof(R)), g);
  }

  int most_blocks = 1 << 30;
  std::vector<int> states;  // of the last piece, where it is finished

 private:
  using R = RealOf<A>;
  static constexpr Holds constants = Holds::constants, nothing = Holds::nothing, data = Holds::data;

  // What all launches of decompositions from eigenvectors have.
  static sim::GridMemory of(const kernels::RefineArgs& g, Holds x, Holds states) {
    sim::GridMemory memory;
    const kernels::RefineShape shape(g.svd.m, g.svd.n, sizeof(A));
    const std::int64_t all = g.svd.count * shape.of_x();
    const auto add_array = [&](const char* name, const void* at, std::int64_t rows, std::size_t element, Holds holds) {
      memory.add(name, {.rows = rows, .element = static_cast<std::int64_t>(element)}, at, holds);
    };
    add_array("even X", g.x[0], all, sizeof(A), x);
    add_array("odd X", g.x[1], all, sizeof(A), x);
    add_array("T", g.t, g.svd.count * shape.of_t(), sizeof(A), data);
    add_array("exp(T)", g.exponential, g.svd.count * shape.of_t(), sizeof(A), data);
    add_array("scale", g.scale, g.svd.count, sizeof(R), states == nothing ? nothing : constants);
    add_array("state", g.state, g.svd.count, sizeof(int), states);
    return memory;
  }
  static sim::GridMemory of(const kernels::RefineSmallArgs& g, Holds v) {
    sim::GridMemory memory;
    const std::int64_t k = std::min(g.svd.m, g.svd.n);
    add(memory, "A", g.svd.a, g.svd.m, g.svd.n, g.svd.lda, g.svd.stride_a, g.svd, constants);
    memory.add("V", {.rows = g.svd.count * k * k, .element = sizeof(kernels::RefineSmallStart<A>)}, g.v, v);
    return memory;
  }
  template <kernels::RefineProduct which>
  Status multiply(const kernels::RefineArgs& g, int blocks) {
    sim::GridMemory memory = of(g, data, constants);
    return launch<kernels::BatchRefineProduct<A, which>>(memory, blocks,
                                                         kernels::refine_product_bytes(sizeof(A), !is_complex<A>), g);
  }
  template <class Kernel, class Args>
  Status launch(sim::GridMemory& memory, int blocks, std::size_t shared_bytes, const Args& g) const {
    Status status = sim::SimLauncher{&memory}.run<Kernel>(
        {.x = std::is_same_v<Args, kernels::RefineArgs> ? blocks : std::min(blocks, most_blocks)}, Kernel::max_threads,
        shared_bytes, g);
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  }

  template <int slots, bool whole>
  Status launch(const lapack::BatchSvdPlan& plan, const kernels::BatchSvdArgs& g) {
    using Kernel = kernels::BatchSvd<A, slots, whole>;
    const std::int64_t k = std::min(g.m, g.n);
    sim::GridMemory memory;
    add(memory, "A", g.a, g.m, g.n, g.lda, g.stride_a, g, Holds::constants);
    add_results(memory, g);
    const std::int64_t p = std::max(g.m, g.n),
                       outside = p * (k - g.m_on_chip) + (g.vectors ? k * (k - g.v_on_chip) : 0);
    if (outside > 0) memory.add("columns", {.rows = plan.blocks * outside, .element = sizeof(A)}, g.off_chip, nothing);
    if (g.state != nullptr) {
      memory.add("state", {.rows = g.count, .element = sizeof(int)}, g.state, constants);
    }
    if (g.scale != nullptr) {
      memory.add("scale", {.rows = g.count, .element = sizeof(R)}, g.scale, constants);
      for (const void* x : g.begun)
        memory.add("X", {.rows = g.count * kernels::RefineShape(g.m, g.n, sizeof(A)).of_x(), .element = sizeof(A)}, x,
                   constants);
    }
    EXPECT_LE(32 * plan.warps, Kernel::max_threads);
    Status status = sim::SimLauncher{&memory}.run<Kernel>({.x = std::min(plan.blocks, most_blocks)}, 32 * plan.warps,
                                                          shared_bytes(plan), g);
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  }
  static void add_results(sim::GridMemory& memory, const kernels::BatchSvdArgs& g) {
    const std::int64_t k = std::min(g.m, g.n);
    if (g.vectors) {
      add(memory, "U", g.u, g.m, k, g.ldu, g.stride_u, g, nothing);
      add(memory, "V^H", g.vt, g.plain_v ? g.n : k, g.plain_v ? k : g.n, g.ldvt, g.stride_vt, g, nothing);
    }
    memory.add("S", {.rows = k, .cols = g.count, .lda = g.stride_s, .element = sizeof(R)}, g.s, nothing);
    memory.add("info", {.rows = g.count, .element = sizeof(int)}, g.info, nothing);
  }
  static void add(sim::GridMemory& memory, const char* name, const void* at, std::int64_t rows, std::int64_t columns,
                  std::int64_t ld, std::int64_t stride, const kernels::BatchSvdArgs& g, Holds holds) {
    if (g.pointer_arrays) memory.add("pointers", {.rows = g.count, .element = sizeof(void*)}, at, Holds::constants);
    for (std::int64_t i = 0; i < g.count; ++i)
      memory.add(name, {.rows = rows, .cols = columns, .lda = ld, .element = sizeof(A)},
                 g.pointer_arrays ? static_cast<A* const*>(at)[i] : static_cast<const A*>(at) + i * stride, holds);
  }

  SimulatedBatch<A> eigen_;
};

}  // namespace onepass::test
