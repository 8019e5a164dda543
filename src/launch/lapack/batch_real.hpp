// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of many tridiagonal and bidiagonal matrices.
#pragma once

#include "kernels/lapack/batched/batch_leaf.hpp"
#include "kernels/lapack/batched/batch_product.hpp"
#include "kernels/lapack/batched/batch_values.hpp"
#include "launch/lapack/batch_regions.hpp"
#include "launch/lapack/divide.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

template <>
struct KernelsOf<Step::batch_values> : OfForms<0> {
  template <class R, int shape>
  using Kernel = kernels::BatchValues<R, form_of(shape)>;
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

// Merges are those of a single matrix, with fewer lanes for a root or a column.
template <Step of, int number>
struct MergeOf : KernelsOf<of> {
  static constexpr std::array shapes = {form_shape(kernels::Form::tridiagonal, number)};
};
template <>
struct KernelsOf<Step::batch_deflate> : MergeOf<Step::divide_deflate, kernels::deflate_few_threads> {};
template <>
struct KernelsOf<Step::batch_roots> : MergeOf<Step::divide_roots, kernels::batch_merge_lanes> {};
template <>
struct KernelsOf<Step::batch_order> : MergeOf<Step::divide_order, kernels::batch_merge_lanes> {};
template <>
struct KernelsOf<Step::batch_columns> : MergeOf<Step::divide_columns, kernels::batch_merge_lanes> {};

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
