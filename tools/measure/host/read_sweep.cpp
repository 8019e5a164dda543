// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/host/read_sweep.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace onepass::tools {
namespace {

using Clock = std::chrono::steady_clock;

typedef std::uint64_t Vector16 __attribute__((vector_size(16), may_alias));
typedef std::uint64_t Vector32 __attribute__((vector_size(32), may_alias));

constexpr std::size_t line_bytes = 64;

std::atomic<std::uint64_t> sink;

// Four distant streams, a line of each per step, as the fastest kernels read; the sum keeps the compiler from leaving
// the loads out.
template <class Vector>
__attribute__((always_inline)) inline std::uint64_t read_by(const std::byte* data, std::size_t lines) {
  constexpr std::size_t streams = 4, per_line = line_bytes / sizeof(Vector);
  Vector sums[streams][per_line] = {};
  const std::size_t quarter = lines / streams;
  const auto* vectors = reinterpret_cast<const Vector*>(data);
  for (std::size_t i = 0; i < quarter; ++i)
    for (std::size_t s = 0; s < streams; ++s)
      for (std::size_t k = 0; k < per_line; ++k) sums[s][k] ^= vectors[(i + s * quarter) * per_line + k];
  for (std::size_t i = streams * quarter * per_line; i < lines * per_line; ++i) sums[0][0] ^= vectors[i];
  std::uint64_t words[sizeof(sums) / sizeof(std::uint64_t)], sum = 0;
  std::memcpy(words, sums, sizeof(words));
  for (const std::uint64_t word : words) sum ^= word;
  return sum;
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) std::uint64_t read_avx2(const std::byte* data, std::size_t lines) {
  return read_by<Vector32>(data, lines);
}
#endif

std::uint64_t read_lines(const std::byte* data, std::size_t lines) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2")) return read_avx2(data, lines);
#endif
  return read_by<Vector16>(data, lines);
}

// Each thread has its share of the lines: round_of(round, first line, number of lines) -> anything that depends on
// them.
template <class Work>
double timed_rounds(std::size_t lines, int threads, std::size_t rounds, const Work& round_of) {
  std::barrier gate(threads);
  const auto work = [&](int thread) {
    const std::size_t begin = lines * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
    const std::size_t end = lines * static_cast<std::size_t>(thread + 1) / static_cast<std::size_t>(threads);
    std::uint64_t sum = 0;
    gate.arrive_and_wait();
    const auto start = Clock::now();
    for (std::size_t i = 0; i < rounds; ++i) sum += round_of(i, begin, end - begin);
    gate.arrive_and_wait();
    sink += sum;
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::vector<std::jthread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back([&work, thread] { work(thread); });
  return work(0);
}

template <class Work>
double seconds_per_round(std::size_t lines, int threads, double seconds, const Work& round_of) {
  std::size_t rounds = 1;
  for (;;) {
    const double elapsed = timed_rounds(lines, threads, rounds, round_of);
    if (elapsed >= seconds) return elapsed / static_cast<double>(rounds);
    const double wanted = 1.2 * seconds / std::max(elapsed, 1e-7);
    rounds = static_cast<std::size_t>(static_cast<double>(rounds) * std::clamp(wanted, 1.5, 16.0)) + 1;
  }
}

}  // namespace

double read_seconds(const ReadPool& pool, int threads, double seconds) {
  const std::size_t lines = std::max<std::size_t>(pool.set_bytes / line_bytes, 1);
  return seconds_per_round(lines, threads, seconds, [&](std::size_t i, std::size_t first, std::size_t count) {
    return read_lines(pool.data + ((i % pool.sets) * lines + first) * line_bytes, count);
  });
}

double copy_seconds(std::byte* data, std::size_t bytes, int threads, double seconds) {
  const std::size_t lines = std::max<std::size_t>(bytes / 2 / line_bytes, 1);
  return seconds_per_round(lines, threads, seconds, [&](std::size_t, std::size_t first, std::size_t count) {
    std::byte* to = data + (lines + first) * line_bytes;
    std::memcpy(to, data + first * line_bytes, count * line_bytes);
    return static_cast<std::uint64_t>(*to);
  });
}

}  // namespace onepass::tools
