// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Each hazard of shared memory, barriers, shuffles and launches, provoked once and caught, beside a twin that does it
// right.
#include <stdexcept>
#include <vector>

#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

using exec::Sim;
using exec::Vector16;

template <class Body>
Status block(int threads, const Body& body) {
  return run({.threads = threads, .shared_bytes = 512}, {}, body);
}

TEST(SharedHazards, ReadOfUnwrittenMemory) {
  EXPECT_TRUE(meets(HazardKind::unwritten_shared, block(1, [](Sim ex) { ex.shared<float>(0).get(3); })));
  EXPECT_TRUE(block(1, [](Sim ex) {
                const auto shared = ex.shared<float>(0);
                shared.put(3, 2.0f);
                EXPECT_EQ(shared.get(3), 2);
              }).ok());
}

TEST(SharedHazards, ReadOfHalfWrittenMemory) {
  EXPECT_TRUE(meets(HazardKind::unwritten_shared, block(1, [](Sim ex) {
                      ex.shared<float>(0).put(0, 2.0f);
                      ex.shared<double>(0).get(0);
                    })));
}

TEST(SharedHazards, MemoryOfTheBlockBeforeIsUnwritten) {
  const Status status = run({.grid = {.x = 2}, .threads = 1, .shared_bytes = 4}, {}, [](Sim ex) {
    if (ex.block_x() == 0) ex.shared<float>(0).put(0, 1.0f);
    if (ex.block_x() == 1) ex.shared<float>(0).get(0);
  });
  EXPECT_TRUE(meets(HazardKind::unwritten_shared, status));
}

// Threads hand a value to their neighbour.
template <class Between>
Status hand_over(int threads, Between between) {
  return block(threads, [&](Sim ex) {
    const auto shared = ex.shared<int>(0);
    shared.put(ex.thread(), ex.thread());
    between(ex);
    const int neighbour = (ex.thread() + 1) % ex.threads();
    EXPECT_EQ(shared.get(neighbour), neighbour);
  });
}

// A vector of A goes to shared memory and is read there.
template <class Before>
Status copy_and_read(bool wanted, float expected, Before before) {
  alignas(16) static const float a[4] = {1, 2, 3, 4};
  MemoryMap memory;
  memory.add(Role::matrix, {.rows = 4, .cols = 1, .lda = 4, .element = 4}, a);
  return run({.threads = 2, .shared_bytes = 512}, memory, [=](Sim ex) {
    if (ex.thread() == 0) ex.copy_vector_if(wanted, ex.shared<Vector16>(0), 1, a, 0, 4);
    before(ex);
    if (ex.thread() != 0) return;
    EXPECT_EQ(ex.shared<float>(0).get(5), expected);
  });
}

TEST(SharedHazards, ReadOfACopyThatWasNotWaitedFor) {
  EXPECT_TRUE(meets(HazardKind::unwritten_shared, copy_and_read(true, 0, [](Sim) {})));
  EXPECT_TRUE(copy_and_read(true, 2, [](Sim ex) { ex.wait_for_copies(); }).ok());
  EXPECT_TRUE(copy_and_read(false, 0, [](Sim ex) { ex.wait_for_copies(); }).ok());
}

TEST(SharedHazards, ReadOfACopyOfAnotherThreadWithNoBarrier) {
  EXPECT_TRUE(meets(HazardKind::shared_race, copy_and_read(true, 2, [](Sim ex) {
                      ex.wait_for_copies();
                      if (ex.thread() == 1) ex.shared<float>(0).get(5);
                    })));
}

TEST(SharedHazards, ReadOfWhatAnotherThreadWroteWithNoBarrier) {
  EXPECT_TRUE(hand_over(64, [](Sim ex) { ex.sync(); }).ok());
  const WithOptions with({.reverse_threads = true});
  EXPECT_TRUE(hand_over(64, [](Sim ex) { ex.sync(); }).ok());
  EXPECT_TRUE(meets(HazardKind::shared_race, block(2, [](Sim ex) {
                      if (ex.thread() == 1) ex.shared<int>(0).put(0, 1);
                      if (ex.thread() == 0) ex.shared<int>(0).get(0);
                    })));
}

TEST(SharedHazards, ShuffleOrdersNoSharedMemory) {
  EXPECT_TRUE(meets(HazardKind::shared_race, hand_over(32, [](Sim ex) { ex.shuffle_xor(1.0f, 1); })));
}

TEST(SharedHazards, BarriersOfAWarpOrderItsLanesAlone) {
  EXPECT_TRUE(hand_over(32, [](Sim ex) { ex.sync_warp(); }).ok());
  const auto reuse = [](int threads, bool with_barrier) {
    return block(threads, [with_barrier](Sim ex) {
      const auto shared = ex.shared<float>(0);
      if (ex.thread() == 0) shared.put(0, 1.0f);
      ex.sync();
      shared.get(0);
      if (with_barrier) ex.sync_warp();
      if (ex.thread() == 1) shared.put(0, 2.0f);
    });
  };
  EXPECT_TRUE(reuse(32, true).ok());
  EXPECT_TRUE(meets(HazardKind::shared_race, reuse(32, false)));
  EXPECT_TRUE(meets(HazardKind::shared_race, reuse(64, true)));
}

TEST(SharedHazards, WriteOverWhatAnotherThreadReads) {
  const auto reuse = [](bool with_barrier) {
    return block(2, [with_barrier](Sim ex) {
      const auto shared = ex.shared<float>(0);
      if (ex.thread() == 0) shared.put(0, 1.0f);
      ex.sync();
      shared.get(0);
      if (with_barrier) ex.sync();
      if (ex.thread() == 1) shared.put(0, 2.0f);
    });
  };
  EXPECT_TRUE(meets(HazardKind::shared_race, reuse(false)));
  EXPECT_TRUE(reuse(true).ok());
}

