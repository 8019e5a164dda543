// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A device for the steps of divide and conquer: launches on the simulator, with the memory of each described exactly,
// and products as loops.
#pragma once

#include <gtest/gtest.h>

#include "backends/sim/grid_memory.hpp"
#include "backends/sim/launcher.hpp"
#include "kernels/lapack/bidiagonal_leaf.hpp"
#include "kernels/lapack/divide_deflate.hpp"
#include "kernels/lapack/divide_leaf.hpp"
#include "kernels/lapack/divide_secular.hpp"
#include "kernels/lapack/divide_vectors.hpp"
#include "lapack/cuda/divide_tree.hpp"
#include "products.hpp"

namespace onepass::test {

// lanes: of a root, pole or column.
template <class R, kernels::Form form = kernels::Form::tridiagonal, int lanes = 32>
class SimulatedDivide final : public lapack::DivideDevice {
 public:
  using Level = kernels::DivideLevelArgs;
  static constexpr bool bidiagonal = form == kernels::Form::bidiagonal;

  Status set_up(const kernels::DivideSetupArgs& g) override {
    Regions regions;
    regions.reals("d", g.d, g.n, constants).reals("e", g.e, g.n - 1, constants);
    regions.reals("scaled d", g.scaled_d, g.n, nothing).reals("scaled e", g.scaled_e, g.n - 1, nothing);
    regions.reals("scale", g.scale, 2, nothing).ints("not finite", g.not_finite, 1, nothing);
    return launch<kernels::DivideSetup<R, form>>(regions, 1, kernels::divide_setup_shared_bytes(sizeof(R)), g);
  }
  Status solve_leaves(const kernels::DivideLeafArgs& g, int blocks) override {
    Regions regions;
    regions.reals("d", g.d, g.n, constants).reals("e", g.e, g.n - 1, constants);
    regions.reals("values", g.values, g.n, nothing).ints("failed", g.failed, blocks, nothing);
    regions.nodes(g.q, g.q_ld, g.q_stride, g.n, g.leaf, nothing);
    if constexpr (bidiagonal) {
      regions.nodes(g.vt, g.vt_ld, g.vt_stride, g.n, g.leaf, nothing);
      return launch<kernels::BidiagonalLeaf<R>>(regions, blocks,
                                                kernels::bidiagonal_leaf_shared_bytes(g.leaf, sizeof(R)), g);
    } else {
      return launch<kernels::DivideLeaf<R>>(regions, blocks, kernels::divide_leaf_shared_bytes(g.leaf, sizeof(R)), g);
    }
  }
  Status deflate(const Level& g, bool many_threads, int blocks) override {
    Regions regions;
    regions.reals("e", g.e, g.n - 1, constants).reals("values", g.values, g.n, constants);
    regions.nodes(g.q, g.q_ld, g.q_stride, g.n, g.half, constants);
    for (void* array : {g.sorted_d, g.sorted_z, g.live_d, g.live_z, g.live_norm, g.live_moved, g.row_weight, g.pole_d,
                        g.pole_z, g.found})
      regions.reals("an array", array, g.n, nothing);
    for (int* array : {g.sorted_row, g.live_row, g.live_head, g.row_live, g.row_pole, g.deflated})
      regions.ints("an array of indices", array, g.n, nothing);
    regions.ints("numbers of poles", g.pole_count, blocks, nothing);
    if (bidiagonal) regions.reals("d", g.d, g.n, constants).nulls(g, blocks, nothing);
    using Few = kernels::DivideDeflate<R, kernels::deflate_few_threads, form>;
    using Many = kernels::DivideDeflate<R, kernels::deflate_many_threads, form>;
    Status status = many_threads || always_many_threads
                        ? launch<Many>(regions, blocks, kernels::divide_deflate_shared_bytes(Many::max_threads), g)
                        : launch<Few>(regions, blocks, kernels::divide_deflate_shared_bytes(Few::max_threads), g);
    for (int merge = 0; merge < blocks; ++merge) poles += g.pole_count[merge];
    return status;
  }
  Status find_roots(const Level& g, int blocks) override {
    Regions regions = of_poles(g);
    regions.reals("e", g.e, g.n - 1, constants).reals("found", g.found, g.n, nothing);
    regions.reals("shifts", g.shift, g.n, nothing).ints("origins", g.origin, g.n, nothing);
    return launch<kernels::DivideSecular<R, form, lanes>>(regions, blocks, 0, g);
  }
  Status order(const Level& g, int blocks) override {
    Regions regions = of_poles(g);
    regions.reals("found", g.found, g.n, constants).reals("values", g.values, g.n, nothing);
    regions.reals("shifts", g.shift, g.n, constants).ints("origins", g.origin, g.n, constants);
    regions.reals("z", g.z_hat, g.n, nothing).ints("order", g.order, g.n, nothing);
    return launch<kernels::DivideOrder<R, form, lanes>>(regions, blocks, 0, g);
  }
  Status make_columns(const Level& g, int blocks) override {
    Regions regions = of_poles(g);
    regions.reals("shifts", g.shift, g.n, constants).ints("origins", g.origin, g.n, constants);
    regions.reals("z", g.z_hat, g.n, constants).ints("order", g.order, g.n, constants);
    regions.reals("z of the live", g.live_z, g.n, constants).reals("norms", g.live_norm, g.n, constants);
    regions.reals("weights", g.row_weight, g.n, constants).ints("poles of rows", g.row_pole, g.n, constants);
    regions.ints("rows' live", g.row_live, g.n, constants).ints("heads", g.live_head, g.n, constants);
    regions.ints("deflated", g.deflated, g.n, constants);
    if (bidiagonal) regions.nulls(g, merges(g), constants);
    for (std::int64_t merge = 0, base = 0; base < g.n; ++merge, base += 2 * g.half) {
      const std::int64_t rows = std::min<std::int64_t>(2 * g.half, g.n - base);
      const std::int64_t columns = std::min<std::int64_t>(g.end_column, rows) - g.first_column;
      if (columns > 0)
        regions.memory.add("U", {.rows = rows, .cols = columns, .lda = g.u_ld, .element = sizeof(R)},
                           static_cast<R*>(g.u) + merge * g.u_stride, nothing);
    }
    return launch<kernels::DivideColumns<R, form, lanes>>(regions, blocks, 0, g);
  }
  Status multiply(const lapack::Product& p) override {
    multiply_by_loops<R>(p);
    ++products;
    return {};
  }
  Status finish(const kernels::DivideFinishArgs& g, int blocks) override {
    Regions regions;
    regions.reals("values", g.values, g.n, constants).reals("scale", g.scale, 2, constants);
    regions.ints("not finite", g.not_finite, 1, constants).ints("failed", g.failed, g.leaves, constants);
    regions.reals("w", g.w, g.n, nothing).ints("info", g.info, 1, nothing);
    regions.memory.add("Z", {.rows = g.n, .cols = g.n, .lda = g.ldz, .element = sizeof(R)}, g.z, nothing);
    if (bidiagonal)
      regions.memory.add("V^T", {.rows = g.n, .cols = g.n, .lda = g.ldvt, .element = sizeof(R)}, g.vt, nothing);
    return launch<kernels::DivideFinish<R, form>>(regions, blocks, 0, g);
  }

