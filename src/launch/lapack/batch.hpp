// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of many eigenproblems, but for those of tridiagonal matrices.
#pragma once

#include "kernels/lapack/batch_back.hpp"
#include "kernels/lapack/batch_back_blocks.hpp"
#include "kernels/lapack/batch_small.hpp"
#include "kernels/lapack/batch_tridiagonal.hpp"
#include "kernels/lapack/batch_tridiagonal_held.hpp"
#include "launch/lapack/batch_regions.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

// The shape is the number of lanes of a matrix.
template <>
struct KernelsOf<Step::batch_small> : OneShape {
  static constexpr std::array shapes = {8, 16, 32};
  template <class A, int lanes>
  using Kernel = kernels::BatchSmall<A, lanes>;
  template <class A, int, class Memory>
  static void regions(const kernels::BatchArgs& g, const Work&, Memory& memory) {
    add_matrices<A>(memory, g, true);
    add_results<A>(memory, g);
  }
};

struct TridiagonalFormRegions : OneShape {
  template <class A, int, class Memory>
  static void regions(const kernels::BatchTridiagonalArgs& g, const Work&, Memory& memory) {
    using R = RealOf<A>;
    const std::int64_t n = g.batch.n, count = g.batch.count, all = count * g.rows;
    add_matrices<A>(memory, g.batch, false);
    memory.add(array_of<A>("V", g.v, n * n * count));
    memory.add(array_of<A>("tau", g.tau, n * count));
    memory.add(array_of<A>("coupling", g.coupling, n * count));
    memory.add(array_of<R>("back", g.back, 2 * count));
    memory.add(array_of<R>("d", g.d, all));
    memory.add(array_of<R>("e", g.e, all));
    memory.add(array_of<int>("not finite", g.not_finite, count));
  }
};

// Rows of a lane at a time.
template <>
struct KernelsOf<Step::batch_packed> : TridiagonalFormRegions {
  static constexpr std::array shapes = {1, 2};
  template <class A, int rows>
  using Kernel = kernels::BatchTridiagonal<A, rows>;
};

// Rows of the square that registers hold.
template <>
struct KernelsOf<Step::batch_held> : TridiagonalFormRegions {
  static constexpr std::array shapes = {64, 128, 144, 160, 192, 208, 256, 288, 384, 512};
  template <class A, int rows>
  static constexpr bool has = kernels::any_has_rows(kernels::batch_held_shapes(sizeof(A)), rows);
  template <class A, int rows>
  using Kernel = kernels::BatchTridiagonalHeld<A, kernels::batch_held_shape(rows, sizeof(A))>;
};

template <class A, class Memory>
void add_reflectors(Memory& memory, const kernels::BatchBackArgs& g, Holds factors) {
  constexpr std::int64_t square = kernels::batch_panel * kernels::batch_panel;
  const std::int64_t n = g.batch.n, count = g.batch.count;
  memory.add(array_of<A>("V", g.v, n * n * count, Holds::constants));
  memory.add(array_of<A>("tau", g.tau, n * count, Holds::constants));
  memory.add(array_of<A>("factors", g.factors, count * kernels::batch_panels(g.batch.n) * square, factors));
}

template <>
struct KernelsOf<Step::batch_factors> : OneShape {
  template <class A, int>
  static constexpr bool has = kernels::batch_applies_blocks(sizeof(RealOf<A>));
  template <class A, int>
  using Kernel = kernels::BatchFactors<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::BatchBackArgs& g, const Work&, Memory& memory) {
    add_reflectors<A>(memory, g, Holds::nothing);
  }
};

// The largest n.
template <>
struct KernelsOf<Step::batch_back> : OneShape {
  static constexpr auto shapes = std::to_array(kernels::batch_back_orders);
  template <class A, int n, kernels::BatchBlockShape shape = kernels::batch_block_shape(n, sizeof(A))>
  using Kernel = std::conditional_t<kernels::batch_applies_blocks(sizeof(RealOf<A>)),
                                    kernels::BatchBackBlocks<A, shape.tiles, shape.shares>,
                                    kernels::BatchBack<A, kernels::batch_back_slots(n)>>;
  template <class A, int, class Memory>
  static void regions(const kernels::BatchBackArgs& g, const Work&, Memory& memory) {
    using R = RealOf<A>;
    const std::int64_t count = g.batch.count, rows = g.rows;
    add_matrices<A>(memory, g.batch, true);
    add_results<A>(memory, g.batch);
    add_reflectors<A>(memory, g, Holds::constants);
    memory.add(array_of<A>("coupling", g.coupling, g.batch.n * count, Holds::constants));
    memory.add(array_of<R>("back", g.back, 2 * count, Holds::constants));
    memory.add(array_of<int>("not finite", g.not_finite, count, Holds::constants));
    memory.add(array_of<int>("failed", g.failed, count * g.leaves, Holds::constants));
    memory.add(array_of<R>("values", g.values, count * rows, Holds::constants));
    memory.add(array_of<R>("Z", g.z, count * rows * rows, Holds::constants));
  }
};

}  // namespace onepass::lapack