TEST(SharedHazards, TwoThreadsWriteTheSamePlace) {
  EXPECT_TRUE(meets(HazardKind::shared_race, block(2, [](Sim ex) { ex.shared<float>(0).put(0, 1.0f); })));
  EXPECT_TRUE(block(2, [](Sim ex) { ex.shared<float>(0).put(ex.thread(), 1.0f); }).ok());
}

TEST(SharedHazards, OutOfBounds) {
  EXPECT_TRUE(block(1, [](Sim ex) { ex.shared<float>(256).put(63, 1.0f); }).ok());
  EXPECT_TRUE(meets(HazardKind::shared_out_of_bounds, block(1, [](Sim ex) { ex.shared<float>(256).put(64, 1.0f); })));
  EXPECT_TRUE(meets(HazardKind::shared_out_of_bounds, block(1, [](Sim ex) { ex.shared<float>(0).get(-1); })));
}

TEST(SharedHazards, Misaligned) {
  EXPECT_TRUE(meets(HazardKind::misaligned, block(1, [](Sim ex) { ex.shared<Vector16>(8).put(0, Vector16{}); })));
}

TEST(BarrierHazards, SomeThreadsHaveEnded) {
  EXPECT_TRUE(block(64, [](Sim ex) { ex.sync(); }).ok());
  const Status status = block(64, [](Sim ex) {
    if (ex.thread() != 61) ex.sync();
  });
  EXPECT_TRUE(meets(HazardKind::barrier_divergence, status));
  EXPECT_NE(status.text.find("thread 61 has ended"), std::string::npos) << status.text;
}

TEST(BarrierHazards, SomeThreadsWaitAtAShuffle) {
  EXPECT_TRUE(meets(HazardKind::barrier_divergence, block(32, [](Sim ex) {
                      if (ex.thread() < 16) {
                        ex.sync();
                      } else {
                        ex.shuffle_xor(1.0f, 1);
                      }
                    })));
}

TEST(BarrierHazards, ThreadsWaitAtDifferentBarriers) {
  const Status status = block(64, [](Sim ex) {
    if (ex.thread() < 32) {
      ex.sync();
    } else {
      ex.sync();
    }
  });
  EXPECT_TRUE(meets(HazardKind::barrier_divergence, status));
}

TEST(ShuffleHazards, SumOfAWarpPasses) {
  const Status status = block(64, [](Sim ex) {
    double sum = ex.thread();
    for (int mask = 16; mask > 0; mask /= 2) sum += ex.shuffle_xor(sum, mask);
    EXPECT_EQ(sum, ex.thread() < 32 ? 496 : 496 + 32 * 32);
  });
  EXPECT_TRUE(status.ok()) << status.text;
}

TEST(ShuffleHazards, LanesThatHaveEnded) {
  EXPECT_TRUE(meets(HazardKind::shuffle_absent_lanes, block(32, [](Sim ex) {
                      if (ex.thread() != 9) ex.shuffle_xor(1.0f, 1);
                    })));
}

TEST(ShuffleHazards, LanesThatNeverWere) {
  EXPECT_TRUE(meets(HazardKind::shuffle_absent_lanes, block(48, [](Sim ex) { ex.shuffle_xor(1.0f, 1); })));
}

TEST(ShuffleHazards, LanesAtDifferentShuffles) {
  EXPECT_TRUE(meets(HazardKind::shuffle_absent_lanes,
                    block(32, [](Sim ex) { ex.shuffle_xor(1.0f, ex.thread() < 16 ? 1 : 2); })));
}

TEST(LaunchHazards, WhatNoDeviceWouldLaunch) {
  const auto nothing = [](Sim) {};
  EXPECT_TRUE(run({.grid = {.x = 3, .y = 65535}, .threads = 1}, {}, nothing).ok());
  EXPECT_TRUE(meets(HazardKind::bad_launch, run({.grid = {.y = 65536}, .threads = 1}, {}, nothing)));
  EXPECT_TRUE(meets(HazardKind::bad_launch, run({.grid = {.x = 0}, .threads = 1}, {}, nothing)));
  EXPECT_TRUE(meets(HazardKind::bad_launch, run({.threads = 1025}, {}, nothing)));
  EXPECT_TRUE(meets(HazardKind::bad_launch, run({.threads = 1, .shared_bytes = 240000}, {}, nothing)));
}

TEST(LaunchHazards, ExceptionInAKernel) {
  const Status status = block(64, [](Sim ex) {
    if (ex.thread() == 40) throw std::runtime_error("thrown by thread 40");
    ex.sync();
  });
  EXPECT_TRUE(meets(HazardKind::exception, status));
  EXPECT_NE(status.text.find("thrown by thread 40"), std::string::npos) << status.text;
}

// Threads that wait in the middle of a kernel when its launch ends leave nothing behind.
TEST(LaunchHazards, TheNextLaunchIsSound) {
  for (int repeat = 0; repeat < 3; ++repeat) {
    const Status bad = block(128, [](Sim ex) {
      const std::vector<int> owned(100);
      ex.shuffle_xor(1.0f, 1);
      ex.sync();
      if (ex.thread() == 77) ex.shared<float>(0).get(0);
      ex.shuffle_xor(1.0f, 1);
      ex.sync();
    });
    EXPECT_TRUE(meets(HazardKind::unwritten_shared, bad));
    EXPECT_TRUE(hand_over(64, [](Sim ex) { ex.sync(); }).ok());
    EXPECT_EQ(last_counters().hazards, 0);
  }
}

}  // namespace
}  // namespace onepass::sim
