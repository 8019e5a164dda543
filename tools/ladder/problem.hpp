// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The product of the ladder: y = A x, single precision, A row major without gaps; and memory for it.
#pragma once

#include <cstddef>
#include <vector>

#include "problem/problem.hpp"
#include "support/arguments.hpp"

namespace onepass::tools::ladder {

inline Problem problem_of(Shape shape) { return {.layout = Layout::row, .m = shape.m, .n = shape.n, .lda = shape.n}; }

// Numbers on a boundary of 256 bytes, as a device's memory begins.
class Floats {
 public:
  explicit Floats(std::int64_t count) : count_(static_cast<std::size_t>(count)), lines_((count_ + 63) / 64) {}
  float* data() { return reinterpret_cast<float*>(lines_.data()); }
  const float* data() const { return reinterpret_cast<const float*>(lines_.data()); }
  std::size_t bytes() const { return count_ * sizeof(float); }

 private:
  struct alignas(256) Line {
    float values[64] = {};
  };
  std::size_t count_;
  std::vector<Line> lines_;
};

// The problem as a call sees it whose A lies on such a boundary.
inline Problem aligned(Problem p) {
  p.alignment_a = alignment_of(p, nullptr);
  return p;
}

}  // namespace onepass::tools::ladder
