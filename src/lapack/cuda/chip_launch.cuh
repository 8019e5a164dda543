// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From the number of a shape in a table to the kernel that was compiled for it.
#pragma once

#include "lapack/gpu/chip_shapes.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

template <const ChipShapes& shapes, class A, class Run>
Status with_chip_shape(int index, Run run) {
  static_assert(ChipShapes::count == 4);
  switch (index) {
    case 0: return run.template operator()<shapes.of(sizeof(A))[0]>();
    case 1: return run.template operator()<shapes.of(sizeof(A))[1]>();
    case 2: return run.template operator()<shapes.of(sizeof(A))[2]>();
    default: return run.template operator()<shapes.of(sizeof(A))[3]>();
  }
}

template <const ChipShapes& shapes, class A, class Run>
Status for_each_chip_shape(Run run) {
  for (int index = 0; index < ChipShapes::count; ++index)
    if (Status bad = with_chip_shape<shapes, A>(index, run); !bad.ok()) return bad;
  return {};
}

}  // namespace onepass::lapack
