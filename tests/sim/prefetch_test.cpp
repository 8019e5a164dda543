// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The runs of a prefetch, and its kernel on the simulator: every sector of them once, and none beside the matrix.
#include <vector>

#include "plan/plan.hpp"
#include "sim/run_kernel.hpp"

// Behind the executor.
#include "kernels/prefetch.hpp"

namespace onepass::sim {
namespace {

Problem doubles(std::int64_t m, std::int64_t n, std::int64_t lda) {
  return {.type_a = Type::d, .type_x = Type::d, .type_y = Type::d, .m = m, .n = n, .lda = lda};
}

TEST(Prefetch, HasWholeColumnsUpToItsBound) {
  EXPECT_EQ(prefetch_runs(doubles(10, 4, 10), 1000), (PrefetchRuns{1, 320, 320}));
  EXPECT_EQ(prefetch_runs(doubles(10, 4, 10), 100), (PrefetchRuns{1, 100, 100}));
  EXPECT_EQ(prefetch_runs(doubles(10, 4, 12), 1000), (PrefetchRuns{4, 80, 96}));
  EXPECT_EQ(prefetch_runs(doubles(10, 4, 12), 200), (PrefetchRuns{2, 80, 96}));
  EXPECT_EQ(prefetch_runs(doubles(10, 4, 12), 50), (PrefetchRuns{1, 50, 96}));
  EXPECT_EQ(prefetch_runs(doubles(10, 1, 12), 1000), (PrefetchRuns{1, 80, 80}));
  EXPECT_EQ(prefetch_runs(doubles(0, 4, 12), 1000), PrefetchRuns{});
  EXPECT_EQ(prefetch_runs(doubles(10, 4, 12), 0), PrefetchRuns{});
}

TEST(Prefetch, AsksForEverySectorOnce) {
  struct alignas(256) Line {
    double values[32];
  };
  for (const auto& [m, n, lda, offset, sectors] : std::vector<std::array<std::int64_t, 5>>{
           {2048, 3, 2048, 0, 1536}, {1, 1, 1, 3, 1}, {600, 3, 604, 0, 450}, {513, 1, 513, 3, 129}, {5, 2, 8, 0, 4}}) {
    std::vector<Line> memory(static_cast<std::size_t>((offset + lda * n + 31) / 32));
    const double* const a = memory.data()->values + offset;
    const Problem p = doubles(m, n, lda);
    const PrefetchRuns runs = prefetch_runs(p, 1 << 30);
    // Of the sector in which A begins and of that in which it ends, what lies beside A is asked for too.
    MemoryMap map;
    map.add(Role::matrix, {.rows = static_cast<std::int64_t>(memory.size()) * 32, .element = 8}, memory.data());
    const Status status = SimLauncher{&map}.run<kernels::Prefetch>(
        {.x = 5}, kernels::prefetch_threads, 0,
        kernels::PrefetchArgs{reinterpret_cast<const char*>(a), runs.runs, runs.bytes, runs.pitch});
    ASSERT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(last_counters().prefetches, sectors) << m << "x" << n;
  }
}

}  // namespace
}  // namespace onepass::sim
