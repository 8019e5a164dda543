// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// LAPACK of the host, by its Fortran names: that of the BLAS which the program is linked to, else liblapack.
#pragma once

#include <memory>

#include "reductions/clock.hpp"

namespace onepass::tools {

// Null if there is none. `threads`: what OpenBLAS is told; another LAPACK has as many as its environment says.
std::unique_ptr<ReductionPeer> open_lapack(int threads);

}  // namespace onepass::tools