  bool always_many_threads = false;
  int launches = 0, products = 0, poles = 0;

 private:
  static constexpr Holds constants = Holds::constants, nothing = Holds::nothing;

  struct Regions {
    sim::GridMemory memory;

    Regions& reals(const char* name, const void* data, std::int64_t count, Holds holds) {
      memory.add(name, {.rows = count, .element = sizeof(R)}, data, holds);
      return *this;
    }
    Regions& ints(const char* name, const int* data, std::int64_t count, Holds holds) {
      memory.add(name, {.rows = count, .element = sizeof(int)}, data, holds);
      return *this;
    }
    void nulls(const Level& g, int count, Holds holds) {
      reals("null vectors", g.null_first, count, holds).reals("null vectors", g.null_second, count, holds);
    }
    void nodes(const void* q, std::int64_t ld, std::int64_t stride, std::int64_t n, std::int64_t size, Holds holds) {
      for (std::int64_t node = 0; node * size < n; ++node) {
        const std::int64_t rows = std::min(size, n - node * size);
        memory.add("Q", {.rows = rows, .cols = rows, .lda = ld, .element = sizeof(R)},
                   static_cast<const R*>(q) + node * stride, holds);
      }
    }
  };
  static int merges(const Level& g) {
    int count = 0;
    for (std::int64_t base = 0; base < g.n; base += 2 * g.half) ++count;
    return count;
  }
  static Regions of_poles(const Level& g) {
    Regions regions;
    regions.reals("poles", g.pole_d, g.n, constants).reals("z of poles", g.pole_z, g.n, constants);
    regions.ints("numbers of poles", g.pole_count, merges(g), constants);
    return regions;
  }
  template <class Kernel, class Args>
  Status launch(Regions& regions, int blocks, std::size_t shared_bytes, const Args& args) {
    ++launches;
    Status status =
        sim::SimLauncher{&regions.memory}.run<Kernel>({.x = blocks}, Kernel::max_threads, shared_bytes, args);
    EXPECT_TRUE(status.ok()) << status.text;
    return status;
  }
};

// Instantiated in a file of their own for each type (CMakeLists.txt).
extern template class SimulatedDivide<float>;
extern template class SimulatedDivide<float, kernels::Form::bidiagonal>;
extern template class SimulatedDivide<double>;
extern template class SimulatedDivide<double, kernels::Form::bidiagonal>;

}  // namespace onepass::test
