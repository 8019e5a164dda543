// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of divide and conquer. Their shapes (lapack/gpu/solvers/form_shape.hpp) have as a number: deflation the
// threads of a block; roots, their order and the columns of U the lanes of each.
#pragma once

#include <type_traits>

#include "kernels/lapack/solvers/bidiagonal_leaf.hpp"
#include "kernels/lapack/solvers/divide_deflate.hpp"
#include "kernels/lapack/solvers/divide_leaf.hpp"
#include "kernels/lapack/solvers/divide_secular.hpp"
#include "kernels/lapack/solvers/divide_vectors.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

template <class R, class Memory>
struct DivideRegions {
  static constexpr Holds constants = Holds::constants, nothing = Holds::nothing;

  void reals(const char* name, const void* data, std::int64_t count, Holds holds) {
    memory.add({.name = name, .data = data, .rows = count, .element = sizeof(R), .holds = holds});
  }
  void ints(const char* name, const int* data, std::int64_t count, Holds holds) {
    memory.add({.name = name, .data = data, .rows = count, .element = sizeof(int), .holds = holds});
  }
  void matrix(const char* name, const void* data, std::int64_t rows, std::int64_t columns, std::int64_t ld,
              Holds holds) {
    memory.add(
        {.name = name, .data = data, .rows = rows, .columns = columns, .ld = ld, .element = sizeof(R), .holds = holds});
  }
  // Nodes have `size` rows each, but for the last.
  void nodes(const void* q, std::int64_t ld, std::int64_t stride, std::int64_t n, std::int64_t size, Holds holds) {
    for (std::int64_t node = 0; node * size < n; ++node) {
      const std::int64_t rows = std::min(size, n - node * size);
      matrix("Q", static_cast<const R*>(q) + node * stride, rows, rows, ld, holds);
    }
  }
  void poles(const kernels::DivideLevelArgs& g) {
    reals("poles", g.pole_d, g.n, constants);
    reals("z of poles", g.pole_z, g.n, constants);
    ints("numbers of poles", g.pole_count, merges(g), constants);
  }
  void nulls(const kernels::DivideLevelArgs& g, Holds holds) {
    reals("first null vectors", g.null_first, merges(g), holds);
    reals("second null vectors", g.null_second, merges(g), holds);
  }
  static std::int64_t merges(const kernels::DivideLevelArgs& g) { return (g.n + 2 * g.half - 1) / (2 * g.half); }

  Memory& memory;
};

template <>
struct KernelsOf<Step::divide_setup> : OfForms<0> {
  template <class R, int shape>
  using Kernel = kernels::DivideSetup<R, form_of(shape)>;
  template <class R, int, class Memory>
  static void regions(const kernels::DivideSetupArgs& g, const Work&, Memory& memory) {
    DivideRegions<R, Memory> add{memory};
    add.reals("d", g.d, g.n, add.constants);
    add.reals("e", g.e, g.n - 1, add.constants);
    add.reals("scaled d", g.scaled_d, g.n, add.nothing);
    add.reals("scaled e", g.scaled_e, g.n - 1, add.nothing);
    add.reals("scale", g.scale, 2, add.nothing);
    add.ints("not finite", g.not_finite, 1, add.nothing);
  }
};

template <>
struct KernelsOf<Step::divide_leaves> : OfForms<0> {
  template <class R, int shape>
  using Kernel = std::conditional_t<form_of(shape) == kernels::Form::bidiagonal, kernels::BidiagonalLeaf<R>,
                                    kernels::DivideLeaf<R>>;
  template <class R, int shape, class Memory>
  static void regions(const kernels::DivideLeafArgs& g, const Work& work, Memory& memory) {
    DivideRegions<R, Memory> add{memory};
    add.reals("d", g.d, g.n, add.constants);
    add.reals("e", g.e, g.n - 1, add.constants);
    add.reals("values", g.values, g.n, add.nothing);
    add.ints("failed", g.failed, work.blocks, add.nothing);
    add.nodes(g.q, g.q_ld, g.q_stride, g.n, g.leaf, add.nothing);
    if (form_of(shape) == kernels::Form::bidiagonal) add.nodes(g.vt, g.vt_ld, g.vt_stride, g.n, g.leaf, add.nothing);
  }
};

