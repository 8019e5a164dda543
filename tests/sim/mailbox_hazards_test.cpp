// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Each hazard of mailboxes, provoked once and caught, beside a twin that does it right.
#include <array>
#include <functional>
#include <string>

#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

using exec::Sim;

float receive(Sim ex, const float* mailbox) {
  exec::Polled<float> polled;
  int polls = exec::most_polls;
  do {
    polled = ex.poll(mailbox);
  } while (ex.poll_again(!polled.arrived, polls));
  return polled.value;
}

class MailboxHazards : public ::testing::Test {
 protected:
  // Each body in a block of its own, in the order of their numbers; both threads run it.
  template <class First, class Second>
  Status two_blocks(const First& first, const Second& second) {
    mailboxes = {};
    return launch([&](Sim ex) {
      if (ex.block_x() == 0) first(ex);
      if (ex.block_x() == 1) second(ex);
    });
  }
  template <class Body>
  Status launch(const Body& body) {
    MemoryMap map;
    map.add(Role::workspace, {.rows = 8, .element = 4}, mailboxes.data());
    return run({.grid = {.x = 2}, .threads = 2}, map, body);
  }
  // As thread 0 of its block.
  static bool is_first(Sim ex) { return ex.thread() == 0; }

  alignas(16) std::array<float, 8> mailboxes{};
  float* mailbox = mailboxes.data();

  const std::function<void(Sim)> publish = [this](Sim ex) {
    if (is_first(ex)) ex.publish(mailbox, 5.0f);
  };
  const std::function<void(Sim)> take = [this](Sim ex) {
    if (!is_first(ex)) return;
    EXPECT_EQ(receive(ex, mailbox), 5);
    ex.reset(mailbox);
  };
  const std::function<void(Sim)> nothing = [](Sim) {};
};

TEST_F(MailboxHazards, APartialSumThatIsPublishedReceivedAndResetPasses) {
  for (const BlockOrder order : {BlockOrder::ascending, BlockOrder::descending}) {
    const WithOptions with({.block_order = order});
    const Status status = two_blocks(publish, take);
    EXPECT_TRUE(status.ok()) << status.text;
  }
}

TEST_F(MailboxHazards, MailboxThatWasNotEmpty) {
  mailboxes[0] = 1;
  EXPECT_TRUE(meets(HazardKind::partial_sum_lost, launch([this](Sim ex) {
                      if (ex.block_x() == 0) publish(ex);
                    })));
  EXPECT_EQ(mailboxes[0], 1);
}

// Even if the first one is received by then: on a device nothing tells the publisher.
TEST_F(MailboxHazards, SecondPartialSumOfOneThread) {
  for (const bool late : {false, true}) {
    const auto publish_twice = [&](Sim ex) {
      publish(ex);
      int polls = 1;
      ex.poll_again(late, polls);
      EXPECT_EQ(mailboxes[0] == 0, late);
      publish(ex);
    };
    EXPECT_TRUE(meets(HazardKind::partial_sum_lost, two_blocks(publish_twice, take)));
  }
}

TEST_F(MailboxHazards, TwoPublishers) {
  const Status two_threads = two_blocks([this](Sim ex) { ex.publish(mailbox, 5.0f); }, take);
  EXPECT_TRUE(meets(HazardKind::mailbox_race, two_threads));
  EXPECT_NE(two_threads.text.find("block 0, thread 0, has published"), std::string::npos) << two_threads.text;
  EXPECT_TRUE(meets(HazardKind::mailbox_race, two_blocks(publish, publish)));
}

TEST_F(MailboxHazards, TwoReceivers) {
  EXPECT_TRUE(meets(HazardKind::mailbox_race, two_blocks(publish, [this](Sim ex) { receive(ex, mailbox); })));
  EXPECT_TRUE(meets(HazardKind::mailbox_race, two_blocks(publish, [this](Sim ex) {
                      take(ex);
                      ex.sync();
                      if (!is_first(ex)) ex.poll(mailbox);
                    })));
}

TEST_F(MailboxHazards, ResetByAnotherThreadThanTheReceiver) {
  EXPECT_TRUE(meets(HazardKind::mailbox_race, two_blocks(publish, [this](Sim ex) {
                      if (is_first(ex)) receive(ex, mailbox);
                      ex.sync();
                      if (!is_first(ex)) ex.reset(mailbox);
                    })));
}

TEST_F(MailboxHazards, MailboxesThatOverlap) {
  EXPECT_TRUE(meets(HazardKind::mailbox_race, two_blocks(
                                                  [this](Sim ex) {
                                                    publish(ex);
                                                    if (is_first(ex))
                                                      ex.publish(reinterpret_cast<double*>(mailbox), 1.0);
                                                  },
                                                  nothing)));
  EXPECT_TRUE(meets(HazardKind::mailbox_race, two_blocks(publish, [this](Sim ex) {
                      if (is_first(ex)) ex.poll(reinterpret_cast<double*>(mailbox));
                    })));
}

