// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench/bench_reduction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <thread>

#include "lapack/check.hpp"
#include "plan/device_traits.hpp"
#include "problem/names.hpp"
#include "reductions/handle.hpp"
#include "reductions/record.hpp"
#include "reductions/rows.hpp"
#include "reductions/run.hpp"
#include "support/arguments.hpp"
#include "support/build_info.hpp"
#include "support/file.hpp"
#include "support/interrupt.hpp"

namespace onepass::tools {
namespace {

// What else `bench` has is of matrix-vector products.
void refuse_other_options(const BenchOptions& o, bool batched) {
  const std::pair<bool, const char*> others[] = {{o.mesh, "--mesh"},
                                                 {!o.sweep.empty(), "--sweep"},
                                                 {o.inference, "--inference"},
                                                 {o.batched, "--batched"},
                                                 {o.random_points > 0, "--random"},
                                                 {o.pairs, "--pairs"},
                                                 {o.ceilings, "--ceilings"},
                                                 {o.all, "--all"},
                                                 {!o.ops.empty(), "--op"},
                                                 {!o.uplos.empty(), "--uplo"},
                                                 {!o.layout.empty(), "--layout"},
                                                 {!o.accumulate.empty(), "--accumulate"},
                                                 {!o.order.empty(), "--order"},
                                                 {o.pad != 0, "--lda"},
                                                 {!batched && !o.batches.empty(), "--batch"},
                                                 {!o.cache.empty(), "--cache"},
                                                 {!o.shapes_file.empty(), "--shapes"},
                                                 {o.max_bytes != 0, "--max-bytes"},
                                                 {o.seconds != 0, "--time"},
                                                 {!o.budget.empty(), "--budget"},
                                                 {o.resume, "--resume"},
                                                 {o.csv, "--csv"},
                                                 {o.points, "--points"},
                                                 {o.plans, "--plans"},
                                                 {o.details, "--details"}};
  for (const auto& [is_set, name] : others)
    if (is_set)
      throw Failure(Exit::usage, fmt::format("{} is not for {}, which has --type, --shape, --quick, --backend, "
                                             "--threads, {}--no-peers and --json",
                                             name, o.routine, batched ? "--batch, " : ""));
}

void require_fitting(const Shape& shape, const ReductionRow& row, std::int64_t matrices) {
  if (shape.m != shape.n && !row.rectangular)
    throw Failure(Exit::usage,
                  fmt::format("shape \"{}x{}\": must be square, such as 4096, for {}", shape.m, shape.n, row.name));
  const LapackProblem problem = reduction_problem(row, Type::d, shape.m, shape.n, matrices);
  require_addressable(row, problem);
  if (const BadArgument bad = check(problem); bad.position != 0)
    throw Failure(Exit::usage, fmt::format("shape \"{}x{}\" for {}: {}", shape.m, shape.n, row.name, bad.status.text));
}

std::vector<Shape> shapes_of(const BenchOptions& o, const ReductionRow& row, bool on_device, std::int64_t matrices) {
  std::vector<Shape> shapes;
  if (!o.shapes.empty()) {
    shapes = parse_shapes(o.shapes, 1);
    for (const Shape& shape : shapes) require_fitting(shape, row, matrices);
    return shapes;
  }
  if (row.batched) {
    const std::int64_t most = row.routine == LapackRoutine::gesvd ? 256 : 512;
    for (const std::int64_t n : {8, 16, 32, 64, 128, 256, 512})
      if (n <= (on_device ? (o.quick ? 128 : most) : 32)) shapes.push_back({n, n});
    return shapes;
  }
  std::vector<std::int64_t> orders = {256, 512, 1024, 2048, 4096, 8192, 16384};
  if (!on_device) orders = {64, 128, 256, 512, 1024};
  if (o.quick) orders = on_device ? std::vector<std::int64_t>{256, 1024, 4096} : std::vector<std::int64_t>{64, 256};
  for (const std::int64_t n : orders) shapes.push_back({n, n});
  return shapes;
}

int threads_of(const BenchOptions& o) {
  if (o.threads.empty()) return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const std::vector<std::int64_t> counts = parse_integers("threads", o.threads, 1, most_threads);
  if (counts.size() != 1)
    throw Failure(Exit::usage, fmt::format("threads \"{}\": must be one number for {}", o.threads, o.routine));
  return static_cast<int>(counts[0]);
}

// 0: as many as is usual.
std::int64_t matrices_of(const BenchOptions& o) {
  if (o.batches.empty()) return 0;
  const std::vector<std::int64_t> counts = parse_integers("batch", o.batches, 1, std::int64_t{1} << 31);
  if (counts.size() != 1)
    throw Failure(Exit::usage, fmt::format("batch \"{}\": must be one number for {}", o.batches, o.routine));
  return counts[0];
}

double median(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

ReductionTime measured(ReductionRun& run, const ReductionRow& row, Type type, const Shape& shape, bool with_peer,
                       bool with_floor, std::int64_t matrices) {
  const LapackProblem problem = reduction_problem(row, type, shape.m, shape.n, matrices);
  run.load(reduction_problem(row.reduction, type, shape.m, shape.n), problem);
  with_peer = with_peer && run.clock().peer()->serves(problem);
  std::vector<double> times, peer;
  run.onepass();  // once for kernels that are loaded late, and for caches
  if (with_peer) run.peer();
  for (int i = 0; i < (std::max(shape.m, shape.n) > 8192 ? 3 : 5); ++i) {
    times.push_back(run.onepass());
    if (with_peer) peer.push_back(run.peer());
  }
  const double elements =
      with_floor ? row.floor_elements(static_cast<double>(shape.m), static_cast<double>(shape.n)) : 0;
  return {.type = name(type),
          .m = shape.m,
          .n = shape.n,
          .ms = median(times),
          .least = *std::min_element(times.begin(), times.end()),
          .floor = elements * static_cast<double>(size_of(type)) / h200_bytes_per_second * 1e3,
          .peer = with_peer ? median(peer) : 0,
          .matrices = problem.batch_count};
}

}  // namespace

Exit run_bench_reduction(const BenchOptions& o) {
  const ReductionRow& row = *find_reduction(o.routine);
  refuse_other_options(o, row.batched);
  const std::int64_t matrices = matrices_of(o);
  const int threads = threads_of(o);
  const ReductionHandle handle(o.backend, threads);
  if (handle.backend() == "sim")
    throw Failure(Exit::usage, "--backend sim: the simulator's time says nothing; `onepass check` runs there");
  const std::vector<Shape> shapes = shapes_of(o, row, handle.on_device(), matrices);
  const std::vector<Type> types = reduction_types(o.types.empty() ? "d" : o.types);
  if (!o.json.empty() && o.json != "-") require_writable(o.json);
  const bool quiet = o.json == "-";

  ReductionRun run(handle, threads, row.beside);
  const LapackProblem first = reduction_problem(row, types[0], 1, 1);
  const bool with_peer = !o.no_peers && run.clock().peer() != nullptr && run.clock().peer()->serves(first);
  ReductionRecord record{.version = ONEPASS_VERSION_STRING,
                         .commit = build_commit(),
                         .compiler = build_compiler(),
                         .date = utc_now(),
                         .backend = handle.backend(),
                         .routine = o.routine,
                         .machine = run.clock().facts(),
                         .peer = with_peer ? run.clock().peer()->name() : "",
                         .has_floor = handle.on_device() && row.floor_elements != nullptr,
                         .rows = {}};
  if (!quiet) fmt::print("{}\n", head_of(record));
  for (const Type type : types)
    for (const Shape& shape : shapes) {
      if (interrupted()) break;
      record.rows.push_back(measured(run, row, type, shape, with_peer, record.has_floor, matrices));
      if (!quiet) fmt::print("{}\n", line_of(record, record.rows.back()));
      std::fflush(stdout);
    }
  if (quiet) fmt::print("{}", to_json(record));
  if (!quiet && !o.json.empty()) write_file(o.json, to_json(record));
  return interrupted() ? Exit::interrupted : Exit::ok;
}

bool show_reduction(const std::string& path) {
  const std::optional<ReductionRecord> record = read_reduction_record(path);
  if (!record) return false;
  fmt::print("{}\n", head_of(*record));
  for (const ReductionTime& row : record->rows) fmt::print("{}\n", line_of(*record, row));
  return true;
}

}  // namespace onepass::tools