template <>
struct KernelsOf<Step::divide_deflate> : OfForms<kernels::deflate_few_threads, kernels::deflate_many_threads> {
  template <class R, int shape>
  using Kernel = kernels::DivideDeflate<R, number_of(shape), form_of(shape)>;
  template <class R, int shape, class Memory>
  static void regions(const kernels::DivideLevelArgs& g, const Work&, Memory& memory) {
    DivideRegions<R, Memory> add{memory};
    add.reals("e", g.e, g.n - 1, add.constants);
    add.reals("values", g.values, g.n, add.constants);
    add.nodes(g.q, g.q_ld, g.q_stride, g.n, g.half, add.constants);
    for (const void* array : {g.sorted_d, g.sorted_z, g.live_d, g.live_z, g.live_norm, g.live_moved, g.row_weight,
                              g.pole_d, g.pole_z, g.found})
      add.reals("an array", array, g.n, add.nothing);
    for (const int* array : {g.sorted_row, g.live_row, g.live_head, g.row_live, g.row_pole, g.deflated})
      add.ints("an array of indices", array, g.n, add.nothing);
    add.ints("numbers of poles", g.pole_count, add.merges(g), add.nothing);
    if (form_of(shape) == kernels::Form::tridiagonal) return;
    add.reals("d", g.d, g.n, add.constants);
    add.nulls(g, add.nothing);
  }
};

template <>
struct KernelsOf<Step::divide_roots> : OfForms<kernels::divide_lanes> {
  template <class R, int shape>
  using Kernel = kernels::DivideSecular<R, form_of(shape), number_of(shape)>;
  template <class R, int, class Memory>
  static void regions(const kernels::DivideLevelArgs& g, const Work&, Memory& memory) {
    DivideRegions<R, Memory> add{memory};
    add.poles(g);
    add.reals("e", g.e, g.n - 1, add.constants);
    add.reals("found", g.found, g.n, add.nothing);
    add.reals("shifts", g.shift, g.n, add.nothing);
    add.ints("origins", g.origin, g.n, add.nothing);
  }
};

template <>
struct KernelsOf<Step::divide_order> : OfForms<kernels::divide_lanes> {
  template <class R, int shape>
  using Kernel = kernels::DivideOrder<R, form_of(shape), number_of(shape)>;
  template <class R, int, class Memory>
  static void regions(const kernels::DivideLevelArgs& g, const Work&, Memory& memory) {
    DivideRegions<R, Memory> add{memory};
    add.poles(g);
    add.reals("found", g.found, g.n, add.constants);
    add.reals("values", g.values, g.n, add.nothing);
    add.reals("shifts", g.shift, g.n, add.constants);
    add.ints("origins", g.origin, g.n, add.constants);
    add.reals("z", g.z_hat, g.n, add.nothing);
    add.ints("order", g.order, g.n, add.nothing);
  }
};

template <>
struct KernelsOf<Step::divide_columns> : OfForms<kernels::divide_lanes> {
  template <class R, int shape>
  using Kernel = kernels::DivideColumns<R, form_of(shape), number_of(shape)>;
  template <class R, int shape, class Memory>
  static void regions(const kernels::DivideLevelArgs& g, const Work&, Memory& memory) {
    DivideRegions<R, Memory> add{memory};
    add.poles(g);
    add.reals("shifts", g.shift, g.n, add.constants);
    add.ints("origins", g.origin, g.n, add.constants);
    add.reals("z", g.z_hat, g.n, add.constants);
    add.ints("order", g.order, g.n, add.constants);
    add.reals("z of the live", g.live_z, g.n, add.constants);
    add.reals("norms", g.live_norm, g.n, add.constants);
    add.reals("weights", g.row_weight, g.n, add.constants);
    add.ints("poles of rows", g.row_pole, g.n, add.constants);
    add.ints("rows' live", g.row_live, g.n, add.constants);
    add.ints("heads", g.live_head, g.n, add.constants);
    add.ints("deflated", g.deflated, g.n, add.constants);
    if (form_of(shape) == kernels::Form::bidiagonal) add.nulls(g, add.constants);
    for (std::int64_t merge = 0, base = 0; base < g.n; ++merge, base += 2 * g.half) {
      const std::int64_t rows = std::min<std::int64_t>(2 * g.half, g.n - base);
      const std::int64_t columns = std::min<std::int64_t>(g.end_column, rows) - g.first_column;
      add.matrix("U", static_cast<const R*>(g.u) + merge * g.u_stride, rows, columns, g.u_ld, add.nothing);
    }
  }
};

template <>
struct KernelsOf<Step::divide_finish> : OfForms<0> {
  template <class R, int shape>
  using Kernel = kernels::DivideFinish<R, form_of(shape)>;
  template <class R, int shape, class Memory>
  static void regions(const kernels::DivideFinishArgs& g, const Work&, Memory& memory) {
    DivideRegions<R, Memory> add{memory};
    add.reals("values", g.values, g.n, add.constants);
    add.reals("scale", g.scale, 2, add.constants);
    add.ints("not finite", g.not_finite, 1, add.constants);
    add.ints("failed", g.failed, g.leaves, add.constants);
    add.reals("w", g.w, g.n, add.nothing);
    add.ints("info", g.info, 1, add.nothing);
    add.matrix("Z", g.z, g.n, g.n, g.ldz, add.nothing);
    if (form_of(shape) == kernels::Form::bidiagonal) add.matrix("V^T", g.vt, g.n, g.n, g.ldvt, add.nothing);
  }
};

}  // namespace onepass::lapack
