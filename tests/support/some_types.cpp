// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A main() for suites that run long in every type: each test of a typed suite runs in half of its types, under
// sanitizers in one or, where only one is compiled, every other day, by turns from test to test and from day to day
// (support/thorough.hpp); all other tests run as they are.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "support/thorough.hpp"

namespace onepass::test {
namespace {

// Of four types the first and the last are one half: a real and a complex one, a short and a long one.
std::size_t half_of(std::size_t type, std::size_t types) { return types == 4 ? (type == 1 || type == 2) : type % 2; }

// Suites of the same tests are named suite/0, suite/1, ...
std::string some_types_each() {
  std::map<std::string, std::vector<const testing::TestSuite*>> types;
  std::string filter;
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int s = 0; s < all.total_test_suite_count(); ++s) {
    const testing::TestSuite* suite = all.GetTestSuite(s);
    const std::string name = suite->name();
    if (suite->type_param() == nullptr)
      filter += name + ".*:";
    else
      types[name.substr(0, name.rfind('/'))].push_back(suite);
  }
  for (const auto& [name, suites] : types)
    for (std::size_t type = 0; type < suites.size(); ++type)
      for (int t = 0; t < suites[type]->total_test_count(); ++t) {
        const std::size_t share =
            sanitized ? std::max<std::size_t>(suites.size(), 2) : std::min<std::size_t>(suites.size(), 2);
        const std::size_t part = sanitized ? type : half_of(type, suites.size());
        if (takes_turn(t + static_cast<std::int64_t>(part), static_cast<std::int64_t>(share)))
          filter += std::string(suites[type]->name()) + "." + suites[type]->GetTestInfo(t)->name() + ":";
      }
  return filter;
}

}  // namespace
}  // namespace onepass::test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(filter) == "*") GTEST_FLAG_SET(filter, onepass::test::some_types_each());
  return RUN_ALL_TESTS();
}
