// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The axes of a benchmark, and the points that they span.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "bench/point.hpp"
#include "plan/plan.hpp"
#include "support/arguments.hpp"

namespace onepass::tools {

struct Axes {
  std::vector<std::string> types = {};
  std::vector<Op> ops = {};
  std::vector<Shape> shapes = {};
  std::vector<Cache> caches = {};
  std::vector<int> threads = {};
  Layout layout = Layout::column;
  std::int64_t pad = 0;
  std::int64_t batch = 1;
  double max_bytes = 0;  // of one matrix; 0: any
};

enum class Selection { standard, quick, mesh };

// What is measured where the command line says nothing; `threads`: of this host.
Axes default_axes(BackendId backend, Selection selection, int threads, std::int64_t mesh_points);

// Type, op, cache, threads, shape: the shape runs fastest.
std::vector<Point> expand(const Axes& axes);

}  // namespace onepass::tools
