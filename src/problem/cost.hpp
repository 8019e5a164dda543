// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cost of a problem: the one place that counts bytes, flops and the time floor.
#pragma once

#include <algorithm>

#include "problem/problem.hpp"

namespace onepass {

struct Cost {
  double matrix_bytes = 0;  // A, once; twice where it is updated; of a symmetric A the stored triangle
  double vector_bytes = 0;  // x once; y once, or twice where beta != 0
  double flops = 0;

  double bytes() const { return matrix_bytes + vector_bytes; }
};

// The elements of all matrices, once.
inline double stored_bytes(const Problem& p) {
  const double products = static_cast<double>(p.batch);
  const double terms = static_cast<double>(p.m) * static_cast<double>(p.n) * products;
  // n (n + 1) / 2 elements of a triangle, each but the diagonal used twice.
  const double elements = is_triangle(p) ? (terms + static_cast<double>(p.n) * products) / 2 : terms;
  return elements * static_cast<double>(size_of(p.type_a));
}

inline Cost cost(const Problem& p, bool beta_is_zero = true) {
  const double products = static_cast<double>(p.batch);
  const double terms = static_cast<double>(p.m) * static_cast<double>(p.n) * products;
  const double passes = row(p).a == Access::update ? 2 : 1;
  const double vectors_x = p.tails == Tails::none ? 1 : 2, vectors_y = p.tails == Tails::xy ? 2 : 1;
  const double x = static_cast<double>(length_x(p)) * static_cast<double>(size_of(p.type_x)) * products * vectors_x;
  const double y = static_cast<double>(length_y(p)) * static_cast<double>(size_of(p.type_y)) * products * vectors_y;
  return {
      .matrix_bytes = passes * stored_bytes(p),
      .vector_bytes = x + (beta_is_zero || row(p).y == Access::read ? y : 2 * y),
      .flops = terms * (is_complex_type(p.type_a) ? 8.0 : 2.0),
  };
}

// The constants of a device's time floor, measured by `onepass bench --ceilings`.
struct Ceilings {
  double empty_seconds = 0;     // shortest launch that reads anything
  double launch_seconds = 0;    // fixed part of a launch that streams
  double bytes_per_second = 0;  // read bandwidth

  bool operator==(const Ceilings&) const = default;
};

// max(t_empty, t_launch + bytes / bandwidth)
inline double floor_seconds(const Ceilings& c, double bytes) {
  return std::max(c.empty_seconds, c.launch_seconds + bytes / c.bytes_per_second);
}

}  // namespace onepass
