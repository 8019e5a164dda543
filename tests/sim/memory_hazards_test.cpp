// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Each hazard of global memory, provoked once and caught, beside a twin that does it right.
#include <array>
#include <vector>

#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

using exec::Sim;
using exec::Vector16;

// A of 6 rows and 3 columns with lda 8, x and y of 5 elements with stride 2, and 16 words of workspace.
class MemoryHazards : public ::testing::Test {
 protected:
  MemoryMap memory() const {
    MemoryMap map;
    map.add(Role::matrix, {.rows = 6, .cols = 3, .lda = 8, .element = 4}, a.data());
    map.add(Role::x, vector_pattern(5, 2, 4), x.data());
    map.add(Role::y, vector_pattern(5, -2, 4), y.data());
    map.add(Role::workspace, {.rows = 16, .element = 4}, workspace.data());
    return map;
  }
  // In one thread of one block.
  template <class Body>
  Status alone(const Body& body) const {
    return run({.threads = 1}, memory(), body);
  }

  alignas(32) std::array<float, 24> a{};
  std::array<float, 10> x{}, y{};
  alignas(32) std::array<float, 16> workspace{};
};

TEST_F(MemoryHazards, ReadsOfTheOperandsPass) {
  a[8 + 5] = 3;
  x[8] = 4;
  const Status status = alone([this](Sim ex) {
    EXPECT_EQ(ex.load_once_if(true, a.data() + 8 + 5), 3);
    EXPECT_EQ(ex.load_cached(x.data() + 8), 4);
    EXPECT_EQ(ex.load_own(y.data() + 8), 0);
  });
  EXPECT_TRUE(status.ok()) << status.text;
}

TEST_F(MemoryHazards, ReadBeforeTheMatrix) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([this](Sim ex) { ex.load_once_if(true, a.data() - 1); })));
}

TEST_F(MemoryHazards, ReadBehindTheMatrix) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([this](Sim ex) { ex.load_once_if(true, a.data() + 2 * 8 + 6); })));
}

TEST_F(MemoryHazards, ReadOfThePaddingBetweenColumns) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([this](Sim ex) { ex.load_once_if(true, a.data() + 6); })));
}

TEST_F(MemoryHazards, VectorThatRunsIntoThePadding) {
  const auto read = [this](int first) {
    return alone([this, first](Sim ex) { ex.load_once_if(true, reinterpret_cast<const Vector16*>(a.data() + first)); });
  };
  EXPECT_TRUE(read(8).ok());
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, read(8 + 4)));
}

TEST_F(MemoryHazards, ReadOfAGapInX) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([this](Sim ex) { ex.load_cached(x.data() + 1); })));
}

TEST_F(MemoryHazards, WriteIntoAGapOfY) {
  EXPECT_TRUE(alone([this](Sim ex) { ex.store(y.data() + 2, 1.0f); }).ok());
  EXPECT_EQ(y[2], 1);
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([this](Sim ex) { ex.store(y.data() + 3, 1.0f); })));
  EXPECT_EQ(y[3], 0);
}

TEST_F(MemoryHazards, WriteToTheMatrix) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([this](Sim ex) { ex.store(a.data(), 1.0f); })));
  EXPECT_EQ(a[0], 0);
}

TEST_F(MemoryHazards, OperandThatTheProblemDoesNotNeed) {
  MemoryMap scaling;
  scaling.add(Role::y, vector_pattern(5, 2, 4), y.data());
  const Status status = run({.threads = 1}, scaling, [this](Sim ex) { ex.load_once_if(true, a.data()); });
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, status));
}

TEST_F(MemoryHazards, ConstantPathToMemoryThatIsWritten) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([this](Sim ex) { ex.load_cached(y.data()); })));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([this](Sim ex) { ex.load_once_if(true, workspace.data()); })));
}

TEST_F(MemoryHazards, MisalignedVector) {
  EXPECT_TRUE(meets(HazardKind::misaligned,
                    alone([this](Sim ex) { ex.load_once_if(true, reinterpret_cast<const Vector16*>(a.data() + 1)); })));
}

