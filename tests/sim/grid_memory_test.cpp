// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory of launches with grid barriers: each hazard provoked once and caught, beside a twin that does it right.
#include <array>

#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

using exec::Sim;

enum class Between { nothing, barrier, grid_barrier };

// The lower triangle of a matrix of 3 rows with lda 4, x that nobody has written, two constants.
class GridMemoryHazards : public ::testing::Test {
 protected:
  template <class Body>
  Status blocks(int count, const Body& body) {
    memory = {};
    memory.add("x", {.rows = 8, .element = 4}, x.data(), Holds::nothing);
    memory.add_matrix({.rows = 3, .cols = 3, .lda = 4, .element = 4, .part = Part::lower}, a.data());
    memory.add("scale", {.rows = 2, .element = 4}, scale.data(), Holds::constants);
    memory.add_barrier(&counter);
    counter = 0;
    return run_together({.grid = {.x = count}, .threads = 2}, memory, body);
  }
  template <class Body>
  Status alone(const Body& body) {
    return blocks(1, [&](Sim ex) {
      if (ex.thread() == 0) body(ex);
    });
  }
  void meet(Sim ex, Between between) {
    if (between == Between::barrier) ex.sync();
    if (between == Between::grid_barrier) ex.grid_barrier(&counter, static_cast<std::uint32_t>(ex.grid_x()), nullptr);
  }
  // One after the other, by thread 0 of two blocks or by two threads of one block; in both orders of the simulator.
  template <class First, class Second>
  void expect_race(const First& first, const Second& second) {
    for (const bool reverse : {false, true}) {
      const WithOptions with(
          {.block_order = reverse ? BlockOrder::descending : BlockOrder::ascending, .reverse_threads = reverse});
      const auto apart = [&](Between between) {
        return blocks(2, [&](Sim ex) {
          if (ex.block_x() == 0 && ex.thread() == 0) first(ex);
          meet(ex, between);
          if (ex.block_x() == 1 && ex.thread() == 0) second(ex);
        });
      };
      EXPECT_TRUE(meets(HazardKind::global_race, apart(Between::nothing)));
      EXPECT_TRUE(meets(HazardKind::global_race, apart(Between::barrier)));
      EXPECT_TRUE(apart(Between::grid_barrier).ok());
      const auto together = [&](Between between) {
        return blocks(1, [&](Sim ex) {
          if (ex.thread() == 0) first(ex);
          meet(ex, between);
          if (ex.thread() == 1) second(ex);
        });
      };
      EXPECT_TRUE(meets(HazardKind::global_race, together(Between::nothing)));
      EXPECT_TRUE(together(Between::barrier).ok());
      EXPECT_TRUE(together(Between::grid_barrier).ok());
    }
  }

  GridMemory memory;
  std::array<float, 12> a{};
  alignas(16) std::array<float, 8> x{};
  std::array<float, 2> scale{};
  std::uint32_t counter = 0;
};

TEST_F(GridMemoryHazards, ReadOfWhatAnotherWrote) {
  expect_race([&](Sim ex) { ex.store(&a[1], 2.0f); }, [&](Sim ex) { ex.load_fresh(&a[1]); });
}

TEST_F(GridMemoryHazards, WriteOverWhatAnotherReads) {
  expect_race([&](Sim ex) { ex.load_matrix(&a[1]); }, [&](Sim ex) { ex.store(&a[1], 2.0f); });
}

TEST_F(GridMemoryHazards, WriteOverWhatAnotherWrote) {
  expect_race([&](Sim ex) { ex.store_fresh(&x[1], 1.0f); }, [&](Sim ex) { ex.store_fresh(&x[1], 2.0f); });
}

TEST_F(GridMemoryHazards, WriteOverWhatSeveralRead) {
  EXPECT_TRUE(meets(HazardKind::global_race, blocks(3, [&](Sim ex) {
                      ex.load_matrix(&a[0]);
                      if (ex.block_x() == 2 && ex.thread() == 1) ex.store(&a[0], 1.0f);
                    })));
}

// A grid barrier of long ago does not order what came after it.
TEST_F(GridMemoryHazards, RaceBehindABarrier) {
  const auto reuse = [&](bool second_barrier) {
    return blocks(2, [&](Sim ex) {
      if (ex.block_x() == 0 && ex.thread() == 0) ex.store(&x[0], 1.0f);
      ex.grid_barrier(&counter, 2, nullptr);
      ex.load_fresh(&x[0]);
      if (second_barrier) ex.grid_barrier(&counter, 4, nullptr);
      if (ex.block_x() == 0 && ex.thread() == 0) ex.store(&x[0], 2.0f);
    });
  };
  EXPECT_TRUE(meets(HazardKind::global_race, reuse(false)));
  EXPECT_TRUE(reuse(true).ok());
}

