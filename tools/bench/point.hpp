// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One point of a benchmark: what is computed, from which memory, by how many threads.
#pragma once

#include "problem/problem.hpp"

namespace onepass::tools {

enum class Cache { cold, hot };

constexpr const char* name(Cache cache) { return cache == Cache::cold ? "cold" : "hot"; }

struct Point {
  Gemv problem;
  Cache cache = Cache::cold;
  int threads = 0;  // of the host; 0 where the device counts for itself

  bool operator==(const Point&) const = default;
};

}  // namespace onepass::tools
