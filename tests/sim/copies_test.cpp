// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Copies of single elements into shared memory, in groups: what a thread sees of them, and until when they are reads.
#include <array>

#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

using exec::Sim;

class Copies : public ::testing::Test {
 protected:
  template <class Body>
  Status blocks(int count, const Body& body) {
    memory = {};
    memory.add_matrix({.rows = 4, .element = 8}, a.data());
    memory.add_barrier(&counter);
    counter = 0;
    return run_together({.grid = {.x = count}, .threads = 1, .shared_bytes = 64}, memory, body);
  }
  // Element i goes to place i.
  void copy(Sim ex, int i) const { ex.copy_element_if(true, ex.shared<double>(0), i, &a[static_cast<std::size_t>(i)]); }

  GridMemory memory;
  std::array<double, 4> a = {1, 2, 3, 4};
  std::uint32_t counter = 0;
};

TEST_F(Copies, AreSeenGroupByGroup) {
  const auto read = [&](int i) {
    return blocks(1, [&, i](Sim ex) {
      copy(ex, 0);
      copy(ex, 1);
      ex.commit_copies();
      ex.commit_copies();  // an empty one
      copy(ex, 2);
      ex.commit_copies();
      copy(ex, 3);  // of a group that is not complete
      ex.wait_for_copies_but<1>();
      EXPECT_EQ(ex.shared<double>(0).get(i), i + 1);
    });
  };
  EXPECT_TRUE(read(0).ok());
  EXPECT_TRUE(read(1).ok());
  EXPECT_TRUE(meets(HazardKind::unwritten_shared, read(2)));
  EXPECT_TRUE(meets(HazardKind::unwritten_shared, read(3)));
}

TEST_F(Copies, AreSeenOnceAllWereWaitedFor) {
  const auto read = [&](int i, bool all) {
    return blocks(1, [&, i, all](Sim ex) {
      copy(ex, 2);
      ex.commit_copies();
      copy(ex, 3);
      if (all)
        ex.wait_for_copies();
      else
        ex.wait_for_copies_but<0>();
      EXPECT_EQ(ex.shared<double>(0).get(i), i + 1);
    });
  };
  EXPECT_TRUE(read(2, false).ok());
  EXPECT_TRUE(read(3, true).ok());
  EXPECT_TRUE(meets(HazardKind::unwritten_shared, read(3, false)));
}

TEST_F(Copies, ZerosWhereNotWanted) {
  EXPECT_TRUE(blocks(1, [&](Sim ex) {
                ex.copy_element_if(false, ex.shared<double>(0), 0, static_cast<const double*>(nullptr));
                ex.wait_for_copies();
                EXPECT_EQ(ex.shared<double>(0).get(0), 0);
              }).ok());
  EXPECT_EQ(memory.loads(&a[0]), 0);
}

TEST_F(Copies, OutOfBounds) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds,
                    blocks(1, [&](Sim ex) { ex.copy_element_if(true, ex.shared<double>(0), 0, a.data() + 4); })));
}

TEST_F(Copies, CountWhereTheyWereWaitedFor) {
  ASSERT_TRUE(blocks(2, [&](Sim ex) {
                copy(ex, 1);
                ex.grid_barrier(&counter, 2, nullptr);
                ex.wait_for_copies();
              }).ok());
  EXPECT_EQ(memory.loads(&a[1], 0), 0);
  EXPECT_EQ(memory.loads(&a[1], 1), 2);
}

// Barriers on both sides of the store do not help.
TEST_F(Copies, ElementWrittenBeforeTheWait) {
  const auto overwrite = [&](bool late) {
    return blocks(2, [&, late](Sim ex) {
      if (ex.block_x() == 0) copy(ex, 1);
      if (!late) ex.wait_for_copies();
      ex.grid_barrier(&counter, 2, nullptr);
      if (ex.block_x() == 1) ex.store(&a[1], 7.0);
      ex.grid_barrier(&counter, 4, nullptr);
      ex.wait_for_copies();
    });
  };
  EXPECT_TRUE(meets(HazardKind::global_race, overwrite(true)));
  EXPECT_TRUE(overwrite(false).ok());
}

// The store comes after the wait only by chance.
TEST_F(Copies, ElementWrittenWithNoBarrierAfterTheWait) {
  for (const BlockOrder order : {BlockOrder::ascending, BlockOrder::descending}) {
    const WithOptions with({.block_order = order});
    EXPECT_TRUE(meets(HazardKind::global_race, blocks(2, [&](Sim ex) {
                        if (ex.block_x() == 0) copy(ex, 1);
                        ex.grid_barrier(&counter, 2, nullptr);
                        ex.wait_for_copies();
                        if (ex.block_x() == 1) ex.store(&a[1], 7.0);
                      })));
  }
}

}  // namespace
}  // namespace onepass::sim
