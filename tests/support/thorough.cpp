// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/thorough.hpp"

#include <chrono>
#include <cstdlib>
#include <iostream>

namespace onepass::test {
namespace {

std::int64_t today() {
  if (const char* day = std::getenv("ONEPASS_TEST_DAY")) return std::atoll(day);
  using Days = std::chrono::duration<std::int64_t, std::ratio<86'400>>;
  const std::int64_t day =
      std::chrono::duration_cast<Days>(std::chrono::system_clock::now().time_since_epoch()).count();
  std::cout << "cases of day " << day << "; ONEPASS_TEST_DAY=" << day << " takes the same\n";
  return day;
}

}  // namespace

bool takes_turn(std::int64_t turn, std::int64_t share) {
  static const bool all = std::getenv("ONEPASS_LONG_TESTS") != nullptr;
  static const std::int64_t day = all ? 0 : today();
  return all || (turn + day) % share == 0;
}

}  // namespace onepass::test
