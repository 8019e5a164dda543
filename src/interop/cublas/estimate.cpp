// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "interop/cublas/estimate.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

#include "problem/cost.hpp"

namespace onepass::cublas {
namespace {

struct Percent {
  int onepass, cublas;
};
// Three for each of the first: wide, square, tall.
enum Kind : std::size_t { aligned, of_n = 3, of_t = 6, batch = 9, triangle, kinds };
constexpr std::array borders = {1e6, 1e7, 6.4e7};  // of sizes, in bytes
constexpr std::size_t types = std::size(all_types);

constexpr std::array<std::array<std::array<Percent, borders.size() + 1>, types>, kinds> reached = {{
#include "interop/cublas/reached.inc"
}};

// The matrix as it lies in memory.
std::size_t shape_of(const Stored& s) { return 8 * s.rows < s.cols ? 0 : s.rows > 8 * s.cols ? 2 : 1; }

}  // namespace

Estimate estimate(const Problem& p, double bytes_per_second) {
  const double bytes = cost(p).bytes();
  const auto size = static_cast<std::size_t>(std::ranges::upper_bound(borders, bytes) - borders.begin());
  const auto of = [&](std::size_t kind) { return reached[kind][static_cast<std::size_t>(p.type_a)][size]; };
  const Stored matrix = stored(p);
  const std::size_t shape = shape_of(matrix);
  Percent percent = of(is_triangle(p) ? triangle : p.batch != 1 ? batch : (matrix.transposed ? of_t : of_n) + shape);
  // As far as it was measured, columns on 16-byte boundaries are a kind of their own: cuBLAS is faster there.
  const bool in_words = !is_triangle(p) && p.batch == 1 && p.lda * size_of(p.type_a) % 16 == 0;
  if (in_words && of(aligned + shape).onepass > 0) percent = of(aligned + shape);
  if (percent.onepass == 0) return {};
  const Ceilings ceilings{.empty_seconds = 1.1e-6, .launch_seconds = 0.9e-6, .bytes_per_second = bytes_per_second};
  const double floor = 100 * floor_seconds(ceilings, bytes);
  return {.onepass = floor / percent.onepass, .cublas = floor / percent.cublas};
}

}  // namespace onepass::cublas
