// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors of the matrix that straddle columns, and loads that a thread sits out.
#include <array>
#include <cstring>

#include "sim/run_kernel.hpp"

namespace onepass::sim {
namespace {

using exec::Sim;
using exec::Vector16;

// A of 6 rows and 3 columns with lda 7, from the third float of a vector on:
//
//   vector  0 . . 0 0 | 0 0 0 0 | . 1 1 1 | 1 1 1 . | 2 2 2 2 | 2 2 .
class Vectors : public ::testing::Test {
 protected:
  MemoryMap memory() const {
    MemoryMap map;
    map.add(Role::matrix, {.rows = 6, .cols = 3, .lda = 7, .element = 4}, a.data() + 2);
    map.add(Role::x, vector_pattern(5, 1, 4), x.data());
    return map;
  }
  Status read(int vector, int from, int to, bool wanted = true) const {
    return run({.threads = 1}, memory(),
               [=, this](Sim ex) { ex.load_vector_if(wanted, a.data() + 4 * vector, from, to); });
  }

  alignas(32) std::array<float, 24> a{};
  std::array<float, 5> x{};
};

TEST_F(Vectors, AllOfAVectorIsReadAndTheWantedElementsAreCounted) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i);
  const Status status = run({.threads = 1}, memory(), [this](Sim ex) {
    const Vector16 vector = ex.load_vector_if(true, a.data() + 8, 1, 4);
    EXPECT_EQ(std::memcmp(&vector, a.data() + 8, 16), 0);
  });
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(last_counters().matrix_elements_needed, 18);
  EXPECT_EQ(last_counters().matrix_elements_never, 15);
  EXPECT_EQ(last_counters().matrix_sectors_requested, 1);
  EXPECT_EQ(last_counters().load_instructions, 1);
}

// Each thread takes a vector and leaves to its neighbours what belongs to their columns.
TEST_F(Vectors, OnePassOverColumnsThatShareVectors) {
  constexpr std::array<std::array<int, 3>, 3> reads = {{{1, 0, 4}, {2, 1, 4}, {3, 0, 3}}};
  const Status status = run({.threads = 3}, memory(), [&](Sim ex) {
    const auto& [vector, from, to] = reads[static_cast<std::size_t>(ex.thread())];
    ex.load_vector_if(true, a.data() + 4 * vector, from, to);
    if (ex.thread() < 2) ex.load_once_if(true, a.data() + 2 + ex.thread());
    ex.load_vector_if(ex.thread() == 0, a.data() + 16, 0, 4);
    ex.load_once_if(ex.thread() > 0, a.data() + 19 + ex.thread());
  });
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(last_counters().matrix_elements_again, 0);
  EXPECT_EQ(last_counters().matrix_elements_never, 0);
  EXPECT_EQ(last_counters().load_instructions, 4);
}

TEST_F(Vectors, AVectorMayNotReachOutOfTheMatrix) {
  EXPECT_TRUE(read(4, 0, 4).ok());
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, read(0, 2, 4)));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, read(5, 0, 2)));
}

TEST_F(Vectors, AVectorMayNotReachIntoTheNextProduct) {
  const void* bases[] = {a.data(), a.data() + 6};
  MemoryMap map;
  map.add_batch(Role::matrix, {.rows = 6, .element = 4}, bases);
  const auto read = [&](int vector, int from, int to) {
    return run({.threads = 1}, map, [=, this](Sim ex) { ex.load_vector_if(true, a.data() + 4 * vector, from, to); });
  };
  EXPECT_TRUE(read(0, 0, 4).ok());
  EXPECT_TRUE(read(2, 0, 4).ok());
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, read(1, 0, 2)));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, read(1, 2, 4)));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, read(1, 0, 4)));
}

TEST_F(Vectors, TheWantedElementsAreOfOneColumn) {
  EXPECT_TRUE(read(2, 1, 4).ok());
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, read(2, 0, 4)));
  EXPECT_TRUE(meets(HazardKind::out_of_bounds, read(3, 0, 4)));
  EXPECT_EQ(last_counters().matrix_elements_unneeded, 1);
}

TEST_F(Vectors, TheWantedRangeIsClippedToTheVector) {
  EXPECT_TRUE(read(4, -5, 9).ok());
  EXPECT_EQ(last_counters().matrix_elements_never, 14);
  EXPECT_TRUE(read(3, -3, 3).ok());
  EXPECT_EQ(last_counters().matrix_elements_never, 15);
}

TEST_F(Vectors, NeighboursOfTheSameColumnAreNotCounted) {
  EXPECT_TRUE(read(4, 1, 3).ok());
  EXPECT_EQ(last_counters().matrix_elements_never, 16);
}

TEST_F(Vectors, ALoadThatWantsNothing) {
  EXPECT_TRUE(meets(HazardKind::useless_load, read(1, 2, 2)));
  EXPECT_TRUE(meets(HazardKind::useless_load, read(1, 4, 7)));
  EXPECT_TRUE(meets(HazardKind::useless_load, read(1, -2, 0)));
  EXPECT_TRUE(read(1, 2, 2, false).ok());
}

TEST_F(Vectors, AVectorIsAligned) {
  EXPECT_TRUE(meets(HazardKind::misaligned,
                    run({.threads = 1}, memory(), [this](Sim ex) { ex.load_vector_if(true, a.data() + 2, 0, 4); })));
}

TEST_F(Vectors, OnlyTheMatrixIsReadByVectors) {
  alignas(16) std::array<float, 4> other{};
  MemoryMap map;
  map.add(Role::x, vector_pattern(4, 1, 4), other.data());
  EXPECT_TRUE(meets(HazardKind::out_of_bounds,
                    run({.threads = 1}, map, [&](Sim ex) { ex.load_vector_if(true, other.data(), 0, 4); })));
}

TEST_F(Vectors, WhatIsNotWantedIsZeroAndNotRead) {
  a.fill(1);
  x.fill(1);
  const Status status = run({.threads = 1}, memory(), [this](Sim ex) {
    const Vector16 vector = ex.load_vector_if(false, a.data() - 4, 0, 4);
    EXPECT_EQ(vector.word[0] | vector.word[1] | vector.word[2] | vector.word[3], 0u);
    EXPECT_EQ(ex.load_once_if(false, a.data() - 1), 0);
    EXPECT_EQ(ex.load_cached_if(false, x.data() + 7), 0);
    EXPECT_EQ(ex.load_once_if(true, a.data() + 2), 1);
    EXPECT_EQ(ex.load_cached_if(true, x.data()), 1);
  });
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(last_counters().matrix_elements_never, 17);
  EXPECT_EQ(last_counters().load_instructions, 2);
}

// A lane that sits out a load still counts it: the second loads of all lanes are one instruction.
TEST_F(Vectors, ALoadThatIsSatOutKeepsItsPlace) {
  const Status status = run({}, memory(), [this](Sim ex) {
    for (int vector = 1; vector <= 4; vector += 3)
      ex.load_vector_if(vector == 4 || ex.thread() < 16, a.data() + 4 * vector, 0, 4);
  });
  EXPECT_TRUE(status.ok()) << status.text;
  EXPECT_EQ(last_counters().load_instructions, 2);
  EXPECT_EQ(last_counters().matrix_sectors_requested, 2);
}

}  // namespace
}  // namespace onepass::sim
