// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One run of the benchmark: a selection measured, printed, and kept in a record.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "bench/record.hpp"
#include "bench/runner.hpp"
#include "command/bench/bench_options.hpp"
#include "support/failure.hpp"

namespace onepass::tools {

// What a run must know where it is one of several.
struct RunContext {
  std::string label = {};                      // in front of the progress; a run that has one prints its summary alone
  double effort = 1;                           // of the usual time of a point
  double seconds_left = 0;                     // after which it ends with what there is; 0: never
  double seconds_behind = 0;                   // expected of the runs after it
  std::vector<Constant>* constants = nullptr;  // those of the first run serve them all
};

struct RunSummary {
  Exit exit = Exit::ok;
  std::size_t points = 0;
  bool complete = true;
};

// The pieces of a run, as `--add-peers` needs them, too.
bool to_file(const BenchOptions& options);
Effort effort_of(const BenchOptions& options, Selection selection, BackendId backend, const RunContext& context);
std::unique_ptr<Stage> open_stage(const Backend& backend, const Effort& effort, Who who);
// Without constants and points.
Record begin_record(Selection selection, const Backend& backend, const Stage& stage);
// Each result goes to `keep`, which puts it into the record; the file of the options has that every few seconds.
void measure_all(const Record& record, const std::vector<Point>& points, const BenchOptions& options,
                 const Backend& backend, const RunContext& context, Stage& stage, const Extras& extras,
                 const std::function<void(PointResult)>& keep);

RunSummary run_one(const BenchOptions& options, const Backend& backend, const RunContext& context);

// Prints a record in the form that the options ask for, and writes it to their file. `brief`: without its points unless
// they are asked for.
void output(const BenchOptions& options, const Record& record, bool brief = false);

}  // namespace onepass::tools
