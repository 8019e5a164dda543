// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cost of a problem: the one place that counts bytes, flops and the time floor.
#pragma once

#include "problem/problem.hpp"

namespace onepass {

struct Cost {
  double matrix_bytes = 0;  // A, once; of a symmetric A the stored triangle
  double vector_bytes = 0;  // x once; y once, or twice where beta != 0
  double flops = 0;

  double bytes() const { return matrix_bytes + vector_bytes; }
};

Cost cost(const Problem& p, bool beta_is_zero = true);

// The constants of a device's time floor, measured by `onepass bench --ceilings`.
struct Ceilings {
  double empty_seconds = 0;     // shortest launch that reads anything
  double launch_seconds = 0;    // fixed part of a launch that streams
  double bytes_per_second = 0;  // read bandwidth

  bool operator==(const Ceilings&) const = default;
};

// max(t_empty, t_launch + bytes / bandwidth)
double floor_seconds(const Ceilings& ceilings, double bytes);

}  // namespace onepass
