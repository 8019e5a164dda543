// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The launches of the rank-k update of a matrix, and of the rank-2k update of a triangle.
#pragma once

#include "kernels/lapack/rank_2k.hpp"
#include "launch/steps.hpp"

namespace onepass::lapack {

// The shape is a sum of rank_2k_aligned and rank_2k_multiplies. An element of 16 bytes is always aligned; panels that
// are begun by the update before them are those of double precision.
template <bool in_triangle>
struct Rank2kKernels {
  static constexpr bool aligned(int shape) { return (shape & kernels::rank_2k_aligned) != 0; }
  static constexpr bool multiplies(int shape) { return (shape & kernels::rank_2k_multiplies) != 0; }
  template <class A, int shape>
  static constexpr bool has = (aligned(shape) || sizeof(A) < 16) && (!multiplies(shape) || sizeof(RealOf<A>) == 8);
  template <class A, int shape>
  using Kernel = kernels::Rank2k<A, aligned(shape), in_triangle, multiplies(shape)>;

  template <class A, int shape, class Memory>
  static void regions(const kernels::Rank2kArgs& g, const Work&, Memory& memory) {
    const auto add = [&](const char* name, const void* data, std::int64_t rows, std::int64_t columns = 1,
                         std::int64_t ld = 0, Holds holds = Holds::constants) {
      memory.add({.name = name,
                  .data = data,
                  .rows = rows,
                  .columns = columns,
                  .ld = ld,
                  .element = sizeof(A),
                  .holds = holds});
    };
    memory.add_matrix({.name = "C",
                       .data = g.c,
                       .rows = g.m,
                       .columns = g.n,
                       .ld = g.ldc,
                       .element = sizeof(A),
                       .part = !in_triangle ? Part::whole
                               : g.lower    ? Part::lower
                                            : Part::upper});
    add("V", g.v, g.m, g.k, g.ldv);
    add("W", g.w, g.n, g.k, g.ldw);
    if constexpr (multiplies(shape)) {
      add("x", g.x, g.n);
      add("sums", g.sums, Kernel<A, shape>::tiles(g).slots() * g.pitch, 1, 0, Holds::nothing);
    }
  }
};

}  // namespace onepass::lapack
