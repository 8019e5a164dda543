// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Each hazard of letters, provoked once and caught, beside a twin that does it right.
#include <array>
#include <functional>
#include <string>

#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

using exec::Sim;

float receive(Sim ex, const float* box) {
  exec::Letter<float> letter;
  do {
    letter = ex.peek(box);
  } while (ex.wait_again(!letter.there));
  return letter.value;
}

class LetterHazards : public ::testing::Test {
 protected:
  // Each body in a block of its own, in the order of their numbers; both threads run it.
  template <class First, class Second>
  Status two_blocks(const First& first, const Second& second) {
    boxes = {};
    return launch([&](Sim ex) {
      if (ex.block_x() == 0) first(ex);
      if (ex.block_x() == 1) second(ex);
    });
  }
  template <class Body>
  Status launch(const Body& body) {
    MemoryMap map;
    map.add(Role::workspace, {.rows = 8, .element = 4}, boxes.data());
    return run({.grid = {.x = 2}, .threads = 2}, map, body);
  }
  // As thread 0 of its block.
  static bool is_first(Sim ex) { return ex.thread() == 0; }

  alignas(16) std::array<float, 8> boxes{};
  float* box = boxes.data();

  const std::function<void(Sim)> send = [this](Sim ex) {
    if (is_first(ex)) ex.send(box, 5.0f);
  };
  const std::function<void(Sim)> take = [this](Sim ex) {
    if (!is_first(ex)) return;
    EXPECT_EQ(receive(ex, box), 5);
    ex.clear(box);
  };
  const std::function<void(Sim)> nothing = [](Sim) {};
};

TEST_F(LetterHazards, ALetterThatIsSentReceivedAndClearedPasses) {
  for (const BlockOrder order : {BlockOrder::ascending, BlockOrder::descending}) {
    const WithOptions with({.block_order = order});
    const Status status = two_blocks(send, take);
    EXPECT_TRUE(status.ok()) << status.text;
  }
}

TEST_F(LetterHazards, BoxThatWasNotEmpty) {
  boxes[0] = 1;
  EXPECT_TRUE(meets(HazardKind::letter_lost, launch([this](Sim ex) {
                      if (ex.block_x() == 0) send(ex);
                    })));
  EXPECT_EQ(boxes[0], 1);
}

// Even if the first one is received by then: on a device nothing tells the sender.
TEST_F(LetterHazards, SecondLetterOfOneThread) {
  for (const bool late : {false, true}) {
    const auto send_twice = [&](Sim ex) {
      send(ex);
      ex.wait_again(late);
      EXPECT_EQ(boxes[0] == 0, late);
      send(ex);
    };
    EXPECT_TRUE(meets(HazardKind::letter_lost, two_blocks(send_twice, take)));
  }
}

TEST_F(LetterHazards, TwoSenders) {
  const Status two_threads = two_blocks([this](Sim ex) { ex.send(box, 5.0f); }, take);
  EXPECT_TRUE(meets(HazardKind::letter_race, two_threads));
  EXPECT_NE(two_threads.text.find("block 0, thread 0, has sent"), std::string::npos) << two_threads.text;
  EXPECT_TRUE(meets(HazardKind::letter_race, two_blocks(send, send)));
}

TEST_F(LetterHazards, TwoReceivers) {
  EXPECT_TRUE(meets(HazardKind::letter_race, two_blocks(send, [this](Sim ex) { receive(ex, box); })));
  EXPECT_TRUE(meets(HazardKind::letter_race, two_blocks(send, [this](Sim ex) {
                      take(ex);
                      ex.sync();
                      if (!is_first(ex)) ex.peek(box);
                    })));
}

TEST_F(LetterHazards, ClearedByAnotherThreadThanTheReceiver) {
  EXPECT_TRUE(meets(HazardKind::letter_race, two_blocks(send, [this](Sim ex) {
                      if (is_first(ex)) receive(ex, box);
                      ex.sync();
                      if (!is_first(ex)) ex.clear(box);
                    })));
}

TEST_F(LetterHazards, BoxesThatOverlap) {
  EXPECT_TRUE(meets(HazardKind::letter_race, two_blocks(
                                                 [this](Sim ex) {
                                                   send(ex);
                                                   if (is_first(ex)) ex.send(reinterpret_cast<double*>(box), 1.0);
                                                 },
                                                 nothing)));
  EXPECT_TRUE(meets(HazardKind::letter_race, two_blocks(send, [this](Sim ex) {
                      if (is_first(ex)) ex.peek(reinterpret_cast<double*>(box));
                    })));
}

