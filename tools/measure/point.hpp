// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One point of a benchmark: what is computed, from which memory, by how many threads.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "problem/problem.hpp"

namespace onepass::tools {

// Where the operands of a call are. alone, chain: matrices are cold as well, and on a GPU another kernel lies between
// any two calls, or the x of each is the y of the one before.
enum class Cache { cold, hot, alone, chain };

constexpr const char* name(Cache cache) {
  switch (cache) {
    case Cache::hot: return "hot";
    case Cache::alone: return "alone";
    case Cache::chain: return "chain";
    default: return "cold";
  }
}
constexpr std::optional<Cache> parse_cache(std::string_view text) {
  for (const Cache cache : {Cache::cold, Cache::hot, Cache::alone, Cache::chain})
    if (text == name(cache)) return cache;
  return std::nullopt;
}
// Whether the operands of a call were last touched so long ago that no cache has them.
constexpr bool from_memory(Cache cache) { return cache != Cache::hot; }

// What lies between two calls that are timed on a GPU: nothing, so that a launch overlaps the end of the one before, or
// another kernel, whose time is taken off; or a vector, which one writes and the next reads. Times of one setting say
// nothing about the others.
enum class Setting { queue, alone, chain };
constexpr Setting setting(Cache cache) {
  return cache == Cache::alone ? Setting::alone : cache == Cache::chain ? Setting::chain : Setting::queue;
}
constexpr const char* name(Setting setting) {
  return setting == Setting::alone ? "alone" : setting == Setting::chain ? "chain" : "queue";
}

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

// "cold queue", "hot queue", "cold alone", "cold chain"; without the setting on a host, whose calls do not overlap.
std::string cache_and_setting(const Point& point);

// " strided", " pointers"; nothing without a batch.
std::string batching_name(Batching batching);

// The point without its sizes: "s N cold", with the threads of a host.
std::string series(const Point& point);

// Equal for equal points alone.
std::string key(const Point& point);

}  // namespace onepass::tools
