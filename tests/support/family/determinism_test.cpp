// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The same call gives the same bits: again, in any order of blocks, and beside another thread.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "api/run.hpp"
#include "backends/registry.hpp"
#include "backends/sim/counters.hpp"
#include "support/family/on_backend.hpp"
#include "support/thorough.hpp"
#include "verify/buffer.hpp"

namespace onepass::test {
namespace {

class Determinism : public OnBackend {};
INSTANTIATE_TEST_SUITE_P(Family, Determinism, every_backend(), backend_name);

TEST_P(Determinism, SameBitsAgain) {
  if (backend().id() == BackendId::sim) GTEST_SKIP() << "the simulator gives them in any order of blocks, below";
  for (const Case& c : split_cases()) {
    const HostOperands operands = lay_out(c);
    const Outcome first = run(backend(), c, operands);
    ASSERT_TRUE(first.status.ok()) << first.status.text;
    for (int i = 0; i < 3; ++i) EXPECT_EQ(run(backend(), c, operands).output, first.output) << describe(c.problem);
  }
}

#ifdef ONEPASS_WITH_SIM
TEST_P(Determinism, SameBitsInAnyOrderOfBlocksAndThreads) {
  if (backend().id() != BackendId::sim) GTEST_SKIP() << "only the simulator can reorder a launch";
  int turn = 0;
  for (const Case& c : split_cases()) {
    const HostOperands operands = lay_out(c);
    const Outcome first = run(backend(), c, operands);
    ASSERT_TRUE(first.status.ok()) << first.status.text;
    for (const sim::SimOptions& order :
         {sim::SimOptions{.block_order = sim::BlockOrder::descending},
          sim::SimOptions{.block_order = sim::BlockOrder::shuffled, .seed = 1},
          sim::SimOptions{.block_order = sim::BlockOrder::shuffled, .seed = 2, .reverse_threads = true}}) {
      if (!takes_turn(turn++, 4)) continue;
      sim::options() = order;
      const Outcome again = run(backend(), c, operands);
      sim::options() = {};
      EXPECT_TRUE(again.status.ok()) << again.status.text;
      EXPECT_EQ(again.output, first.output) << describe(c.problem);
    }
  }
}
#endif

// One plan and one set of inputs, two threads, each with its own workspace and output.
TEST_P(Determinism, TwoThreadsMayShareAPlan) {
  const int runs = backend().id() == BackendId::sim ? 1 : 3;  // long enough there to be at work at the same time
  int turn = 0;
  for (const Case& c : split_cases()) {
    if (slow_build() && turn++ % 11 != 0) continue;
    const HostOperands host = lay_out(c);
    const Outcome expected = run(backend(), c, host);
    ASSERT_TRUE(expected.status.ok()) << expected.status.text;
    const Buffer a(backend(), host.a.bytes), x(backend(), host.x.bytes), y(backend(), host.y.bytes);
    Problem known = c.problem;  // as a call knows it
    known.alignment_a = alignment_of(known, a.data());
    const Plan plan = backend().plan(known, 0);
    alignas(16) std::byte alpha[16], beta[16];
    put(scalar_type(c.problem.type_a), alpha, 0, c.alpha);
    put(scalar_type(c.problem.type_a), beta, 0, c.beta);

    std::atomic<int> failures = 0;
    const auto body = [&] {
      const Buffer workspace(backend(), std::vector<std::byte>(plan.workspace_bytes));
      for (int i = 0; i < runs; ++i) {
        const Buffer output(backend(), host.output(known).bytes);
        const bool updates = writes_a(known);
        const Operands o{.alpha = alpha,
                         .a = updates ? output.data() : a.data(),
                         .x = x.data(),
                         .beta = updates ? nullptr : beta,
                         .y = updates ? y.data() : output.data()};
        const Status status = run(backend(), plan, o, {workspace.data(), plan.workspace_bytes}, nullptr);
        if (!status.ok() || !backend().synchronize(nullptr).ok() || output.content() != expected.output) ++failures;
      }
    };
    std::thread other(body);
    body();
    other.join();
    EXPECT_EQ(failures, 0) << describe(c.problem);
  }
}

}  // namespace
}  // namespace onepass::test
