// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How long a product takes on the GPU, by estimate: with Onepass, and with cuBLAS.
#pragma once

#include "problem/problem.hpp"

namespace onepass::cublas {

struct Estimate {
  double onepass = 0, cublas = 0;  // seconds; zeros: nothing like it was measured
};

// The floor of the problem's bytes on a device of this bandwidth, over what the two reach of it on an H200 for such
// problems. Of beta it knows nothing.
Estimate estimate(const Problem& p, double bytes_per_second);

}  // namespace onepass::cublas