TEST_F(MemoryHazards, OutputWrittenByTwoBlocks) {
  const Shape two_blocks = {.grid = {.x = 2}, .threads = 1};
  const Status twice = run(two_blocks, memory(), [this](Sim ex) { ex.store(y.data(), 1.0f); });
  EXPECT_TRUE(meets(HazardKind::output_written_twice, twice));
  EXPECT_NE(twice.text.find("first written by block 0"), std::string::npos) << twice.text;
  EXPECT_TRUE(run(two_blocks, memory(), [this](Sim ex) { ex.store(y.data() + 2 * ex.block_x(), 1.0f); }).ok());
}

TEST_F(MemoryHazards, OutputWrittenTwiceByOneThread) {
  EXPECT_TRUE(meets(HazardKind::output_written_twice, alone([this](Sim ex) {
                      ex.store(y.data(), 1.0f);
                      ex.store(y.data(), 1.0f);
                    })));
}

TEST_F(MemoryHazards, OutputStoredAndAddedTo) {
  const Shape two_blocks = {.grid = {.x = 2}, .threads = 1};
  EXPECT_TRUE(run(two_blocks, memory(), [this](Sim ex) { ex.add(y.data(), 1.0f); }).ok());
  EXPECT_EQ(y[0], 2);
  EXPECT_EQ(last_counters().atomic_adds, 2);
  EXPECT_TRUE(meets(HazardKind::output_written_twice, alone([this](Sim ex) {
                      ex.add(y.data(), 1.0f);
                      ex.store(y.data(), 1.0f);
                    })));
  EXPECT_TRUE(meets(HazardKind::output_written_twice, alone([this](Sim ex) {
                      ex.store(y.data(), 1.0f);
                      ex.add(y.data(), 1.0f);
                    })));
  EXPECT_TRUE(meets(HazardKind::output_read, alone([this](Sim ex) {
                      ex.add(y.data(), 1.0f);
                      ex.load_own(y.data());
                    })));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([this](Sim ex) { ex.add(a.data(), 1.0f); })));
}

TEST_F(MemoryHazards, OutputReadAlthoughBetaIsZero) {
  MemoryMap map = memory();
  map.forbid_reading_output();
  EXPECT_TRUE(meets(HazardKind::output_read, run({.threads = 1}, map, [this](Sim ex) { ex.load_own(y.data()); })));
}

TEST_F(MemoryHazards, OutputReadAfterItWasWritten) {
  EXPECT_TRUE(meets(HazardKind::output_read, alone([this](Sim ex) {
                      ex.store(y.data(), 1.0f);
                      ex.load_own(y.data());
                    })));
}

TEST_F(MemoryHazards, WorkspaceHoldsNothingButPartialSums) {
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, alone([this](Sim ex) { ex.store(workspace.data(), 1.0f); })));
  EXPECT_EQ(workspace[0], 0);
}

TEST_F(MemoryHazards, AccessBeforeTheGridDependencyWait) {
  const auto unwaited = [this](auto access) { return run_unwaited({.threads = 1}, memory(), access); };
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.load_once_if(true, a.data()); })));
  EXPECT_TRUE(
      meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.load_vector_if(true, a.data(), 0, 4); })));
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.load_cached(x.data()); })));
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.load_own(y.data()); })));
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.store(y.data(), 1.0f); })));
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.publish(workspace.data(), 1.0f); })));
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.poll(workspace.data()); })));
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.reset(workspace.data()); })));
  EXPECT_TRUE(unwaited([this](Sim ex) {
                ex.launch_dependents();
                ex.prefetch_if(true, a.data());
                ex.load_cached_if(false, x.data());
                ex.grid_dependency_wait();
                ex.load_once_if(true, a.data());
              }).ok());
}

