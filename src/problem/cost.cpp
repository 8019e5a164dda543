// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "problem/cost.hpp"

#include <algorithm>

namespace onepass {

Cost cost(const Problem& p, bool beta_is_zero) {
  const double products = static_cast<double>(p.batch);
  const double terms = static_cast<double>(p.m) * static_cast<double>(p.n) * products;
  // n (n + 1) / 2 elements of a triangle, each but the diagonal used twice.
  const double elements = stores_triangle(p) ? (terms + static_cast<double>(p.n) * products) / 2 : terms;
  const double x = static_cast<double>(length_x(p)) * static_cast<double>(size_of(p.type_x)) * products;
  const double y = static_cast<double>(length_y(p)) * static_cast<double>(size_of(p.type_y)) * products;
  return {
      .matrix_bytes = elements * static_cast<double>(size_of(p.type_a)),
      .vector_bytes = x + (beta_is_zero ? y : 2 * y),
      .flops = terms * (is_complex_type(p.type_a) ? 8.0 : 2.0),
  };
}

double floor_seconds(const Ceilings& c, double bytes) {
  return std::max(c.empty_seconds, c.launch_seconds + bytes / c.bytes_per_second);
}

}  // namespace onepass