TEST_F(MailboxHazards, ResetWithoutHavingSeenThePartialSum) {
  const auto reset = [this](Sim ex) {
    if (is_first(ex)) ex.reset(mailbox);
  };
  EXPECT_TRUE(meets(HazardKind::partial_sum_lost, two_blocks(publish, reset)));
  EXPECT_TRUE(meets(HazardKind::partial_sum_lost, two_blocks(nothing, reset)));
  EXPECT_TRUE(meets(HazardKind::partial_sum_lost, two_blocks(nothing, [&](Sim ex) {
                      if (is_first(ex)) ex.poll(mailbox);
                      reset(ex);
                    })));
  EXPECT_TRUE(meets(HazardKind::partial_sum_lost, two_blocks(publish, [&](Sim ex) {
                      take(ex);
                      reset(ex);
                    })));
}

TEST_F(MailboxHazards, PartialSumThatNobodyReset) {
  const Status status = two_blocks(publish, [this](Sim ex) {
    if (is_first(ex)) receive(ex, mailbox);
  });
  EXPECT_TRUE(meets(HazardKind::mailbox_left_full, status));
  EXPECT_NE(status.text.find("workspace + 0 bytes, of 32) by block 0, thread 0"), std::string::npos) << status.text;
  EXPECT_TRUE(meets(HazardKind::mailbox_left_full, two_blocks(publish, nothing)));
}

TEST_F(MailboxHazards, PartialSumOfAnEarlierLaunch) {
  EXPECT_TRUE(meets(HazardKind::mailbox_left_full, two_blocks(publish, nothing)));
  EXPECT_TRUE(meets(HazardKind::mailbox_left_full, launch([this](Sim ex) {
                      if (ex.block_x() == 1) take(ex);
                    })));
}

TEST_F(MailboxHazards, WaitForALaterBlock) {
  for (const BlockOrder order : {BlockOrder::ascending, BlockOrder::descending}) {
    const WithOptions with({.block_order = order});
    const Status status = two_blocks(take, publish);
    EXPECT_TRUE(meets(HazardKind::waits_for_later_block, status));
    EXPECT_NE(status.text.find("block (0, 0, 0), thread 0"), std::string::npos) << status.text;
  }
}

TEST_F(MailboxHazards, WaitForTheOwnBlock) {
  EXPECT_TRUE(meets(HazardKind::waits_for_later_block, two_blocks(nothing, [this](Sim ex) {
                      if (!is_first(ex)) ex.publish(mailbox, 5.0f);
                      take(ex);
                    })));
}

TEST_F(MailboxHazards, PartialSumThatNobodyPublishes) {
  const Status status = two_blocks(nothing, [this](Sim ex) {
    if (!is_first(ex)) receive(ex, mailbox);
  });
  EXPECT_TRUE(meets(HazardKind::deadlock, status));
  EXPECT_NE(status.text.find("block (1, 0, 0), thread 1, mailbox_hazards_test.cpp:"), std::string::npos) << status.text;
}

TEST_F(MailboxHazards, BlocksThatWaitForEachOther) {
  EXPECT_TRUE(meets(HazardKind::deadlock, two_blocks(
                                              [this](Sim ex) {
                                                if (is_first(ex)) ex.publish(mailbox, receive(ex, mailbox + 1));
                                              },
                                              [this](Sim ex) {
                                                if (is_first(ex)) ex.publish(mailbox + 1, receive(ex, mailbox));
                                              })));
}

// Nothing else could end such a launch.
TEST_F(MailboxHazards, DeadlockEndsALaunchThatKeepsGoing) {
  const WithOptions with({.keep_going = true});
  EXPECT_TRUE(meets(HazardKind::deadlock, two_blocks(nothing, take)));
  EXPECT_EQ(last_counters().hazards, 1);
}

TEST_F(MailboxHazards, OutsideOfTheWorkspaceAndMisaligned) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, two_blocks([this](Sim ex) { ex.publish(mailbox + 8, 1.0f); }, nothing)));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, two_blocks([this](Sim ex) { ex.poll(mailbox - 1); }, nothing)));
  EXPECT_TRUE(meets(HazardKind::misaligned, two_blocks(
                                                [this](Sim ex) {
                                                  ex.publish(reinterpret_cast<Complex<double>*>(mailbox + 2), {1, 1});
                                                },
                                                nothing)));
}

}  // namespace
}  // namespace onepass::sim
