// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A main() for builds without time for every case: each test of a typed suite runs in one of its types, by turns, and
// all other tests as they are.
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

namespace {

// Suites of the same tests are named suite/0, suite/1, ...
std::string one_type_each() {
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
    for (int t = 0; t < suites.front()->total_test_count(); ++t)
      filter += std::string(suites[static_cast<std::size_t>(t) % suites.size()]->name()) + "." +
                suites.front()->GetTestInfo(t)->name() + ":";
  return filter;
}

}  // namespace

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  if (GTEST_FLAG_GET(filter) == "*") GTEST_FLAG_SET(filter, one_type_each());
  return RUN_ALL_TESTS();
}
