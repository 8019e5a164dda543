// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of many singular value decompositions by rotations.
#pragma once

#include "kernels/lapack/batched/batch_svd.hpp"
#include "kernels/lapack/batched/batch_svd_pairs.hpp"
#include "launch/lapack/batch_regions.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

// The shape is the number of slots; it is negative where M and V are not one matrix.
template <>
struct KernelsOf<Step::batch_svd> : OneShape {
  static constexpr std::array shapes = {1, 2, 4, -4, -8};
  template <class A, int shape>
  using Kernel = kernels::BatchSvd<A, (shape > 0 ? shape : -shape), (shape > 0)>;
  template <class A, int, class Memory>
  static void regions(const kernels::BatchSvdArgs& g, const Work& work, Memory& memory) {
    const std::int64_t p = std::max(g.m, g.n), q = std::min(g.m, g.n);
    const std::int64_t outside = p * (q - g.m_on_chip) + (g.vectors ? q * (q - g.v_on_chip) : 0);
    add_matrices<A>(memory, g);
    add_results<A>(memory, g);
    memory.add(array_of<A>("columns", g.off_chip, work.blocks * outside));
    memory.add(array_of<int>("state", g.state, g.count, Holds::constants));
    memory.add(array_of<RealOf<A>>("scale", g.scale, g.count, Holds::constants));
    for (const void* x : g.begun)
      memory.add(array_of<A>("X", x, g.count * kernels::RefineShape(g.m, g.n, sizeof(A)).of_x(), Holds::constants));
  }
};

// Rows of a column, of which there are too many of 16 bytes for registers.
template <>
struct KernelsOf<Step::batch_svd_pairs> : OneShape {
  static constexpr auto shapes = std::to_array(kernels::batch_svd_pair_rows);
  template <class A, int rows>
  static constexpr bool has = rows < 32 || sizeof(A) < 16;
  template <class A, int rows>
  using Kernel = kernels::BatchSvdPairs<A, rows>;
  template <class A, int, class Memory>
  static void regions(const kernels::BatchSvdPairsArgs& g, const Work&, Memory& memory) {
    add_matrices<A>(memory, g.svd);
    add_results<A>(memory, g.svd);
    memory.add(array_of<int>("state", g.state, g.svd.count));
  }
};

}  // namespace onepass::lapack