TEST_F(LetterHazards, ClearedWithoutHavingSeenTheLetter) {
  const auto clear = [this](Sim ex) {
    if (is_first(ex)) ex.clear(box);
  };
  EXPECT_TRUE(meets(HazardKind::letter_lost, two_blocks(send, clear)));
  EXPECT_TRUE(meets(HazardKind::letter_lost, two_blocks(nothing, clear)));
  EXPECT_TRUE(meets(HazardKind::letter_lost, two_blocks(nothing, [&](Sim ex) {
                      if (is_first(ex)) ex.peek(box);
                      clear(ex);
                    })));
  EXPECT_TRUE(meets(HazardKind::letter_lost, two_blocks(send, [&](Sim ex) {
                      take(ex);
                      clear(ex);
                    })));
}

TEST_F(LetterHazards, LetterThatNobodyCleared) {
  const Status status = two_blocks(send, [this](Sim ex) {
    if (is_first(ex)) receive(ex, box);
  });
  EXPECT_TRUE(meets(HazardKind::letter_left, status));
  EXPECT_NE(status.text.find("workspace + 0 bytes, of 32) by block 0, thread 0"), std::string::npos) << status.text;
  EXPECT_TRUE(meets(HazardKind::letter_left, two_blocks(send, nothing)));
}

TEST_F(LetterHazards, LetterOfAnEarlierLaunch) {
  EXPECT_TRUE(meets(HazardKind::letter_left, two_blocks(send, nothing)));
  EXPECT_TRUE(meets(HazardKind::letter_left, launch([this](Sim ex) {
                      if (ex.block_x() == 1) take(ex);
                    })));
}

TEST_F(LetterHazards, WaitForALaterBlock) {
  for (const BlockOrder order : {BlockOrder::ascending, BlockOrder::descending}) {
    const WithOptions with({.block_order = order});
    const Status status = two_blocks(take, send);
    EXPECT_TRUE(meets(HazardKind::waits_for_later_block, status));
    EXPECT_NE(status.text.find("block (0, 0, 0), thread 0"), std::string::npos) << status.text;
  }
}

TEST_F(LetterHazards, WaitForTheOwnBlock) {
  EXPECT_TRUE(meets(HazardKind::waits_for_later_block, two_blocks(nothing, [this](Sim ex) {
                      if (!is_first(ex)) ex.send(box, 5.0f);
                      take(ex);
                    })));
}

TEST_F(LetterHazards, LetterThatNobodySends) {
  const Status status = two_blocks(nothing, [this](Sim ex) {
    if (!is_first(ex)) receive(ex, box);
  });
  EXPECT_TRUE(meets(HazardKind::deadlock, status));
  EXPECT_NE(status.text.find("block (1, 0, 0), thread 1, letter_hazards_test.cpp:"), std::string::npos) << status.text;
}

TEST_F(LetterHazards, BlocksThatWaitForEachOther) {
  EXPECT_TRUE(meets(HazardKind::deadlock, two_blocks(
                                              [this](Sim ex) {
                                                if (is_first(ex)) ex.send(box, receive(ex, box + 1));
                                              },
                                              [this](Sim ex) {
                                                if (is_first(ex)) ex.send(box + 1, receive(ex, box));
                                              })));
}

// Nothing else could end such a launch.
TEST_F(LetterHazards, DeadlockEndsALaunchThatKeepsGoing) {
  const WithOptions with({.keep_going = true});
  EXPECT_TRUE(meets(HazardKind::deadlock, two_blocks(nothing, take)));
  EXPECT_EQ(last_counters().hazards, 1);
}

TEST_F(LetterHazards, OutsideOfTheWorkspaceAndMisaligned) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, two_blocks([this](Sim ex) { ex.send(box + 8, 1.0f); }, nothing)));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, two_blocks([this](Sim ex) { ex.peek(box - 1); }, nothing)));
  EXPECT_TRUE(meets(HazardKind::misaligned, two_blocks(
                                                [this](Sim ex) {
                                                  ex.send(reinterpret_cast<Complex<double>*>(box + 2), {1, 1});
                                                },
                                                nothing)));
}

}  // namespace
}  // namespace onepass::sim