TEST_F(MemoryHazards, ASettledMatrixMayBeLoadedBeforeTheWait) {
  MemoryMap settled = memory();
  settled.settle(true, false);
  const auto unwaited = [&](auto access) { return run_unwaited({.threads = 1}, settled, access); };
  EXPECT_TRUE(unwaited([this](Sim ex) {
                ex.load_once_if(true, a.data());
                ex.load_vector_if(true, a.data(), 0, 4);
              }).ok());
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.load_cached(x.data()); })));
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.load_own(y.data()); })));
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.store(y.data(), 1.0f); })));
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.poll(workspace.data()); })));
  settled.settle(true, true);
  EXPECT_TRUE(unwaited([this](Sim ex) { ex.load_cached(x.data()); }).ok());
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.load_own(y.data()); })));
  EXPECT_TRUE(meets(HazardKind::access_before_wait, unwaited([this](Sim ex) { ex.publish(workspace.data(), 1.0f); })));
}

TEST_F(MemoryHazards, EachThreadOfEachBlockWaits) {
  EXPECT_TRUE(meets(HazardKind::access_before_wait, run_unwaited({.threads = 2}, memory(), [this](Sim ex) {
                      if (ex.thread() == 0) ex.grid_dependency_wait();
                      ex.sync();
                      ex.load_cached(x.data());
                    })));
  EXPECT_TRUE(
      meets(HazardKind::access_before_wait, run_unwaited({.grid = {.x = 2}, .threads = 1}, memory(), [this](Sim ex) {
              if (ex.block_x() == 0) ex.grid_dependency_wait();
              ex.load_cached(x.data());
            })));
}

TEST_F(MemoryHazards, PrefetchOutsideOfMatrixAndX) {
  const auto fetch = [this](const void* p) { return alone([p](Sim ex) { ex.prefetch_if(true, p); }); };
  EXPECT_TRUE(fetch(a.data()).ok());
  EXPECT_TRUE(fetch(a.data() + 6).ok());          // between columns
  EXPECT_TRUE(fetch(a.data() + 2 * 8 + 5).ok());  // the last element
  EXPECT_TRUE(fetch(x.data() + 1).ok());          // between elements
  EXPECT_EQ(last_counters().prefetches, 1);
  EXPECT_EQ(last_counters().matrix_elements_never, 18);
  EXPECT_EQ(last_counters().load_instructions, 0);
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, fetch(a.data() + 2 * 8 + 6)));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, fetch(a.data() - 1)));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, fetch(y.data())));
  EXPECT_TRUE(alone([this](Sim ex) { ex.prefetch_if(false, a.data() - 1); }).ok());
  EXPECT_EQ(last_counters().prefetches, 0);
}

TEST_F(MemoryHazards, TheTextNamesEverything) {
  const Status status = run({.grid = {.x = 2, .y = 3}, .threads = 32}, memory(), [this](Sim ex) {
    if (ex.block_x() == 1 && ex.block_y() == 2 && ex.thread() == 5) ex.load_once_if(true, a.data() + 7);
  });
  for (const char* part : {"out of bounds", "load_once of 4 bytes at 0x", "A + 28 bytes", "Lambda", "block (1, 2, 0)",
                           "thread 5", "memory_hazards_test.cpp:"})
    EXPECT_NE(status.text.find(part), std::string::npos) << part << " is not in: " << status.text;
}

TEST_F(MemoryHazards, KeepGoingReadsZerosAndReportsTheFirst) {
  const WithOptions with({.keep_going = true});
  a.fill(1);
  const Status status = alone([this](Sim ex) {
    EXPECT_EQ(ex.load_once_if(true, a.data() + 6), 0);
    EXPECT_EQ(ex.load_once_if(true, a.data() + 7), 0);
    EXPECT_EQ(ex.load_once_if(true, a.data() + 8), 1);
    ex.store(y.data() + 1, 1.0f);
  });
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, status));
  EXPECT_NE(status.text.find("A + 24 bytes"), std::string::npos) << status.text;
  EXPECT_EQ(y[1], 0);
  EXPECT_EQ(last_counters().hazards, 3);
  EXPECT_EQ(last_counters().matrix_elements_unneeded, 2);
}

}  // namespace
}  // namespace onepass::sim
