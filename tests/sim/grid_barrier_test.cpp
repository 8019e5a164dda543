// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Grid barriers: blocks that meet, and each way in which they do not, provoked once and caught.
#include <array>
#include <vector>

#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

using exec::Sim;

class GridBarriers : public ::testing::Test {
 protected:
  template <class Body>
  Status blocks(int count, const Body& body, int threads = 64) {
    GridMemory memory;
    memory.add("numbers", {.rows = 8, .element = 4}, numbers.data(), Holds::nothing);
    memory.add_barrier(&counter);
    return run_together({.grid = {.x = count}, .threads = threads}, memory, body);
  }
  void wait(Sim ex, std::uint32_t target, Sim::Site site = Sim::Site::here()) {
    ex.grid_barrier(&counter, target, nullptr, site);
  }

  std::array<int, 8> numbers{};
  std::uint32_t counter = 0;
};

TEST_F(GridBarriers, BlocksExchangeInEveryOrder) {
  for (const BlockOrder order : {BlockOrder::ascending, BlockOrder::descending, BlockOrder::shuffled}) {
    for (const bool reverse : {false, true}) {
      const WithOptions with({.block_order = order, .seed = 5, .reverse_threads = reverse});
      counter = 0;
      const Status status = blocks(4, [&](Sim ex) {
        const auto me = static_cast<std::size_t>(ex.block_x());
        for (std::uint32_t round = 0; round < 3; ++round) {
          const std::size_t half = round % 2 * 4;  // the other is still read
          if (ex.thread() == 0) ex.store_fresh(&numbers[half + me], static_cast<int>(10 * round + me));
          wait(ex, 4 * (round + 1));
          const std::size_t neighbour = (me + 1) % 4;
          EXPECT_EQ(ex.load_fresh(&numbers[half + neighbour]), static_cast<int>(10 * round + neighbour));
        }
      });
      EXPECT_TRUE(status.ok()) << status.text;
      EXPECT_EQ(counter, 12u);
      EXPECT_EQ(last_counters().grid_barriers, 3);
      EXPECT_EQ(last_counters().barriers, 0);
    }
  }
}

TEST_F(GridBarriers, SomeThreadsAtABarrierOfTheBlock) {
  const Status status = blocks(2, [&](Sim ex) {
    if (ex.thread() < 32)
      wait(ex, 2);
    else
      ex.sync();
  });
  EXPECT_TRUE(meets(HazardKind::barrier_divergence, status));
  EXPECT_NE(status.text.find("the grid barrier grid_barrier_test.cpp"), std::string::npos) << status.text;
}

TEST_F(GridBarriers, SomeThreadsWithAnotherTarget) {
  EXPECT_TRUE(meets(HazardKind::barrier_divergence, blocks(2, [&](Sim ex) { wait(ex, ex.thread() < 32 ? 2 : 4); })));
}

TEST_F(GridBarriers, SomeThreadsHaveEnded) {
  EXPECT_TRUE(meets(HazardKind::barrier_divergence, blocks(2, [&](Sim ex) {
                      if (ex.thread() != 5) wait(ex, 2);
                    })));
}

TEST_F(GridBarriers, SomeThreadsWaitAtAShuffle) {
  EXPECT_TRUE(meets(HazardKind::barrier_divergence, blocks(2, [&](Sim ex) {
                      if (ex.thread() < 16)
                        wait(ex, 2);
                      else
                        ex.shuffle_xor(1.0f, 1);
                    })));
}

TEST_F(GridBarriers, ABlockThatHasEndedIsADeadlock) {
  const Status status = blocks(3, [&](Sim ex) {
    wait(ex, 3);
    if (ex.block_x() != 1) wait(ex, 6);
  });
  EXPECT_TRUE(meets(HazardKind::deadlock, status));
  EXPECT_NE(status.text.find("block 1 has ended, and 2 wait at the grid barrier"), std::string::npos) << status.text;
}

TEST_F(GridBarriers, BlocksAtDifferentBarriers) {
  const Status status = blocks(3, [&](Sim ex) {
    if (ex.block_x() == 2)
      wait(ex, 3);
    else
      wait(ex, 3);
  });
  EXPECT_TRUE(meets(HazardKind::barrier_divergence, status));
  EXPECT_NE(status.text.find("block 2 waits at another grid barrier"), std::string::npos) << status.text;
  counter = 0;
  EXPECT_TRUE(meets(HazardKind::barrier_divergence, blocks(3, [&](Sim ex) { wait(ex, ex.block_x() == 2 ? 6 : 3); })));
}

TEST_F(GridBarriers, CounterThatDidNotStartAtZero) {
  counter = 1;
  const Status status = blocks(3, [&](Sim ex) { wait(ex, 3); });
  EXPECT_TRUE(meets(HazardKind::bad_grid_barrier, status));
  EXPECT_NE(status.text.find("the counter is at 4, not at 3"), std::string::npos) << status.text;
}

TEST_F(GridBarriers, TargetThatIsNeverReached) {
  EXPECT_TRUE(meets(HazardKind::bad_grid_barrier, blocks(3, [&](Sim ex) { wait(ex, 4); })));
}

TEST_F(GridBarriers, CounterThatIsNotOfTheLaunch) {
  std::uint32_t other = 0;
  EXPECT_TRUE(meets(HazardKind::bad_grid_barrier, blocks(1, [&](Sim ex) { ex.grid_barrier(&other, 1, nullptr); })));
  EXPECT_TRUE(meets(HazardKind::bad_grid_barrier, run({}, {}, [&](Sim ex) { ex.grid_barrier(&other, 1, nullptr); })));
  const WithOptions with({.keep_going = true});
  EXPECT_TRUE(meets(HazardKind::bad_grid_barrier, blocks(2, [&](Sim ex) { ex.grid_barrier(nullptr, 2, nullptr); })));
  EXPECT_EQ(other, 0u);
}

TEST_F(GridBarriers, CounterTouchedOtherwise) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, blocks(
                                                   1, [&](Sim ex) { ex.store(&counter, 0u); }, 1)));
}

// Blocks that wait when their launch ends leave nothing behind.
TEST_F(GridBarriers, TheNextLaunchIsSound) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    counter = 0;
    EXPECT_TRUE(meets(HazardKind::deadlock, blocks(4, [&](Sim ex) {
                        const std::vector<int> owned(100);
                        if (ex.block_x() != 3) wait(ex, 4);
                      })));
    counter = 0;
    EXPECT_TRUE(blocks(2, [&](Sim ex) { wait(ex, 2); }).ok());
  }
}

}  // namespace
}  // namespace onepass::sim
