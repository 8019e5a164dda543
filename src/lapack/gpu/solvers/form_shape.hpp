// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The shapes of steps whose kernels are compiled for both forms of a matrix, and may differ in a number besides: the
// threads of a block, or the lanes of a root or a column.
#pragma once

#include "kernels/lapack/solvers/form.hpp"

namespace onepass::lapack {

constexpr int form_shape(kernels::Form form, int number = 0) { return 2 * number + static_cast<int>(form); }
constexpr kernels::Form form_of(int shape) { return static_cast<kernels::Form>(shape % 2); }
constexpr int number_of(int shape) { return shape / 2; }

}  // namespace onepass::lapack
