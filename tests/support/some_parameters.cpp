// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A main() for suites that run long with every parameter: each test that has parameters runs with half of them, under
// sanitizers with a quarter, by turns from test to test and from day to day (support/thorough.hpp); all other tests run
// as they are. A test that takes its own cases by turns, too, takes one of an odd number of them: then each of them
// meets each parameter some day.
#include <gtest/gtest.h>

#include <string>

#include "support/thorough.hpp"

namespace onepass::test {
namespace {

// Tests with parameters are named test/s, test/d, ... and stand one behind the other.
std::string some_parameters_each(const testing::TestSuite& suite) {
  std::string filter, before;
  std::int64_t test = 0, parameter = 0;
  for (int t = 0; t < suite.total_test_count(); ++t) {
    const testing::TestInfo& info = *suite.GetTestInfo(t);
    const std::string name = info.name(), base = name.substr(0, name.find('/'));
    parameter = base == before ? parameter + 1 : 0;
    test += base == before ? 0 : 1;
    before = base;
    if (info.value_param() == nullptr || takes_turn(test + parameter, sanitized ? 4 : 2))
      filter += std::string(suite.name()) + "." + name + ":";
  }
  return filter;
}

}  // namespace
}  // namespace onepass::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(filter) == "*") {
    std::string filter;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int s = 0; s < all.total_test_suite_count(); ++s)
      filter += onepass::test::some_parameters_each(*all.GetTestSuite(s));
    GTEST_FLAG_SET(filter, filter);
  }
  return RUN_ALL_TESTS();
}
