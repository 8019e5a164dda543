// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "command/bench/bench_options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "problem/check.hpp"
#include "problem/names.hpp"
#include "support/arguments.hpp"
#include "support/failure.hpp"
#include "support/file.hpp"

namespace onepass::tools {
namespace {

std::vector<int> parse_threads(const std::string& text, BackendId backend) {
  if (backend != BackendId::cpu)
    throw Failure(Exit::usage, fmt::format("--threads is for the cpu backend, and this is {}; leave it out, or add "
                                           "--backend cpu",
                                           name(backend)));
  std::vector<int> threads;
  for (const std::int64_t count : parse_integers("--threads", text, 1, most_threads))
    threads.push_back(static_cast<int>(count));
  return threads;
}

std::vector<Cache> parse_caches(const std::string& text, BackendId backend) {
  if (text == "both") return {Cache::cold, Cache::hot};
  std::vector<Cache> caches;
  for (const std::string& word : parse_list("--cache", text)) {
    const std::optional<Cache> cache = parse_cache(word);
    if (!cache) refuse("--cache", word, "must be a list of cold, hot, alone and chain, or both");
    if (setting(*cache) != Setting::queue && backend != BackendId::cuda)
      throw Failure(Exit::usage, fmt::format("--cache {} says what lies between two calls, for the cuda backend, and "
                                             "this is {}; leave it out, or add --backend cuda",
                                             word, name(backend)));
    caches.push_back(*cache);
  }
  return caches;
}

std::vector<Batching> parse_batching(const std::string& text) {
  if (text == "strided") return {Batching::strided};
  if (text == "pointer") return {Batching::pointers};
  if (!text.empty() && text != "both") refuse("--batched", text, "must be strided, pointer or both");
  return {Batching::strided, Batching::pointers};
}

std::vector<Shape> shapes_of_file(const std::string& path) {
  const std::optional<std::string> text = read_file(path);
  if (!text) throw Failure(Exit::usage, fmt::format("cannot read {}: it should have a shape per line", path));
  return parse_shape_lines(*text, path);
}

const char* option_of(Selector selector) {
  switch (selector) {
    case Selector::op: return "--op";
    case Selector::uplo: return "--uplo";
    case Selector::none: break;
  }
  return "neither --op nor --uplo";
}

// What belongs to another routine.
void require_fitting(const BenchOptions& o, Routine routine) {
  const RoutineRow& r = row(routine);
  const auto refuse = [&](const std::string& given, Selector selector) {
    if (given.empty() || r.selector == selector) return;
    throw Failure(Exit::usage, fmt::format("{} is for {}; {} has {}", option_of(selector), routines_with(selector),
                                           r.name, option_of(r.selector)));
  };
  refuse(o.ops, Selector::op);
  refuse(o.uplos, Selector::uplo);
  const Selection selection = selection_of(o);
  if ((selection == Selection::mesh && r.storage == Storage::triangle) ||
      (selection == Selection::inference && routine != Routine::gemv))
    throw Failure(Exit::usage,
                  fmt::format("--{} is for gemv; {} has its default, --quick, --sweep, --batched and --random",
                              name(selection), r.name));
}

// The list of them is made before the first is measured.
void require_few_points(const Axes& axes) {
  constexpr double most_points = 2e6;
  double points = 1;
  for (const std::size_t count :
       {axes.types.size(), axes.accumulates.size(), axes.orders.size(),
        std::max({axes.ops.size(), axes.complex_ops.size(), axes.uplos.size()}), axes.caches.size(),
        axes.threads.size(), axes.batchings.size(), axes.shapes.size(), axes.batches.size()})
    points *= static_cast<double>(count);
  if (points > most_points)
    throw Failure(Exit::usage, fmt::format("{:.3g} points are more than a run can have, which is {:.0f}: take fewer "
                                           "shapes or types, or a larger step",
                                           points, most_points));
}

// Random problems have shapes of their own, and nothing else does.
void require_random(const BenchOptions& o, const Axes& axes) {
  if (o.random_points == 0) {
    if (o.min_bytes > 0) throw Failure(Exit::usage, "--min-bytes is for --random; add it, or leave this out");
    if (o.seed != 1) throw Failure(Exit::usage, "--seed is for --random; add it, or leave this out");
    if (o.pairs) throw Failure(Exit::usage, "--pairs is for --random; add it, or leave this out");
    return;
  }
  if (!o.shapes.empty() || !o.shapes_file.empty() || !o.batches.empty())
    throw Failure(Exit::usage, "--random chooses shapes of single products: leave out --shape, --shapes and --batch");
  if (axes.min_bytes > axes.max_bytes)
    throw Failure(Exit::usage,
                  fmt::format("--min-bytes {:g} is more than --max-bytes {:g}", axes.min_bytes, axes.max_bytes));
}

}  // namespace

int host_threads(const Backend& backend) {
  return backend.traits().threads > 0 ? backend.traits().threads
                                      : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
}

Selection selection_of(const BenchOptions& o) {
  const struct {
    bool chosen;
    Selection selection;
  } choices[] = {{o.quick, Selection::quick},          {o.mesh, Selection::mesh},
                 {!o.sweep.empty(), Selection::sweep}, {o.inference, Selection::inference},
                 {o.batched, Selection::batched},      {o.random_points > 0, Selection::random}};
  Selection selection = Selection::standard;
  for (const auto& choice : choices) {
    if (!choice.chosen) continue;
    if (selection != Selection::standard)
      throw Failure(Exit::usage, fmt::format("--{} and --{} are two selections: choose one of them, and run twice for "
                                             "both",
                                             name(selection), name(choice.selection)));
    selection = choice.selection;
  }
  return selection;
}

Axes axes_of(const BenchOptions& o, const Backend& backend) { return axes_of(o, backend.id(), host_threads(backend)); }

Axes axes_of(const BenchOptions& o, BackendId backend, int host_threads) {
  SelectionOptions options{.routine = parse_routines(o.routine).at(0),
                           .backend = backend,
                           .threads = host_threads,
                           .mesh_points = o.mesh_points,
                           .sweep = {},
                           .random_points = o.random_points,
                           .seed = o.seed,
                           .pairs = o.pairs};
  require_fitting(o, options.routine);
  if (!o.sweep.empty()) options.sweep = parse_range("--sweep", o.sweep);
  Axes axes = default_axes(selection_of(o), options);
  if (!o.types.empty()) axes.types = parse_type_names(o.types);
  if (!o.uplos.empty()) axes.uplos = parse_uplos(o.uplos);
  if (!o.ops.empty()) axes.ops = axes.complex_ops = parse_ops(o.ops);
  if (!o.shapes.empty()) axes.shapes = parse_shapes(o.shapes);
  if (!o.shapes_file.empty()) axes.shapes = shapes_of_file(o.shapes_file);
  if (!o.cache.empty()) axes.caches = parse_caches(o.cache, backend);
  if (!o.threads.empty()) axes.threads = parse_threads(o.threads, backend);
  if (!o.layout.empty()) axes.layout = parse_layout_name(o.layout);
  if (!o.accumulate.empty()) axes.accumulates = parse_accumulates(o.accumulate);
  if (!o.order.empty()) axes.orders = parse_orders(o.order);
  axes.pad = o.pad;
  if (o.batched) axes.batchings = parse_batching(o.batching);
  if (!o.batches.empty()) {
    axes.batches = parse_integers("--batch", o.batches, 1);
    if (!o.batched) axes.batchings = {axes.batches == std::vector<std::int64_t>{1} ? Batching::one : Batching::strided};
  }
  if (o.max_bytes > 0) axes.max_bytes = o.max_bytes;
  if (o.min_bytes > 0) axes.min_bytes = o.min_bytes;
  require_random(o, axes);
  require_few_points(axes);
  for (const Point& point : expand(axes)) require(check(point.problem));
  return axes;
}

double budget_seconds(const BenchOptions& o) { return o.budget.empty() ? 0 : parse_duration("--budget", o.budget); }

}  // namespace onepass::tools
