// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Partial sums from block to block: how they are stored, and blocks that wait for them.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

using exec::Sim;

static_assert(exec::encode_part(std::uint32_t{0}) == 0xffffffffu);
static_assert(exec::encode_part(0xffffffffu) == 1);
static_assert(exec::encode_part(~std::uint64_t{0}) == 1);
static_assert(exec::decode_part(exec::encode_part(0x3f800000u)) == 0x3f800000u);
static_assert(exec::decode_part(exec::encode_part(std::uint64_t{1} << 63)) == std::uint64_t{1} << 63);

template <class S>
S receive(Sim ex, S* mailbox) {
  exec::Polled<S> polled;
  int polls = exec::most_polls;
  do {
    polled = ex.poll(mailbox);
  } while (ex.poll_again(!polled.arrived, polls));
  ex.reset(mailbox);
  return polled.value;
}

MemoryMap workspace(std::span<double> mailboxes) {
  MemoryMap map;
  map.add(Role::workspace, {.rows = static_cast<std::int64_t>(mailboxes.size()) * 2, .element = 4}, mailboxes.data());
  return map;
}

// What arrives if block 0 publishes and block 1 receives.
template <class S>
S travel(S value) {
  alignas(16) std::array<double, 2> memory{};
  S* mailbox = reinterpret_cast<S*>(memory.data());
  S arrived{};
  const Status status = run({.grid = {.x = 2}, .threads = 1}, workspace(memory), [&](Sim ex) {
    if (ex.block_x() == 0) ex.publish(mailbox, value);
    if (ex.block_x() == 1) arrived = receive(ex, mailbox);
  });
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(memory[0], 0);
  return arrived;
}

TEST(Mailboxes, EveryNumberArrivesAsItWasPublished) {
  EXPECT_EQ(travel(1.5f), 1.5f);
  EXPECT_EQ(travel(-2.25), -2.25);
  EXPECT_EQ(travel(0.0f), 0.0f);
  EXPECT_TRUE(std::signbit(travel(-0.0f)));
  EXPECT_EQ(travel(std::numeric_limits<double>::infinity()), std::numeric_limits<double>::infinity());
  EXPECT_EQ(travel(Complex<float>{0, -7}), (Complex<float>{0, -7}));
  EXPECT_EQ(travel(Complex<double>{3, 0}), (Complex<double>{3, 0}));
}

TEST(Mailboxes, NansArriveAsNans) {
  EXPECT_TRUE(std::isnan(travel(std::bit_cast<float>(0xffffffffu))));
  EXPECT_TRUE(std::isnan(travel(std::bit_cast<double>(~std::uint64_t{0}))));
  const auto pair = travel(Complex<float>{std::bit_cast<float>(0xffffffffu), 1});
  EXPECT_TRUE(std::isnan(pair.re));
  EXPECT_EQ(pair.im, 1);
  EXPECT_EQ(std::bit_cast<std::uint32_t>(travel(std::bit_cast<float>(0x7fc01234u))), 0x7fc01234u);
}

TEST(Mailboxes, AnEmptyMailboxHasNone) {
  alignas(16) std::array<double, 2> memory{};
  const Status status = run({.threads = 1}, workspace(memory), [&](Sim ex) {
    const auto polled = ex.poll(memory.data());
    EXPECT_FALSE(polled.arrived);
    EXPECT_EQ(polled.value, 0);
  });
  EXPECT_TRUE(status.ok()) << status.text;
}

TEST(Mailboxes, PollAgainSaysWhatItWasTold) {
  const Status status = run({.grid = {.x = 2}, .threads = 1}, {}, [](Sim ex) {
    int polls = 1;
    EXPECT_FALSE(ex.poll_again(false, polls));
  });
  EXPECT_TRUE(status.ok()) << status.text;
}

class MailboxesInOrder : public ::testing::TestWithParam<SimOptions> {};

// Each block adds its number to what the one before it publishes; the last one knows the sum.
TEST_P(MailboxesInOrder, AChainOfBlocks) {
  const WithOptions with(GetParam());
  constexpr int blocks = 200;
  std::vector<double> mailboxes(blocks);
  double sum = 0;
  for (int launch = 0; launch < 2; ++launch) {
    const Status status = run({.grid = {.x = blocks}, .threads = 33}, workspace(mailboxes), [&](Sim ex) {
      if (ex.thread() != 32) return;
      const std::int64_t b = ex.block_x();
      const double value = b + (b == 0 ? 0 : receive(ex, &mailboxes[static_cast<std::size_t>(b - 1)]));
      if (b + 1 < blocks) ex.publish(&mailboxes[static_cast<std::size_t>(b)], value);
      if (b + 1 == blocks) sum = value;
    });
    ASSERT_TRUE(status.ok()) << status.text;
    EXPECT_EQ(sum, 199 * 100);
    EXPECT_EQ(last_counters().partial_sums, blocks - 1);
    EXPECT_EQ(last_counters().blocks, blocks);
  }
}

