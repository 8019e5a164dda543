// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of many tridiagonal and bidiagonal matrices.
#pragma once

#include "kernels/lapack/batch_leaf.hpp"
#include "kernels/lapack/batch_product.hpp"
#include "kernels/lapack/batch_values.hpp"
#include "kernels/lapack/divide_deflate.hpp"
#include "kernels/lapack/divide_secular.hpp"
#include "kernels/lapack/divide_vectors.hpp"
#include "launch/lapack/batch_regions.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

// The shape is the form.
template <>
struct KernelsOf<Step::batch_values> : OneShape {
  static constexpr std::array shapes = {static_cast<int>(kernels::Form::tridiagonal),
                                        static_cast<int>(kernels::Form::bidiagonal)};
  template <class R, int form>
  using Kernel = kernels::BatchValues<R, static_cast<kernels::Form>(form)>;
  template <class R, int, class Memory>
  static void regions(const kernels::BatchValuesArgs& g, const Work&, Memory& memory) {
    const std::int64_t all = g.batch.count * g.rows;
    add_results<R>(memory, g.batch);
    memory.add(array_of<R>("d", g.d, all, Holds::constants));
    memory.add(array_of<R>("e", g.e, all, Holds::constants));
  }
};

template <>
struct KernelsOf<Step::batch_leaves> : OneShape {
  template <class R, int>
  using Kernel = kernels::BatchLeaf<R>;
  template <class R, int, class Memory>
  static void regions(const kernels::DivideLeafArgs& g, const Work&, Memory& memory) {
    const std::int64_t leaves = g.n / g.leaf;
    memory.add(array_of<R>("d", g.d, g.n, Holds::constants));
    memory.add(array_of<R>("e", g.e, g.n, Holds::constants));
    memory.add(array_of<R>("values", g.values, g.n));
    memory.add(array_of<int>("failed", g.failed, leaves));
    memory.add(array_of<R>("Q", g.q, leaves * g.q_stride));
  }
};

// Every merge of a level is of as many rows, and all that it has is in arrays without gaps.
struct MergeRegions : OneShape {
  template <class R, class Memory>
  static void add_poles(const kernels::DivideLevelArgs& g, Memory& memory) {
    memory.add(array_of<R>("poles", g.pole_d, g.n, Holds::constants));
    memory.add(array_of<R>("z of poles", g.pole_z, g.n, Holds::constants));
    memory.add(array_of<int>("numbers of poles", g.pole_count, g.n / (2 * g.half), Holds::constants));
  }
  template <class R, class Memory>
  static void add_roots(const kernels::DivideLevelArgs& g, Holds holds, Memory& memory) {
    memory.add(array_of<R>("shifts", g.shift, g.n, holds));
    memory.add(array_of<int>("origins", g.origin, g.n, holds));
  }
  template <class R, class Memory>
  static void add_order(const kernels::DivideLevelArgs& g, Holds holds, Memory& memory) {
    memory.add(array_of<R>("z", g.z_hat, g.n, holds));
    memory.add(array_of<int>("order", g.order, g.n, holds));
  }
};

template <>
struct KernelsOf<Step::batch_deflate> : MergeRegions {
  template <class R, int>
  using Kernel = kernels::DivideDeflate<R, kernels::deflate_few_threads>;
  template <class R, int, class Memory>
  static void regions(const kernels::DivideLevelArgs& g, const Work& work, Memory& memory) {
    memory.add(array_of<R>("e", g.e, g.n, Holds::constants));
    memory.add(array_of<R>("values", g.values, g.n, Holds::constants));
    memory.add(array_of<R>("Q", g.q, std::int64_t{g.n} * g.half, Holds::constants));
    for (const void* array : {g.sorted_d, g.sorted_z, g.live_d, g.live_z, g.live_norm, g.live_moved, g.row_weight,
                              g.pole_d, g.pole_z, g.found})
      memory.add(array_of<R>("an array", array, g.n));
    for (const int* array : {g.sorted_row, g.live_row, g.live_head, g.row_live, g.row_pole, g.deflated})
      memory.add(array_of<int>("an array of indices", array, g.n));
    memory.add(array_of<int>("numbers of poles", g.pole_count, work.blocks));
  }
};

template <>
struct KernelsOf<Step::batch_roots> : MergeRegions {
  template <class R, int>
  using Kernel = kernels::DivideSecular<R, kernels::Form::tridiagonal, kernels::batch_merge_lanes>;
  template <class R, int, class Memory>
  static void regions(const kernels::DivideLevelArgs& g, const Work&, Memory& memory) {
    add_poles<R>(g, memory);
    add_roots<R>(g, Holds::nothing, memory);
    memory.add(array_of<R>("e", g.e, g.n, Holds::constants));
    memory.add(array_of<R>("found", g.found, g.n));
  }
};

template <>
struct KernelsOf<Step::batch_order> : MergeRegions {
  template <class R, int>
  using Kernel = kernels::DivideOrder<R, kernels::Form::tridiagonal, kernels::batch_merge_lanes>;
  template <class R, int, class Memory>
  static void regions(const kernels::DivideLevelArgs& g, const Work&, Memory& memory) {
    add_poles<R>(g, memory);
    add_roots<R>(g, Holds::constants, memory);
    add_order<R>(g, Holds::nothing, memory);
    memory.add(array_of<R>("found", g.found, g.n, Holds::constants));
    memory.add(array_of<R>("values", g.values, g.n));
  }
};

template <>
struct KernelsOf<Step::batch_columns> : MergeRegions {
  template <class R, int>
  using Kernel = kernels::DivideColumns<R, kernels::Form::tridiagonal, kernels::batch_merge_lanes>;
  template <class R, int, class Memory>
  static void regions(const kernels::DivideLevelArgs& g, const Work&, Memory& memory) {
    add_poles<R>(g, memory);
    add_roots<R>(g, Holds::constants, memory);
    add_order<R>(g, Holds::constants, memory);
    for (const void* array : {g.live_z, g.live_norm, g.row_weight})
      memory.add(array_of<R>("an array", array, g.n, Holds::constants));
    for (const int* array : {g.row_pole, g.row_live, g.live_head, g.deflated})
      memory.add(array_of<int>("an array of indices", array, g.n, Holds::constants));
    memory.add(array_of<R>("U", g.u, std::int64_t{g.n} * 2 * g.half));
  }
};

template <>
struct KernelsOf<Step::batch_product> : OneShape {
  template <class R, int>
  using Kernel = kernels::BatchProduct<R>;
  template <class R, int, class Memory>
  static void regions(const kernels::BatchProductArgs& g, const Work&, Memory& memory) {
    const std::int64_t squares = g.merges * g.half * g.half;
    memory.add(array_of<R>("Q", g.q, 2 * squares, Holds::constants));
    memory.add(array_of<R>("U", g.u, 4 * squares, Holds::constants));
    memory.add(array_of<R>("Q of merges", g.to, 4 * squares));
  }
};

}  // namespace onepass::lapack
