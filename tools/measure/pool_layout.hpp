// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How the operands of a point lie in a pool: several sets of A and x, and of y, used in turn.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "bench/point.hpp"
#include "problem/cost.hpp"

namespace onepass::tools {

struct PoolLayout {
  std::size_t a_bytes = 0, x_bytes = 0, y_bytes = 0;  // of a set, each rounded to 256
  std::size_t sets = 1;

  std::size_t input_stride() const { return a_bytes + x_bytes; }
  std::size_t input_bytes() const { return sets * input_stride(); }
  std::size_t output_bytes() const { return sets * y_bytes; }
};

inline std::size_t round_to_256(std::int64_t bytes) { return (static_cast<std::size_t>(bytes) + 255) / 256 * 256; }

// One set for hot; for cold as many as fill `pool_bytes`, at least two and at most `most`.
inline PoolLayout lay_out(const Point& point, std::size_t pool_bytes, std::size_t most) {
  const Gemv& p = point.problem;
  PoolLayout layout{
      .a_bytes = round_to_256(p.batch * p.lda * stored(p).cols * size_of(p.type_a)),
      .x_bytes = round_to_256(p.batch * length_x(p) * size_of(p.type_x)),
      .y_bytes = round_to_256(p.batch * length_y(p) * size_of(p.type_y)),
  };
  if (point.cache == Cache::cold)
    layout.sets = std::min(std::max<std::size_t>(2, pool_bytes / layout.input_stride() + 1), most);
  return layout;
}

}  // namespace onepass::tools
