// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The counters of a launch against numbers worked out by hand.
#include <vector>

#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

using exec::Sim;
using exec::Vector16;

class CountersOfLoads : public ::testing::Test {
 protected:
  // One load per thread of one block, at `first + stride * thread` floats past a multiple of 128 bytes.
  template <class T>
  Counters load(int first, int stride, int threads = 32) {
    MemoryMap map;
    map.add(Role::matrix, {.rows = 2048, .element = 4}, a.data());
    const Status status = run({.threads = threads}, map, [=, this](Sim ex) {
      ex.load_once_if(true, reinterpret_cast<const T*>(a.data() + first + stride * ex.thread()));
    });
    EXPECT_TRUE(status.ok()) << status.text;
    return last_counters();
  }
  struct alignas(128) Line {
    float value[32];
  };
  std::vector<Line> lines = std::vector<Line>(64);
  std::span<float> a{lines[0].value, 2048};
};

TEST_F(CountersOfLoads, SectorsOfAWarp) {
  EXPECT_EQ(load<float>(0, 1).matrix_sectors_requested, 4);  // 128 bytes
  EXPECT_EQ(load<float>(1, 1).matrix_sectors_requested, 5);  // the same across one more boundary
  EXPECT_EQ(load<float>(0, 2).matrix_sectors_requested, 8);
  EXPECT_EQ(load<float>(0, 8).matrix_sectors_requested, 32);  // one for each lane
  EXPECT_EQ(load<float>(0, 16).matrix_sectors_requested, 32);
  EXPECT_EQ(load<float>(9, 0).matrix_sectors_requested, 1);      // all lanes read one element
  EXPECT_EQ(load<float>(31, -1).matrix_sectors_requested, 4);    // in any order
  EXPECT_EQ(load<Vector16>(0, 4).matrix_sectors_requested, 16);  // 512 bytes
  EXPECT_EQ(load<Vector16>(4, 4).matrix_sectors_requested, 17);
  EXPECT_EQ(load<double>(2, 2).matrix_sectors_requested, 9);
}

TEST_F(CountersOfLoads, SectorsOfLanesThatTakeTurns) {
  MemoryMap map;
  map.add(Role::matrix, {.rows = 2048, .element = 4}, a.data());
  const Status status =
      run({}, map, [this](Sim ex) { ex.load_once_if(true, a.data() + ex.thread() % 2 * 1024 + ex.thread() / 2); });
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(last_counters().matrix_sectors_requested, 4);
}

TEST_F(CountersOfLoads, EachWarpCountsForItself) {
  EXPECT_EQ(load<float>(0, 0, 128).matrix_sectors_requested, 4);
  EXPECT_EQ(load<float>(0, 0, 128).load_instructions, 4);
  EXPECT_EQ(load<float>(0, 1, 40).matrix_sectors_requested, 5);
}

TEST_F(CountersOfLoads, NeededSectorsAndReadsOfElements) {
  const Counters c = load<float>(0, 1);
  EXPECT_EQ(c.matrix_elements_needed, 2048);
  EXPECT_EQ(c.matrix_sectors_needed, 256);
  EXPECT_EQ(c.matrix_elements_never, 2048 - 32);
  EXPECT_EQ(c.matrix_elements_again, 0);
  EXPECT_EQ(load<float>(0, 0).matrix_elements_again, 1);
  EXPECT_EQ(load<Vector16>(0, 4, 512).matrix_elements_never, 0);
}

TEST_F(CountersOfLoads, ProductsThatShareOneMatrixReadItOnceEach) {
  const void* bases[] = {a.data(), a.data(), a.data()};
  MemoryMap map;
  map.add_batch(Role::matrix, {.rows = 32, .element = 4}, bases);
  const auto read = [&](int products) {
    EXPECT_TRUE(
        run({.grid = {.z = products}}, map, [this](Sim ex) { ex.load_once_if(true, a.data() + ex.thread()); }).ok());
    return last_counters();
  };
  EXPECT_EQ(read(2).matrix_elements_never, 32);
  EXPECT_EQ(read(3).matrix_elements_never, 0);
  EXPECT_EQ(read(3).matrix_elements_again, 0);
  EXPECT_EQ(read(4).matrix_elements_again, 32);
}

// Lanes of different trip counts: the k-th reads of all lanes at one place are one instruction.
TEST_F(CountersOfLoads, InstructionsOfLanesThatRunApart) {
  MemoryMap map;
  map.add(Role::matrix, {.rows = 2048, .element = 4}, a.data());
  const Status status = run({}, map, [this](Sim ex) {
    if (ex.thread() == 3) ex.load_once_if(true, a.data() + 1024);
    for (int i = 0; i < (ex.thread() < 8 ? 3 : 2); ++i) ex.load_once_if(true, a.data() + 32 * i + ex.thread());
    ex.sync();
    ex.load_once_if(true, a.data() + 512 + ex.thread());
  });
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(last_counters().load_instructions, 1 + 3 + 1);
  EXPECT_EQ(last_counters().matrix_sectors_requested, 1 + (4 + 4 + 1) + 4);
}

TEST_F(CountersOfLoads, OrderOfThreadsChangesNothing) {
  const Counters forward = load<float>(1, 3, 96);
  const WithOptions with({.reverse_threads = true});
  EXPECT_EQ(load<float>(1, 3, 96), forward);
}

