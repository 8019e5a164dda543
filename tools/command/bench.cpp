// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bench/resume.hpp"
#include "bench/runner.hpp"
#include "command/bench_all.hpp"
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

bool to_file(const BenchOptions& o) { return !o.json.empty() && o.json != "-"; }

void output(const BenchOptions& o, const Record& record) {
  if (to_file(o)) write_file(o.json, to_json(record));
  if (o.json == "-") {
    fmt::print("{}", to_json(record));
    return;
  }
  const bool points = o.points || !is_large(record.selection);
  fmt::print("{}", o.csv ? to_csv(record) : to_table(record, points));
}

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

void measure_into(Record& record, const std::vector<Point>& points, const BenchOptions& o, const Backend& backend,
                  Stage& stage) {
  Progress progress(fmt::format("bench {}", record.backend), points.size());
  Clock::time_point saved = {};
  const Watcher watcher{.before =
                            [&](std::size_t done, const Point& point) {
                              progress.update(done, label(point.problem));
                              return !interrupted();
                            },
                        .after =
                            [&](PointResult result) {
                              record.points.push_back(std::move(result));
                              if (!to_file(o) || Clock::now() - saved < between_saves) return;
                              write_file(o.json, to_json(record));
                              saved = Clock::now();
                            }};
  // A sweep has so many points that their plans would make half of its record.
  const Extras extras{.plans = o.plans || record.selection != Selection::sweep, .journeys = o.details};
  measure(stage, backend, points, effort_of(o, backend.id()), extras, watcher);
}

Exit exit_of(const Record& record) {
  if (!record.complete) return Exit::interrupted;
  const bool failed =
      std::any_of(record.points.begin(), record.points.end(), [](const PointResult& r) { return r.failed; });
  return failed ? Exit::failed : Exit::ok;
}

Exit measure_one(const BenchOptions& options, const Backend& backend) {
  const std::vector<Point> wanted = expand(axes_of(options, backend));
  const Effort effort = effort_of(options, backend.id());
  // A file that cannot be written is better known before the run than after it.
  if (to_file(options)) require_writable(options.json);

  const std::unique_ptr<Stage> stage = make_stage(
      backend,
      {.peers = !options.no_peers, .replay_seconds = effort.replay_seconds, .most_launches = effort.most_launches});
  Record record{.backend = name(backend.id()),
                .version = onepassVersion(),
                .commit = build_commit(),
                .compiler = build_compiler(),
                .date = utc_now(),
                .selection = selection_of(options),
                .complete = false,
                .facts = stage->facts(),
                .constants = {},
                .providers = stage->providers(),
                .points = {}};
  if (options.resume) resume(options, record);
  if (options.ceilings) {
    record.constants = stage->ceilings();
  } else {
    if (record.points.empty()) {
      record.constants = stage->constants();
    } else {
      stage->adopt(record.constants);
    }
    measure_into(record, remaining(wanted, record.points), options, backend, *stage);
  }
  record.complete = !interrupted();
  record.remarks = stage->remarks();
  output(options, record);
  return exit_of(record);
}

}  // namespace

Exit run_bench(const BenchOptions& options) {
  if (!options.show.empty()) {
    output(options, read_record(options.show));
    return Exit::ok;
  }
  const Backend& backend = require_backend(options.backend);
  if (!options.all) return measure_one(options, backend);
  Exit worst = Exit::ok;
  for (const BenchOptions& part : parts_of(options, backend.id())) {
    if (interrupted()) return Exit::interrupted;
    fmt::print("== {}\n", part.json.empty() ? fmt::format("{} {}", part.routine, name(selection_of(part))) : part.json);
    worst = std::max(worst, measure_one(part, backend));
  }
  return worst;
}

}  // namespace onepass::tools
