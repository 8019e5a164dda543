// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <thread>

#include "bench/axes.hpp"
#include "bench/runner.hpp"
#include "print/csv.hpp"
#include "print/json.hpp"
#include "print/table.hpp"
#include "problem/names.hpp"
#include "support/arguments.hpp"
#include "support/build_info.hpp"
#include "support/interrupt.hpp"
#include "support/terminal.hpp"

namespace onepass::tools {
namespace {

int host_threads(const Backend& backend) {
  return backend.traits().threads > 0 ? backend.traits().threads
                                      : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

Axes axes_of(const BenchOptions& o, const Backend& backend) {
  const Selection selection = o.mesh ? Selection::mesh : o.quick ? Selection::quick : Selection::standard;
  Axes axes = default_axes(backend.id(), selection, host_threads(backend), o.mesh_points);
  if (!o.types.empty()) axes.types = parse_type_names(o.types);
  if (!o.ops.empty()) axes.ops = parse_ops(o.ops);
  if (!o.shapes.empty()) axes.shapes = parse_shapes(o.shapes);
  if (o.cache == "cold") axes.caches = {Cache::cold};
  if (o.cache == "hot") axes.caches = {Cache::hot};
  if (o.cache == "both") axes.caches = {Cache::cold, Cache::hot};
  if (!o.threads.empty()) {
    if (backend.id() != BackendId::cpu)
      throw Failure(Exit::usage, fmt::format("--threads is for the cpu backend, and this is {}; leave it out, or add "
                                             "--backend cpu",
                                             name(backend.id())));
    axes.threads.clear();
    for (const std::int64_t threads : parse_integers("--threads", o.threads, 1))
      axes.threads.push_back(static_cast<int>(threads));
  }
  axes.layout = parse_layout_name(o.layout);
  axes.pad = o.pad;
  axes.batch = o.batch;
  if (o.mesh) axes.max_bytes = o.max_bytes;
  return axes;
}

// On the GPU a sample is one replay, a millisecond or two; the host needs more to be steady.
Effort effort_of(const BenchOptions& o, BackendId backend) {
  const bool device = backend == BackendId::cuda;
  Effort effort{.rounds = device ? 9 : 7, .seconds_per_point = device ? (o.mesh ? 0.05 : 0.2) : 0.6};
  if (o.seconds > 0) effort.seconds_per_point = o.seconds;
  return effort;
}

std::string today() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

void write_file(const std::string& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file)
    throw Failure(Exit::failed, fmt::format("cannot write {}: is the folder there, and may you write to it?", path));
}

void output(const BenchOptions& o, const Record& record) {
  if (o.json == "-") {
    fmt::print("{}", to_json(record));
    return;
  }
  fmt::print("{}", o.csv ? to_csv(record) : to_table(record));
  if (!o.json.empty()) write_file(o.json, to_json(record));
}

}  // namespace

Exit run_bench(const BenchOptions& options) {
  const Backend& backend = require_backend(options.backend);
  const std::vector<Point> points = expand(axes_of(options, backend));
  // A file that cannot be written is better known before the run than after it.
  if (!options.json.empty() && options.json != "-") write_file(options.json, "{}\n");

  const std::unique_ptr<Stage> stage = make_stage(backend);
  Record record{.backend = name(backend.id()),
                .version = onepassVersion(),
                .commit = build_commit(),
                .compiler = build_compiler(),
                .date = today(),
                .facts = stage->facts(),
                .constants = options.ceilings ? stage->ceilings() : stage->constants(),
                .providers = stage->providers(),
                .points = {}};
  if (!options.ceilings) {
    Progress progress(fmt::format("bench {}", record.backend), points.size());
    const auto before = [&](std::size_t done, const Point& point) {
      progress.update(done, fmt::format("{} {} {}x{}", type_name(point.problem), name(point.problem.op),
                                        point.problem.m, point.problem.n));
      return !interrupted();
    };
    record.points = measure(*stage, backend, points, effort_of(options, backend.id()), before);
  }
  record.complete = !interrupted();
  output(options, record);
  if (!record.complete) return Exit::interrupted;
  const bool failed =
      std::any_of(record.points.begin(), record.points.end(), [](const PointResult& r) { return r.failed; });
  return failed ? Exit::failed : Exit::ok;
}

}  // namespace onepass::tools