// Extra wavefronts of one warp-level put at `stride * thread` elements.
template <class T>
std::int64_t conflicts(int stride) {
  const Status status =
      run({.shared_bytes = 32 * 1024}, {}, [stride](Sim ex) { ex.shared<T>(0).put(stride * ex.thread(), T{}); });
  EXPECT_TRUE(status.ok()) << status.text;
  return last_counters().bank_conflicts;
}

TEST(CountersOfSharedMemory, BankConflicts) {
  EXPECT_EQ(conflicts<float>(1), 0);
  EXPECT_EQ(conflicts<float>(2), 1);
  EXPECT_EQ(conflicts<float>(4), 3);
  EXPECT_EQ(conflicts<float>(32), 31);
  EXPECT_EQ(conflicts<float>(33), 0);
  EXPECT_EQ(conflicts<std::uint16_t>(1), 0);  // two lanes share a word
  EXPECT_EQ(conflicts<double>(1), 0);         // two half warps of 128 bytes
  EXPECT_EQ(conflicts<double>(2), 2);         // each of them twice
  EXPECT_EQ(conflicts<Vector16>(1), 0);       // four quarters of 128 bytes
  EXPECT_EQ(conflicts<Vector16>(2), 4);       // each of them twice
}

TEST(CountersOfSharedMemory, OneWordServesAllLanes) {
  const Status status = run({.shared_bytes = 256}, {}, [](Sim ex) {
    ex.shared<float>(0).put(ex.thread(), 1.0f);
    ex.sync();
    ex.shared<float>(0).get(7);
  });
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(last_counters().bank_conflicts, 0);
  EXPECT_EQ(last_counters().shared_accesses, 2);  // put and get
}

// Blocks 0 and 1 of each of two products publish four partial sums of 8 bytes to block 2, which waits for them if need
// be.
TEST(CountersOfALaunch, EverythingElse) {
  alignas(16) double mailboxes[16] = {};
  float x[64] = {}, y[6] = {};
  MemoryMap map;
  map.add(Role::workspace, {.rows = 32, .element = 4}, mailboxes);
  map.add(Role::x, vector_pattern(64, 1, 4), x);
  map.add(Role::y, vector_pattern(6, 1, 4), y);
  const auto body = [&](Sim ex) {
    ex.prefetch_if(ex.thread() < 2, x);
    ex.shuffle_xor(ex.load_cached(x + ex.thread()), 1);
    ex.sync();
    double* mailbox = mailboxes + 8 * ex.block_z() + ex.thread();
    if (ex.thread() < 4 && ex.block_x() < 2) ex.publish(mailbox + 4 * ex.block_x(), 1.0);
    if (ex.thread() < 4 && ex.block_x() == 2) {
      int polls = exec::most_polls;
      while (ex.poll_again(!ex.poll(mailbox).arrived || !ex.poll(mailbox + 4).arrived, polls)) continue;
      EXPECT_EQ(ex.poll(mailbox).value, 1);
      ex.reset(mailbox);
      ex.reset(mailbox + 4);
    }
    ex.sync();
    const std::int64_t block = ex.block_x() + 3 * ex.block_z();
    if (ex.thread() == 0 && block != 5) ex.store(y + block, 1.0f);
  };
  const Counters expected = {
      .outputs_never = 1,
      .barriers = 12,
      .shuffles = 12,
      .partial_sums = 16,
      .workspace_bytes_read = 128,     // however often they poll
      .workspace_bytes_written = 256,  // published and reset
      .prefetches = 12,
      .load_instructions = 12,  // per block: x in two warps
      .blocks = 6,
  };
  for (const BlockOrder order : {BlockOrder::ascending, BlockOrder::descending, BlockOrder::shuffled}) {
    const WithOptions with({.block_order = order, .reverse_threads = order == BlockOrder::shuffled});
    const Status status = run({.grid = {.x = 3, .z = 2}, .threads = 64}, map, body);
    EXPECT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(last_counters(), expected);
  }
}

TEST(CountersOfALaunch, BlocksRunInTheOrderAskedFor) {
  const auto order = [](const SimOptions& o) {
    const WithOptions with(o);
    std::vector<std::int64_t> seen;
    EXPECT_TRUE(run({.grid = {.x = 2, .y = 2, .z = 2}, .threads = 1}, {}, [&](Sim ex) {
                  seen.push_back(ex.block_x() + 2 * ex.block_y() + 4 * ex.block_z());
                }).ok());
    return seen;
  };
  const std::vector<std::int64_t> ascending = {0, 1, 2, 3, 4, 5, 6, 7}, descending = {7, 6, 5, 4, 3, 2, 1, 0};
  EXPECT_EQ(order({}), ascending);
  EXPECT_EQ(order({.block_order = BlockOrder::descending}), descending);
  std::vector<std::int64_t> shuffled = order({.block_order = BlockOrder::shuffled, .seed = 1});
  EXPECT_NE(shuffled, ascending);
  EXPECT_NE(shuffled, order({.block_order = BlockOrder::shuffled, .seed = 2}));
  std::sort(shuffled.begin(), shuffled.end());
  EXPECT_EQ(shuffled, ascending);
}

}  // namespace
}  // namespace onepass::sim