TEST_F(GridMemoryHazards, AThreadsOwnAccessesAreInOrder) {
  EXPECT_TRUE(alone([&](Sim ex) {
                ex.store(&x[0], 1.0f);
                EXPECT_EQ(ex.load_fresh(&x[0]), 1);
                ex.store(&x[0], 2.0f);
              }).ok());
}

TEST_F(GridMemoryHazards, ReadOfWhatNobodyWrote) {
  const Status status = alone([&](Sim ex) { ex.load_fresh(&x[3]); });
  EXPECT_TRUE(meets(HazardKind::unwritten_global, status));
  EXPECT_NE(status.text.find("load_fresh of 4 bytes"), std::string::npos) << status.text;
  EXPECT_NE(status.text.find("(x + 12 bytes, of 32)"), std::string::npos) << status.text;
}

TEST_F(GridMemoryHazards, OutOfBounds) {
  EXPECT_TRUE(alone([&](Sim ex) { ex.store(&x[7], 1.0f); }).ok());
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([&](Sim ex) { ex.store(x.data() + 8, 1.0f); })));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([&](Sim ex) { ex.load_matrix(a.data() - 1); })));
}

TEST_F(GridMemoryHazards, TheOtherTriangleAndPadding) {
  EXPECT_TRUE(alone([&](Sim ex) { ex.load_matrix(&a[4 + 1]); }).ok());
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([&](Sim ex) { ex.load_matrix(&a[4]); })));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([&](Sim ex) { ex.store(&a[3], 1.0f); })));
}

TEST_F(GridMemoryHazards, Misaligned) {
  EXPECT_TRUE(
      meets(HazardKind::misaligned, alone([&](Sim ex) { ex.store(reinterpret_cast<double*>(x.data() + 1), 1.0); })));
}

// It sees what its own block has written, and not what others have.
TEST_F(GridMemoryHazards, WhileABlockWaits) {
  const auto load_of = [&](std::int64_t writer) {
    return blocks(2, [&](Sim ex) {
      if (ex.block_x() == writer && ex.thread() == 0) ex.store(&x[0], 1.0f);
      ex.grid_barrier(&counter, 2, nullptr, [&] {
        if (ex.block_x() == 1 && ex.thread() == 1) ex.load_fresh(&x[0]);
      });
    });
  };
  EXPECT_TRUE(load_of(1).ok());
  EXPECT_TRUE(meets(HazardKind::global_race, load_of(0)));
}

TEST_F(GridMemoryHazards, Constants) {
  EXPECT_TRUE(alone([&](Sim ex) { ex.load_cached(&scale[1]); }).ok());
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([&](Sim ex) { ex.store(&scale[1], 1.0f); })));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([&](Sim ex) { ex.load_cached(&a[0]); })));
}

TEST_F(GridMemoryHazards, FunctionsForProducts) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([&](Sim ex) { ex.publish(&x[0], 1.0f); })));
}

TEST_F(GridMemoryHazards, PrefetchesAreOfARegion) {
  EXPECT_TRUE(alone([&](Sim ex) { ex.prefetch_if(true, &a[0]); }).ok());
  EXPECT_EQ(last_counters().prefetches, 1);
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([&](Sim ex) { ex.prefetch_if(true, &a[0] - 64); })));
}

TEST_F(GridMemoryHazards, LoadsOfTheMatrixAreCounted) {
  ASSERT_TRUE(blocks(2, [&](Sim ex) {
                ex.load_matrix(&a[2]);
                ex.grid_barrier(&counter, 2, nullptr);
                if (ex.block_x() == 1) ex.load_fresh(&a[2]);
                if (ex.block_x() == 1 && ex.thread() == 1) ex.load_fresh(&a[10]);
              }).ok());
  EXPECT_EQ(memory.loads(&a[2], 0), 4);
  EXPECT_EQ(memory.loads(&a[2], 1), 2);
  EXPECT_EQ(memory.loads(&a[2]), 6);
  EXPECT_EQ(memory.loads(&a[10]), 1);
  EXPECT_EQ(memory.loads(&a[1]), 0);
  EXPECT_EQ(last_counters().matrix_elements_needed, 6);
}

}  // namespace
}  // namespace onepass::sim
