// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What several launches of batches touch.
#pragma once

#include <algorithm>

#include "kernels/lapack/batched/batch_svd_args.hpp"
#include "launch/region.hpp"

namespace onepass::lapack {

template <class T>
constexpr Region array_of(const char* name, const void* data, std::int64_t count, Holds holds = Holds::nothing) {
  return {.name = name, .data = data, .rows = count, .element = sizeof(T), .holds = holds};
}

// Matrices like `each`, whose data is the first of them or an array of pointers to all.
template <class A, class Memory>
void add_matrices(Memory& memory, Region each, bool pointers, std::int64_t stride, std::int64_t count) {
  const void* const data = each.data;
  if (pointers) memory.add(array_of<void*>("pointers", data, count, Holds::constants));
  each.element = sizeof(A);
  for (std::int64_t i = 0; i < count; ++i) {
    each.data = pointers ? static_cast<A* const*>(data)[i] : static_cast<const A*>(data) + i * stride;
    memory.add(each);
  }
}

// ---- Eigenproblems ------------------------------------------------------------------------------

// All of them where they are written, and the triangle that is stored where they are not.
template <class A, class Memory>
void add_matrices(Memory& memory, const kernels::BatchArgs& g, bool written) {
  const bool whole = written && g.vectors;
  add_matrices<A>(memory,
                  {.name = "A",
                   .data = g.a,
                   .rows = g.n,
                   .columns = g.n,
                   .ld = g.lda,
                   .holds = whole ? Holds::data : Holds::constants,
                   .part = whole     ? Part::whole
                           : g.lower ? Part::lower
                                     : Part::upper},
                  g.pointer_array, g.stride_a, g.count);
}

template <class A, class Memory>
void add_results(Memory& memory, const kernels::BatchArgs& g) {
  memory.add(
      {.name = "w", .data = g.w, .rows = g.n, .columns = g.count, .ld = g.stride_w, .element = sizeof(RealOf<A>)});
  memory.add(array_of<int>("info", g.info, g.count));
}

// ---- Singular value decompositions --------------------------------------------------------------

template <class A, class Memory>
void add_matrices(Memory& memory, const kernels::BatchSvdArgs& g) {
  add_matrices<A>(memory,
                  {.name = "A", .data = g.a, .rows = g.m, .columns = g.n, .ld = g.lda, .holds = Holds::constants},
                  g.pointer_arrays, g.stride_a, g.count);
}

template <class A, class Memory>
void add_results(Memory& memory, const kernels::BatchSvdArgs& g) {
  const std::int64_t k = std::min(g.m, g.n);
  if (g.vectors) {
    add_matrices<A>(memory, {.name = "U", .data = g.u, .rows = g.m, .columns = k, .ld = g.ldu}, g.pointer_arrays,
                    g.stride_u, g.count);
    add_matrices<A>(
        memory,
        {.name = "V^H", .data = g.vt, .rows = g.plain_v ? g.n : k, .columns = g.plain_v ? k : g.n, .ld = g.ldvt},
        g.pointer_arrays, g.stride_vt, g.count);
  }
  memory.add({.name = "S", .data = g.s, .rows = k, .columns = g.count, .ld = g.stride_s, .element = sizeof(RealOf<A>)});
  memory.add(array_of<int>("info", g.info, g.count));
}

}  // namespace onepass::lapack
