// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One point of a benchmark: what is computed, from which memory, by how many threads.
#pragma once

#include <cstdint>
#include <string>

#include "problem/problem.hpp"

namespace onepass::tools {

enum class Cache { cold, hot };

constexpr const char* name(Cache cache) { return cache == Cache::cold ? "cold" : "hot"; }

// How the products of a batch are found; `one` is a call without a batch.
enum class Batching { one, strided, pointers };

struct Point {
  Problem problem;
  Cache cache = Cache::cold;
  int threads = 0;  // of the host; 0 where the device counts for itself

  bool operator==(const Point&) const = default;
};

Batching batching(const Problem& p);

// Sets lda and the strides of a problem whose shape, op, layout and types are there: columns `pad` elements apart, the
// products of a batch one behind the other.
void lay_tight(Problem& p, std::int64_t pad, Batching batching, std::int64_t batch);

// "s N", "symv d L": a problem without its sizes.
std::string kind(const Problem& p);

// "s N 4096x512", "symv d L 4096x4096", and what is not the default: "row", "lda 4100", "batch 16", "pointers".
std::string label(const Problem& p);

// " 2 threads"; nothing where the device counts for itself.
std::string threads_text(int threads);

// " strided", " pointers"; nothing without a batch.
std::string batching_name(Batching batching);

// The point without its sizes: "s N cold", with the threads of a host.
std::string series(const Point& point);

// Equal for equal points alone.
std::string key(const Point& point);

}  // namespace onepass::tools
