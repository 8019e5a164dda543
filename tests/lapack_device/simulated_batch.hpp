// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A device for the steps of a batch of eigenproblems: launches on the simulator, with the memory of each described
// exactly.
#pragma once

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/batch_back_shapes.hpp"
#include "kernels/lapack/batch_leaf.hpp"
#include "kernels/lapack/batch_product.hpp"
#include "kernels/lapack/batch_small.hpp"
#include "kernels/lapack/batch_tridiagonal.hpp"
#include "kernels/lapack/batch_tridiagonal_held.hpp"
#include "kernels/lapack/batch_values.hpp"
#include "lapack/cuda/batch_steps.hpp"
#include "simulated_divide.hpp"

namespace onepass::test {

// A: of the kernels.
template <class A>
class SimulatedBatch final : public lapack::BatchDevice {
  using R = RealOf<A>;
  static constexpr Holds constants = Holds::constants, nothing = Holds::nothing, data = Holds::data;

 public:
  Status clear(int* info, std::int64_t count) override {
    std::fill_n(info, count, 0);
    return {};
  }
  Status solve_small(const kernels::BatchArgs& g, int lanes, int blocks) override {
    Regions regions;
    regions.matrices(g, true).results(g);
    const std::size_t bytes = kernels::batch_small_shared_bytes(lanes, sizeof(A), sizeof(R));
    blocks = std::min(blocks, most_small_blocks);
    if (lanes == 8) return launch<kernels::BatchSmall<A, 8>>(regions, blocks, bytes, g);
    if (lanes == 16) return launch<kernels::BatchSmall<A, 16>>(regions, blocks, bytes, g);
    return launch<kernels::BatchSmall<A, 32>>(regions, blocks, bytes, g);
  }
  Status reduce(const kernels::BatchTridiagonalArgs& g, bool held, int blocks) override {
    Regions regions;
    const std::int64_t n = g.batch.n, count = g.batch.count, all = count * g.rows;
    regions.matrices(g.batch, false);
    if (g.v != nullptr) regions.add("V", g.v, n * n * count, sizeof(A), nothing);
    if (g.tau != nullptr) regions.add("tau", g.tau, n * count, sizeof(A), nothing);
    if (g.coupling != nullptr) regions.add("coupling", g.coupling, n * count, sizeof(A), nothing);
    if (g.back != nullptr) regions.add("back", g.back, 2 * count, sizeof(R), nothing);
    regions.add("d", g.d, all, sizeof(R), nothing).add("e", g.e, all, sizeof(R), nothing);
    regions.add("not finite", g.not_finite, count, sizeof(int), nothing);
    if (!held) {
      const std::size_t bytes = kernels::batch_packed_shared_bytes(n, g.off_chip, sizeof(A), sizeof(R));
      return kernels::with_packed<A>(g, [&]<class Kernel>() { return launch<Kernel>(regions, blocks, bytes, g); });
    }
    const kernels::BatchHeldShape shape = kernels::batch_held_shape(n, sizeof(A));
    const std::size_t bytes = kernels::batch_held_shared_bytes(shape, sizeof(A), sizeof(R));
    return kernels::with_held<A>(shape.rows, [&]<class Kernel>() {
      return launch<Kernel>(regions, blocks, bytes, g, Kernel::max_threads, shape.blocks);
    });
  }
  Status find_values(const kernels::BatchValuesArgs& g, int blocks) override {
    Regions regions;
    const std::int64_t all = g.batch.count * g.rows;
    regions.results(g.batch).add("d", g.d, all, sizeof(R), constants).add("e", g.e, all, sizeof(R), constants);
    const std::size_t bytes = kernels::batch_values_shared_bytes(g.order, g.batch.n);
    const int threads = kernels::batch_values_threads(g.batch.n);
    if (g.form == kernels::Form::tridiagonal)
      return launch<kernels::BatchValues<R>>(regions, blocks, bytes, g, threads);
    return launch<kernels::BatchValues<R, kernels::Form::bidiagonal>>(regions, blocks, bytes, g, threads);
  }
  Status solve_leaves(const kernels::DivideLeafArgs& g, int blocks) override {
    Regions regions;
    regions.add("d", g.d, g.n, sizeof(R), constants).add("e", g.e, g.n, sizeof(R), constants);
    const std::int64_t leaves = g.n / g.leaf;
    regions.add("values", g.values, g.n, sizeof(R), nothing).add("failed", g.failed, leaves, sizeof(int), nothing);
    regions.add("Q", g.q, leaves * g.q_stride, sizeof(R), nothing);
    return launch<kernels::BatchLeaf<R>>(regions, blocks, kernels::batch_leaf_shared_bytes(g.leaf, sizeof(R)), g);
  }
  Status deflate(const kernels::DivideLevelArgs& g, int blocks) override { return divide_.deflate(g, blocks); }
  Status find_roots(const kernels::DivideLevelArgs& g, int blocks) override { return divide_.find_roots(g, blocks); }
  Status order(const kernels::DivideLevelArgs& g, int blocks) override { return divide_.order(g, blocks); }
  Status make_columns(const kernels::DivideLevelArgs& g, int blocks) override {
    return divide_.make_columns(g, blocks);
  }
  Status multiply(const kernels::BatchProductArgs& g, int blocks) override {
    Regions regions;
    const std::int64_t square = std::int64_t{g.half} * g.half;
    regions.add("Q", g.q, 2 * g.merges * square, sizeof(R), constants);
    regions.add("U", g.u, 4 * g.merges * square, sizeof(R), constants);
    regions.add("Q of merges", g.to, 4 * g.merges * square, sizeof(R), nothing);
    return launch<kernels::BatchProduct<R>>(regions, blocks, kernels::batch_product_shared_bytes(sizeof(R)), g);
  }
  Status make_factors(const kernels::BatchBackArgs& g, int blocks) override {
    if constexpr (kernels::batch_applies_blocks(sizeof(R))) {
      Regions regions;
      regions.reflectors(g).factors(g, nothing);
      return launch<kernels::BatchFactors<A>>(regions, blocks, 0, g);
    }
    return {};
  }
  Status transform_back(const kernels::BatchBackArgs& g, int blocks) override {
    Regions regions;
    const std::int64_t count = g.batch.count, rows = g.rows;
    regions.matrices(g.batch, true).results(g.batch).reflectors(g);
    if (g.coupling != nullptr) regions.add("coupling", g.coupling, g.batch.n * count, sizeof(A), constants);
    if (g.factors != nullptr) regions.factors(g, constants);
    regions.add("back", g.back, 2 * count, sizeof(R), constants);
    regions.add("not finite", g.not_finite, count, sizeof(int), constants);
    regions.add("failed", g.failed, count * g.leaves, sizeof(int), constants);
    regions.add("values", g.values, count * rows, sizeof(R), constants);
    regions.add("Z", g.z, count * rows * rows, sizeof(R), constants);
    const std::size_t bytes = kernels::batch_back_bytes(g.batch.n, sizeof(A), sizeof(R));
    return kernels::with_back<A>(g.batch.n, [&]<class Kernel>() { return launch<Kernel>(regions, blocks, bytes, g); });
  }