// Only some lanes wait, while others stand at a shuffle, other warps at a barrier, and shared memory holds what was
// written before.
TEST_P(MailboxesInOrder, ThreadsThatWaitHaveNotYetArrived) {
  const WithOptions with(GetParam());
  constexpr int blocks = 24, threads = 96;
  std::vector<double> mailboxes(blocks * 8);
  std::vector<int> sums;
  const Status status =
      run({.grid = {.x = blocks}, .threads = threads, .shared_bytes = 4 * threads}, workspace(mailboxes), [&](Sim ex) {
        const auto own = static_cast<int>(ex.block_x());
        const auto shared = ex.shared<int>(0);
        shared.put(ex.thread(), own);
        double* mailbox = mailboxes.data() + 8 * own + ex.thread() - 32;
        const bool posts = ex.thread() >= 32 && ex.thread() < 40;
        double value = 1;
        if (posts && own >= 12) value = receive(ex, mailbox - 8 * 12);
        if (posts && own < 12) ex.publish(mailbox, 2.0);
        for (int mask = 16; mask > 0; mask /= 2) value += ex.shuffle_xor(value, mask);
        ex.sync();
        EXPECT_EQ(shared.get((ex.thread() + 1) % threads), own);
        if (ex.thread() == 32) sums.push_back(static_cast<int>(value));
      });
  ASSERT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(std::count(sums.begin(), sums.end(), 40), 12);
  EXPECT_EQ(std::count(sums.begin(), sums.end(), 32), 12);
  EXPECT_EQ(last_counters().barriers, blocks);
  EXPECT_EQ(last_counters().shuffles, 5 * 3 * blocks);
}

INSTANTIATE_TEST_SUITE_P(Orders, MailboxesInOrder,
                         ::testing::Values(SimOptions{}, SimOptions{.block_order = BlockOrder::descending},
                                           SimOptions{.block_order = BlockOrder::descending, .reverse_threads = true},
                                           SimOptions{.block_order = BlockOrder::shuffled, .seed = 3}));

// All blocks but one wait at once, each thread in the middle of its kernel.
TEST(WaitingBlocks, HundredsOfThemFitIntoMemory) {
  const WithOptions with({.block_order = BlockOrder::descending});
  constexpr int blocks = 300, threads = 256;
  std::vector<double> mailboxes(blocks);
  int ended = 0;
  const Status status = run({.grid = {.x = blocks}, .threads = threads}, workspace(mailboxes), [&](Sim ex) {
    if (ex.thread() == 0 && ex.block_x() > 0) receive(ex, &mailboxes[static_cast<std::size_t>(ex.block_x())]);
    if (ex.block_x() == 0)
      for (int b = ex.thread(); b < blocks; b += threads)
        if (b > 0) ex.publish(&mailboxes[static_cast<std::size_t>(b)], 1.0);
    ex.sync();
    ++ended;
  });
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(ended, blocks * threads);
}

// A hazard in one block unwinds those that wait, and what they own.
TEST(WaitingBlocks, AreAbandonedWithTheirLaunch) {
  alignas(16) std::array<double, 64> mailboxes{};
  int alive = 0;
  struct Counted {
    int& count;
    explicit Counted(int& c) : count(++c) {}
    ~Counted() { --count; }
  };
  for (int repeat = 0; repeat < 3; ++repeat) {
    const WithOptions with({.block_order = BlockOrder::descending});
    const Status bad = run({.grid = {.x = 20}, .threads = 64, .shared_bytes = 4}, workspace(mailboxes), [&](Sim ex) {
      const Counted counted(alive);
      if (ex.block_x() == 0) ex.shared<float>(0).get(0);
      if (ex.thread() == 5) receive(ex, &mailboxes[static_cast<std::size_t>(ex.block_x())]);
      ex.sync();
    });
    EXPECT_TRUE(meets(HazardKind::unwritten_shared, bad));
    EXPECT_EQ(alive, 0);
    EXPECT_TRUE(run({.threads = 64}, {}, [](Sim ex) { ex.sync(); }).ok());
  }
}

}  // namespace
}  // namespace onepass::sim
