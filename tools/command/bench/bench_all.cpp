// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench/bench_all.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <numeric>

#include "bench/schedule.hpp"
#include "command/bench/bench_run.hpp"
#include "print/columns.hpp"
#include "support/interrupt.hpp"
#include "support/terminal.hpp"

namespace onepass::tools {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

struct Outcome {
  double seconds = 0;
  RunSummary run;
};

std::string size_of_file(const std::string& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  return error ? "-" : fmt::format("{}", (bytes + 1023) / 1024);
}

// Which part took how long, and what is missing.
std::string parts_table(const std::vector<BenchPart>& parts, const std::vector<Outcome>& done) {
  Columns table;
  table.row({"part", "points", "of", "seconds", "expected", "record", "KiB", ""});
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const BenchPart& part = parts[i];
    const bool begun = i < done.size();
    const char* state = !begun ? "not begun" : done[i].run.complete ? "" : "cut off";
    table.row({part.name, begun ? fmt::format("{}", done[i].run.points) : "0", fmt::format("{}", part.points),
               begun ? fmt::format("{:.1f}", done[i].seconds) : "-", fmt::format("{:.0f}", part.seconds),
               part.options.json.empty() ? "-" : part.options.json, size_of_file(part.options.json), state});
  }
  return table.text();
}

std::vector<double> expected_of(const std::vector<BenchPart>& parts) {
  std::vector<double> seconds;
  seconds.reserve(parts.size());
  for (const BenchPart& part : parts) seconds.push_back(part.seconds);
  return seconds;
}

}  // namespace

Exit run_bench_all(const BenchOptions& all, const Backend& backend) {
  const std::vector<BenchPart> parts = parts_of(all, backend.id(), host_threads(backend));
  const std::vector<double> expected = expected_of(parts);
  const double budget = budget_seconds(all);
  const auto start = Clock::now();
  fmt::print("{} parts, about {:.0f} s{}\n", parts.size(), std::accumulate(expected.begin(), expected.end(), 0.0),
             budget > 0 ? fmt::format("; they may take {:.0f} s", budget) : "");
  std::vector<Outcome> done;
  std::vector<Constant> constants;
  Exit worst = Exit::ok;
  for (std::size_t i = 0; i < parts.size() && !interrupted(); ++i) {
    const std::span<const double> rest = std::span(expected).subspan(i);
    const double left = budget - seconds_since(start);
    if (budget > 0 && left <= 0) break;
    const double effort = budget > 0 ? affordable_effort(rest, left) : 1;
    fmt::print("== part {} of {}: {}, {} points, about {:.0f} s\n", i + 1, parts.size(), parts[i].name, parts[i].points,
               effort * parts[i].seconds);
    std::fflush(stdout);
    const auto begin = Clock::now();
    const RunContext context{.label = fmt::format("{} of {}, {}", i + 1, parts.size(), parts[i].name),
                             .effort = effort,
                             .seconds_left = budget > 0 ? left : 0,
                             .seconds_behind = effort * std::accumulate(rest.begin() + 1, rest.end(), 0.0),
                             .constants = &constants};
    done.push_back({.seconds = 0, .run = run_one(parts[i].options, backend, context)});
    done.back().seconds = seconds_since(begin);
    worst = std::max(worst, done.back().run.exit);
  }
  fmt::print("\n{}{:.0f} s in all\n", parts_table(parts, done), seconds_since(start));
  if (done.size() == parts.size() && worst != Exit::interrupted) return worst;
  fmt::print("{}\n", paint(Colour::yellow,
                           all.json.empty() ? "not everything was measured"
                                            : "not everything was measured: the same command with --resume goes on"));
  return Exit::interrupted;
}

}  // namespace onepass::tools
