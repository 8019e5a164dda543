// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launch of many bidiagonal forms.
#pragma once

#include "kernels/lapack/batch_bidiagonal.hpp"
#include "launch/lapack/batch_regions.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

// The shape is the number of rows of the square that registers hold.
template <>
struct KernelsOf<Step::batch_bidiagonal> : OneShape {
  static constexpr std::array shapes = {32, 64, 128, 144, 160, 192, 208, 256};
  template <class A, int rows>
  static constexpr bool has = kernels::any_has_rows(kernels::batch_bidiagonal_shapes(sizeof(A)), rows);
  template <class A, int rows>
  using Kernel = kernels::BatchBidiagonal<A, kernels::batch_bidiagonal_shape(rows, sizeof(A))>;
  template <class A, int, class Memory>
  static void regions(const kernels::BatchBidiagonalArgs& g, const Work&, Memory& memory) {
    add_matrices<A>(memory, g.svd);
    for (const void* diagonal : {g.d, g.e}) memory.add(array_of<RealOf<A>>("B", diagonal, g.svd.count * g.order));
  }
};

}  // namespace onepass::lapack
