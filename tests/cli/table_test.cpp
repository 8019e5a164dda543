// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of a run fits a terminal of 120 columns.
#include "print/table.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "results.hpp"

namespace onepass::tools {
namespace {

// The widest of `onepass bench --quick`: three peers, threads, a cache of each level.
Record quick_on_a_host() {
  std::vector<PointResult> points;
  for (const Op op : {Op::n, Op::t})
    for (const int threads : {1, 128})
      for (const auto& [level, m, n] : {std::tuple{"L2", 16'000, 160}, {"memory", 4096, 4096}}) {
        Point point = point_of("d", op, m, n, Cache::hot);
        point.threads = threads;
        points.push_back(result_of(
            point, 12'345.6, {{"Onepass", 12'345.67}, {"OpenBLAS", 45'678.9}, {"BLIS", 1234.5}, {"Eigen", 9876.5}}));
        points.back().level = level;
      }
  Record record = record_of(Selection::quick, points);
  record.providers = {"Onepass", "OpenBLAS", "BLIS", "Eigen"};
  return record;
}

TEST(Table, FitsATerminalOf120Columns) {
  std::istringstream lines(to_table(quick_on_a_host(), true));
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120u) << line;
}

TEST(Table, HasFourDigitsOfAFigure) {
  const PointResult point = result_of(point_of("s", Op::n, 4096, 4096), 10'000, {{"Onepass", 40'000}, {"peer", 500}});
  Record record = record_of(Selection::quick, {point});
  record.providers = {"Onepass", "peer"};
  const std::string table = to_table(record, true);
  EXPECT_NE(table.find("67.1 MB  memory      6.7  40000   1.7 0.25  134.3 20.00    0.01x\n"), std::string::npos)
      << table;
}

}  // namespace
}  // namespace onepass::tools
