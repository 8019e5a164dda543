// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of many singular value decompositions from eigenvectors.
#pragma once

#include "kernels/lapack/batched/batch_refine.hpp"
#include "kernels/lapack/batched/batch_refine_ends.hpp"
#include "kernels/lapack/batched/batch_refine_product.hpp"
#include "kernels/lapack/batched/batch_refine_small.hpp"
#include "launch/lapack/batch_regions.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

// The shape of both launches of small matrices is the number of lanes of a matrix.
struct RefineSmallRegions : OneShape {
  static constexpr std::array shapes = {8, 16, 32};
  template <class A, class Memory>
  static void add(const kernels::RefineSmallArgs& g, Holds v, Memory& memory) {
    const std::int64_t q = std::min(g.svd.m, g.svd.n);
    add_matrices<A>(memory, g.svd);
    memory.add(array_of<kernels::RefineSmallStart<A>>("V", g.v, g.svd.count * q * q, v));
  }
};

template <>
struct KernelsOf<Step::refine_small_start> : RefineSmallRegions {
  template <class A, int lanes>
  using Kernel = kernels::BatchRefineSmallStart<A, lanes>;
  template <class A, int, class Memory>
  static void regions(const kernels::RefineSmallArgs& g, const Work&, Memory& memory) {
    add<A>(g, Holds::nothing, memory);
  }
};

template <>
struct KernelsOf<Step::refine_small> : RefineSmallRegions {
  template <class A, int lanes>
  using Kernel = kernels::BatchRefineSmall<A, lanes>;
  template <class A, int, class Memory>
  static void regions(const kernels::RefineSmallArgs& g, const Work&, Memory& memory) {
    add<A>(g, Holds::constants, memory);
    add_results<A>(memory, g.svd);
    memory.add(array_of<int>("state", g.state, g.svd.count));
  }
};

struct RefineRegions : OneShape {
  template <class A, class Memory>
  static void add(const kernels::RefineArgs& g, Holds x, Holds states, Memory& memory) {
    const kernels::RefineShape shape(g.svd.m, g.svd.n, sizeof(A));
    const std::int64_t count = g.svd.count;
    memory.add(array_of<A>("even X", g.x[0], count * shape.of_x(), x));
    memory.add(array_of<A>("odd X", g.x[1], count * shape.of_x(), x));
    memory.add(array_of<A>("T", g.t, count * shape.of_t(), Holds::data));
    memory.add(array_of<A>("exp(T)", g.exponential, count * shape.of_t(), Holds::data));
    memory.add(array_of<RealOf<A>>("scale", g.scale, count, states == Holds::nothing ? states : Holds::constants));
    memory.add(array_of<int>("state", g.state, count, states));
  }
};

template <>
struct KernelsOf<Step::refine_begin> : RefineRegions {
  template <class A, int>
  using Kernel = kernels::BatchRefineBegin<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::RefineArgs& g, const Work&, Memory& memory) {
    add<A>(g, Holds::nothing, Holds::nothing, memory);
    add_matrices<A>(memory, g.svd);
  }
};

// The shape is the product.
template <>
struct KernelsOf<Step::refine_product> : RefineRegions {
  static constexpr std::array shapes = {0, 1, 2, 3, 4, 5};
  template <class A, int which>
  using Kernel = kernels::BatchRefineProduct<A, static_cast<kernels::RefineProduct>(which)>;
  template <class A, int, class Memory>
  static void regions(const kernels::RefineArgs& g, const Work&, Memory& memory) {
    add<A>(g, Holds::data, Holds::constants, memory);
  }
};

template <>
struct KernelsOf<Step::refine_angles> : RefineRegions {
  template <class A, int>
  using Kernel = kernels::BatchAngles<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::RefineArgs& g, const Work&, Memory& memory) {
    add<A>(g, Holds::constants, Holds::data, memory);
  }
};

template <>
struct KernelsOf<Step::refine_end> : RefineRegions {
  template <class A, int>
  using Kernel = kernels::BatchRefineEnd<A>;
  template <class A, int, class Memory>
  static void regions(const kernels::RefineArgs& g, const Work&, Memory& memory) {
    add<A>(g, Holds::constants, Holds::constants, memory);
    add_results<A>(memory, g.svd);
  }
};

}  // namespace onepass::lapack
