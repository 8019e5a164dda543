// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What launches write, as far as the next one has to know it.
#include "launch/reach.hpp"

#include <gtest/gtest.h>

namespace onepass::test {
namespace {

TEST(Reaches, MeetWhatTheyTouch) {
  Reaches written;
  EXPECT_FALSE(written.meets(anywhere));
  written.add({.begin = 100, .end = 200});
  EXPECT_TRUE(written.meets({.begin = 199, .end = 300}));
  EXPECT_TRUE(written.meets({.begin = 0, .end = 101}));
  EXPECT_FALSE(written.meets({.begin = 200, .end = 300}));
  EXPECT_FALSE(written.meets({.begin = 0, .end = 100}));
  written.add(anywhere);
  EXPECT_TRUE(written.meets({.begin = 0, .end = 1}));
}

TEST(Reaches, LeaveOutWhatLiesBetween) {
  Reaches written;
  for (const std::uintptr_t begin : {500, 100, 300, 200})  // 100 to 300 becomes one
    written.add({.begin = begin, .end = begin + 100});
  EXPECT_FALSE(written.meets({.begin = 400, .end = 500}));
  EXPECT_TRUE(written.meets({.begin = 299, .end = 300}));
  EXPECT_FALSE(written.meets({.begin = 600, .end = 700}));
}

// More than they keep: those near each other become one, those far from each other stay apart, and none is lost.
TEST(Reaches, OfManyKeepTheWideGaps) {
  Reaches written;
  for (std::uintptr_t i = 0; i < 100; ++i)
    for (const std::uintptr_t far : {0, 1000000, 2000000})
      written.add({.begin = far + 10 * i, .end = far + 10 * i + 4});
  for (std::uintptr_t i = 0; i < 100; ++i)
    for (const std::uintptr_t far : {0, 1000000, 2000000})
      EXPECT_TRUE(written.meets({.begin = far + 10 * i + 3, .end = far + 10 * i + 4}));
  EXPECT_FALSE(written.meets({.begin = 994, .end = 1000000}));
  EXPECT_FALSE(written.meets({.begin = 1000994, .end = 2000000}));
  EXPECT_FALSE(written.meets({.begin = 2000994, .end = 3000000}));
}

// A norm of three rows of eight elements, with gaps of two between them: the weights behind it are not its result.
TEST(Reach, OfRowsEndsWithTheLastElement) {
  float rows[64] = {};
  const Reach reach =
      reach_of_result({.operation = RowOperation::rms_norm, .type = Type::s, .rows = 3, .n = 8, .y = rows, .ld_y = 10});
  const auto from = [&](int element) { return reinterpret_cast<std::uintptr_t>(rows + element); };
  EXPECT_EQ(reach.begin, from(0));
  EXPECT_EQ(reach.end, from(28));
  Reaches written;
  written.add(reach);
  EXPECT_TRUE(written.meets({.begin = from(27), .end = from(40)}));
  EXPECT_FALSE(written.meets({.begin = from(28), .end = from(64)}));
}

}  // namespace
}  // namespace onepass::test