  int most_small_blocks = 1 << 30;

 private:
  struct Regions {
    sim::GridMemory memory;

    Regions& add(const char* name, const void* at, std::int64_t count, std::size_t element, Holds holds) {
      memory.add(name, {.rows = count, .element = static_cast<std::int64_t>(element)}, at, holds);
      return *this;
    }
    // All of them where they are written, and the triangle that is stored where they are not.
    Regions& matrices(const kernels::BatchArgs& g, bool written) {
      if (g.pointer_array) add("pointers", g.a, g.count, sizeof(void*), constants);
      const bool whole = written && g.vectors;
      for (std::int64_t i = 0; i < g.count; ++i)
        memory.add("A",
                   {.rows = g.n,
                    .cols = g.n,
                    .lda = g.lda,
                    .element = sizeof(A),
                    .part = whole     ? Part::whole
                            : g.lower ? Part::lower
                                      : Part::upper},
                   g.pointer_array ? static_cast<A* const*>(g.a)[i] : static_cast<A*>(g.a) + i * g.stride_a,
                   whole ? data : constants);
      return *this;
    }
    Regions& reflectors(const kernels::BatchBackArgs& g) {
      const std::int64_t n = g.batch.n, count = g.batch.count;
      return add("V", g.v, n * n * count, sizeof(A), constants).add("tau", g.tau, n * count, sizeof(A), constants);
    }
    Regions& factors(const kernels::BatchBackArgs& g, Holds holds) {
      const std::int64_t all = g.batch.count * kernels::batch_panels(g.batch.n);
      return add("factors", g.factors, all * kernels::batch_panel * kernels::batch_panel, sizeof(A), holds);
    }
    Regions& results(const kernels::BatchArgs& g) {
      memory.add("w", {.rows = g.n, .cols = g.count, .lda = g.stride_w, .element = sizeof(R)}, g.w, nothing);
      return add("info", g.info, g.count, sizeof(int), nothing);
    }
  };
  template <class Kernel, class Args>
  static Status launch(Regions& regions, int blocks, std::size_t shared_bytes, const Args& args,
                       int threads = Kernel::max_threads, int cluster = 1) {
    Status status =
        sim::SimLauncher{&regions.memory}.run<Kernel>({.x = blocks}, threads, shared_bytes, args, {.cluster = cluster});
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  }

  SimulatedDivide<R, kernels::batch_merge_lanes> divide_;
};

// Instantiated in a file of their own for each type (CMakeLists.txt).
extern template class SimulatedBatch<float>;
extern template class SimulatedBatch<double>;
extern template class SimulatedBatch<Complex<float>>;
extern template class SimulatedBatch<Complex<double>>;

}  // namespace onepass::test
