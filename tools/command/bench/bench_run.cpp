// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench/bench_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bench/resume.hpp"
#include "bench/schedule.hpp"
#include "command/bench/bench_peers.hpp"
#include "print/csv.hpp"
#include "print/json.hpp"
#include "print/table.hpp"
#include "support/arguments.hpp"
#include "support/build_info.hpp"
#include "support/file.hpp"
#include "support/interrupt.hpp"
#include "support/terminal.hpp"

namespace onepass::tools {
namespace {

using Clock = std::chrono::steady_clock;

// What a run may lose if it is killed.
constexpr std::chrono::seconds between_saves{15};

// Takes the points and constants of the record that is there; a file that is not there yet is begun.
void resume(const BenchOptions& o, Record& record) {
  if (!to_file(o)) throw Failure(Exit::usage, "--resume goes on with a record: name its file, --json FILE");
  if (!read_file(o.json)) return;
  Record before = read_record(o.json);
  if (const std::string why = why_not_resumable(before, record); !why.empty())
    throw Failure(Exit::usage, fmt::format("cannot go on with {}: {}; leave --resume out to begin anew, or name "
                                           "another file",
                                           o.json, why));
  std::erase_if(before.points, [](const PointResult& r) { return r.failed; });
  record.date = before.date;
  record.constants = before.constants;
  record.points = std::move(before.points);
}

// The constants of the floor: those of the record that is gone on with, of the runs before this one, or measured now.
void find_constants(Record& record, const RunContext& context, Stage& stage) {
  if (record.points.empty() && context.constants != nullptr) record.constants = *context.constants;
  if (record.points.empty() && record.constants.empty()) {
    record.constants = stage.constants();
  } else {
    stage.adopt(record.constants);
  }
  if (context.constants != nullptr && context.constants->empty()) *context.constants = record.constants;
}

Exit exit_of(const Record& record) {
  if (!record.complete) return Exit::interrupted;
  const bool failed =
      std::any_of(record.points.begin(), record.points.end(), [](const PointResult& r) { return r.failed; });
  return failed ? Exit::failed : Exit::ok;
}

}  // namespace

bool to_file(const BenchOptions& o) { return !o.json.empty() && o.json != "-"; }

// The effort of the options, less where the runs after this one need the time.
Effort effort_of(const BenchOptions& o, Selection selection, BackendId backend, const RunContext& context) {
  Effort usual = default_effort(selection, backend);
  if (o.seconds > 0) usual.seconds_per_point = o.seconds;
  return context.effort < 1 ? scaled(usual, context.effort) : usual;
}

std::unique_ptr<Stage> open_stage(const Backend& backend, const Effort& effort, Who who) {
  return make_stage(
      backend,
      {.who = who, .replay_seconds = effort.replay_seconds, .most_launches = effort.most_launches, .others = {}});
}

Record begin_record(Selection selection, const Backend& backend, const Stage& stage) {
  return {.backend = name(backend.id()),
          .version = onepassVersion(),
          .commit = build_commit(),
          .compiler = build_compiler(),
          .date = utc_now(),
          .selection = selection,
          .complete = false,
          .facts = stage.facts(),
          .constants = {},
          .providers = stage.providers(),
          .points = {}};
}

void measure_all(const Record& record, const std::vector<Point>& points, const BenchOptions& o, const Backend& backend,
                 const RunContext& context, Stage& stage, const Extras& extras,
                 const std::function<void(PointResult)>& keep) {
  Progress progress(context.label.empty() ? "bench " + record.backend : "bench " + context.label, points.size());
  progress.set_behind(context.seconds_behind);
  Clock::time_point saved = {};
  const auto end =
      Clock::now() + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(context.seconds_left));
  const Watcher watcher{.before =
                            [&](std::size_t done, const Point& point) {
                              progress.update(done, label(point.problem));
                              return !interrupted() && (context.seconds_left <= 0 || Clock::now() < end);
                            },
                        .after =
                            [&](PointResult result) {
                              keep(std::move(result));
                              if (!to_file(o) || Clock::now() - saved < between_saves) return;
                              write_file(o.json, to_json(record));
                              saved = Clock::now();
                            }};
  measure(stage, backend, points, effort_of(o, record.selection, backend.id(), context), extras, watcher);
}

void output(const BenchOptions& o, const Record& record, bool brief) {
  if (to_file(o)) write_file(o.json, to_json(record));
  if (o.json == "-") {
    fmt::print("{}", to_json(record));
    return;
  }
  const bool points = o.points || !(brief || is_large(record.selection));
  fmt::print("{}", o.csv ? to_csv(record) : to_table(record, points));
}

RunSummary run_one(const BenchOptions& options, const Backend& backend, const RunContext& context) {
  const auto start = Clock::now();
  const Axes axes = axes_of(options, backend);
  const std::vector<Point> wanted = expand(axes);
  if (wanted.empty() && context.label.empty() && !options.ceilings)
    throw Failure(Exit::usage, fmt::format("no point is left to measure: the matrices of each have more than {:g} "
                                           "bytes; raise --max-bytes",
                                           axes.max_bytes));
  // A file that cannot be written is better known before the run than after it.
  if (to_file(options)) require_writable(options.json);

  const bool apart = !options.no_peers && !options.ceilings && peers_apart(backend.id());
  std::unique_ptr<Stage> stage = open_stage(backend, effort_of(options, selection_of(options), backend.id(), context),
                                            options.no_peers || apart ? Who::onepass : Who::all);
  Record record = begin_record(selection_of(options), backend, *stage);
  if (apart)
    for (std::string& peer : names_of_peers_apart()) record.providers.push_back(std::move(peer));
  if (options.resume) resume(options, record);
  if (options.ceilings) {
    record.constants = stage->ceilings();
    for (Constant& constant : stage->peer_constants()) record.constants.push_back(std::move(constant));
    record.complete = !interrupted();
  } else {
    find_constants(record, context, *stage);
    // A sweep has so many points that their plans would make half of its record.
    const Extras extras{.plans = options.plans || record.selection != Selection::sweep, .journeys = options.details};
    measure_all(record, remaining(wanted, record.points), options, backend, context, *stage, extras,
                [&](PointResult result) { record.points.push_back(std::move(result)); });
    record.complete = remaining(wanted, record.points).empty();
  }
  record.remarks = stage->remarks();
  if (apart && interrupted()) record.complete = false;
  if (apart && !interrupted()) {
    stage.reset();  // its memory is for the peers now
    const double used = std::chrono::duration<double>(Clock::now() - start).count();
    const double left = context.seconds_left > 0 ? std::max(0.1, context.seconds_left - used) : 0;
    record = with_peers(record, options, context.effort, left);
  }
  output(options, record, !context.label.empty());
  return {.exit = exit_of(record), .points = record.points.size(), .complete = record.complete};
}

}  // namespace onepass::tools
