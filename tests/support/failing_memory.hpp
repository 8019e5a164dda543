// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory that runs out: allocations of the calling thread fail from one of them on. A program that links the source of
// this has a malloc of its own.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <string>

namespace failing_memory {

// From now on the allocation of that number, counted from 1, fails, and all after it or no other.
void begin(long number, bool all_after);
// All allocations are served again. Whether one failed.
bool end();
// Allocated and not freed, of all threads.
long blocks();

// `attempt()` while its first, its second, ... allocation fails, until none does. check(result, failed): what it must
// be. An attempt frees what it made; it runs once before, for what a library keeps.
template <class Attempt, class Check>
void each_allocation_fails(Attempt attempt, Check check) {
  check(attempt(), false);
  for (const bool all_after : {false, true}) {
    bool failed = true;
    for (long number = 1; failed; ++number) {
      SCOPED_TRACE("allocation " + std::to_string(number) + (all_after ? " and all after it" : ""));
      const long before = blocks();
      begin(number, all_after);
      const auto result = attempt();
      failed = end();
      EXPECT_EQ(blocks(), before) << "blocks that were not freed";
      check(result, failed);
    }
  }
}

// Likewise in processes that have not called the library yet, and have one thread: whether is_right() after each. For a
// death test, whose process has not called it either. `growth`: each allocation by 1, and only some of many by more.
template <class Attempt, class IsRight>
bool each_first_allocation_fails(Attempt attempt, IsRight is_right, double growth = 1) {
  constexpr int right = 0, wrong = 1, all_served = 2;
  for (const bool all_after : {false, true}) {
    int code = right;
    for (long number = 1; code == right; number = 1 + static_cast<long>(growth * static_cast<double>(number))) {
      const pid_t child = fork();
      if (child == 0) {
        begin(number, all_after);
        attempt();
        const bool failed = end();
        _exit(!is_right() ? wrong : failed ? right : all_served);
      }
      int status = 0;
      waitpid(child, &status, 0);
      code = WIFEXITED(status) ? WEXITSTATUS(status) : wrong;
    }
    if (code != all_served) return false;
  }
  return true;
}

}  // namespace failing_memory
