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

// 64 bytes: one vector where the machine has such, else several.
typedef std::uint64_t Line __attribute__((vector_size(64), aligned(64), may_alias));

std::atomic<std::uint64_t> sink;

// Four distant streams, as the fastest kernels read; the sum keeps the compiler from leaving the loads out.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__)
__attribute__((target_clones("default", "avx2", "avx512f")))
#endif
std::uint64_t
read_lines(const Line* lines, std::size_t count) {
  const std::size_t quarter = count / 4;
  Line s0{}, s1{}, s2{}, s3{};
  for (std::size_t i = 0; i < quarter; ++i) {
    s0 += lines[i];
    s1 += lines[i + quarter];
    s2 += lines[i + 2 * quarter];
    s3 += lines[i + 3 * quarter];
  }
  for (std::size_t i = 4 * quarter; i < count; ++i) s0 += lines[i];
  s0 += s1 + s2 + s3;
  std::uint64_t words[8], sum = 0;
  std::memcpy(words, &s0, sizeof(words));
  for (const std::uint64_t word : words) sum += word;
  return sum;
}

double timed_reads(const ReadPool& pool, int threads, std::size_t reads) {
  const std::size_t lines = std::max<std::size_t>(pool.set_bytes / sizeof(Line), 1);
  std::barrier gate(threads);
  const auto work = [&](int thread) {
    const std::size_t begin = lines * static_cast<std::size_t>(thread) / static_cast<std::size_t>(threads);
    const std::size_t end = lines * static_cast<std::size_t>(thread + 1) / static_cast<std::size_t>(threads);
    std::uint64_t sum = 0;
    gate.arrive_and_wait();
    const auto start = Clock::now();
    for (std::size_t i = 0; i < reads; ++i) {
      const auto* set = reinterpret_cast<const Line*>(pool.data) + (i % pool.sets) * lines;
      sum += read_lines(set + begin, end - begin);
    }
    gate.arrive_and_wait();
    sink += sum;
    return std::chrono::duration<double>(Clock::now() - start).count();
  };
  std::vector<std::jthread> others;
  for (int thread = 1; thread < threads; ++thread) others.emplace_back([&work, thread] { work(thread); });
  return work(0);
}

}  // namespace

double read_seconds(const ReadPool& pool, int threads, double seconds) {
  std::size_t reads = 1;
  for (;;) {
    const double elapsed = timed_reads(pool, threads, reads);
    if (elapsed >= seconds) return elapsed / static_cast<double>(reads);
    const double wanted = 1.2 * seconds / std::max(elapsed, 1e-7);
    reads = static_cast<std::size_t>(static_cast<double>(reads) * std::clamp(wanted, 1.5, 16.0)) + 1;
  }
}

}  // namespace onepass::tools
