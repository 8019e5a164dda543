// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/selection.hpp"

#include <cmath>
#include <iterator>

namespace onepass::tools {
namespace {

constexpr const char* names[] = {"standard", "quick", "mesh", "sweep", "inference", "batched", "random"};

std::vector<Shape> squares(std::int64_t from, std::int64_t to) {
  std::vector<Shape> shapes;
  for (std::int64_t n = from; n <= to; n *= 2) shapes.push_back({n, n});
  return shapes;
}

void add_tall_and_wide(std::vector<Shape>& shapes, std::initializer_list<std::int64_t> sizes) {
  for (const std::int64_t n : sizes) shapes.push_back({100 * n, n});
  for (const std::int64_t n : sizes) shapes.push_back({n, 100 * n});
}

// m, n = round(16 * 65536^(i / (points - 1))): mostly odd sizes, as alignment is not a given.
std::vector<Shape> mesh(std::int64_t points) {
  std::vector<std::int64_t> sizes;
  for (std::int64_t i = 0; i < points; ++i)
    sizes.push_back(std::llround(16 * std::pow(65536.0, static_cast<double>(i) / static_cast<double>(points - 1))));
  std::vector<Shape> shapes;
  for (const std::int64_t n : sizes)
    for (const std::int64_t m : sizes) shapes.push_back({m, n});
  return shapes;
}

std::vector<Shape> sweep(const Range& range) {
  std::vector<Shape> shapes;
  for (std::int64_t n = range.from; n <= range.to; n += range.step) shapes.push_back({n, n});
  return shapes;
}

// Layers of transformers with 1 to 70 billion weights, outputs x inputs: attention, both halves of the feed-forward
// part, and three vocabularies.
const std::vector<Shape> layers = {
    {2048, 2048},  {1024, 4096},  {8192, 2048},  {2048, 8192},  {1024, 8192},  {4096, 4096},   {6144, 4096},
    {14336, 4096}, {4096, 14336}, {28672, 4096}, {5120, 5120},  {25600, 5120}, {2048, 7168},   {7168, 2048},
    {18432, 7168}, {8192, 8192},  {28672, 8192}, {8192, 28672}, {32000, 4096}, {151936, 2048}, {128256, 4096}};

// Orders of symmetric matrices: powers of two, halfway between them, and some that no tile divides.
std::vector<Shape> orders(std::int64_t to) {
  std::vector<Shape> shapes;
  for (std::int64_t n = 64; n <= to; n *= 2)
    for (const std::int64_t order : {n, n + n / 2})
      if (order <= to) shapes.push_back({order, order});
  for (const std::int64_t order : {1000, 1700, 2500, 3500, 4500, 5001, 10007})
    if (order <= to) shapes.push_back({order, order});
  return shapes;
}

bool is_triangle(Routine routine) { return row(routine).storage == Storage::triangle; }

// Of the selected types those that the routine takes, or all that it takes.
void select_types(Axes& axes) {
  const std::string_view taken = row(axes.routine).types;
  std::erase_if(axes.types, [&](const std::string& type) { return taken.find(type) == std::string_view::npos; });
  if (!axes.types.empty()) return;
  for (const char letter : taken) axes.types.emplace_back(1, letter);
}

void select_standard(Axes& axes, Routine routine, bool device) {
  if (is_triangle(routine)) {
    axes.types = {"s", "d", "c", "z"};
    axes.shapes = orders(device ? 16384 : 8192);
    return;
  }
  axes.shapes = squares(64, device ? 16384 : 8192);
  if (device) {
    add_tall_and_wide(axes.shapes, {16, 100, 300, 1000});
    for (const Shape shape : {Shape{1048576, 16}, {16, 1048576}, {1227, 1227}, {3219, 3219}, {3219, 68}, {68, 8443}})
      axes.shapes.push_back(shape);
  } else {
    axes.types = {"s", "d", "c", "z"};
    add_tall_and_wide(axes.shapes, {16, 50, 160, 500});
  }
}

void select_quick(Axes& axes, Routine routine, bool device) {
  if (is_triangle(routine)) {
    axes.shapes = {{256, 256}, {1000, 1000}, {1024, 1024}, {4096, 4096}};
    if (device) axes.shapes.push_back({16384, 16384});
  } else if (device) {
    axes.types = {"s", "d", "b"};
    axes.shapes = {{256, 256},    {1024, 1024},   {1227, 1227},  {4096, 4096},
                   {16384, 4096}, {16384, 16384}, {1048576, 16}, {16, 1048576}};
  } else {
    axes.shapes = {{256, 256}, {1024, 1024}, {4096, 4096}, {16000, 160}, {160, 16000}};
  }
}

void select_batched(Axes& axes, Routine routine) {
  axes.batchings = {Batching::strided, Batching::pointers};
  axes.batches = {1, 4, 16, 64, 256, 1024, 4096, 16384, 65536};
  axes.shapes = squares(4, 512);
  for (const Shape shape : {Shape{17, 17}, {100, 100}, {16, 256}, {256, 16}, {8, 512}, {512, 8}})
    if (!is_triangle(routine) || shape.m == shape.n) axes.shapes.push_back(shape);
  axes.max_bytes = 1e9;
}

}  // namespace

const char* name(Selection selection) { return names[static_cast<std::size_t>(selection)]; }

std::optional<Selection> parse_selection(std::string_view text) {
  for (std::size_t i = 0; i < std::size(names); ++i)
    if (text == names[i]) return static_cast<Selection>(i);
  return std::nullopt;
}

bool is_large(Selection selection) {
  return selection == Selection::mesh || selection == Selection::sweep || selection == Selection::batched;
}

Axes default_axes(Selection selection, const SelectionOptions& o) {
  const bool device = o.backend == BackendId::cuda;
  Axes axes{.types = {"s", "d"},
            .routine = o.routine,
            .ops = {Op::n, Op::t},
            .complex_ops = {Op::n, Op::t},
            .caches = {device ? Cache::cold : Cache::hot},
            .threads = {device ? 0 : 1}};
  if (o.backend == BackendId::cpu && o.threads > 1) axes.threads.push_back(o.threads);
  switch (selection) {
    case Selection::standard: select_standard(axes, o.routine, device); break;
    case Selection::quick: select_quick(axes, o.routine, device); break;
    case Selection::mesh:
      axes.types = {"s", "d", "c", "z", "h", "b"};
      axes.complex_ops = {Op::n, Op::t, Op::c};
      axes.shapes = mesh(o.mesh_points);
      axes.max_bytes = 2.2e9;
      break;
    case Selection::sweep:
      axes.caches = {Cache::cold, Cache::hot};
      axes.shapes = sweep(o.sweep);
      break;
    case Selection::inference:
      axes.types = {"b"};
      axes.ops = axes.complex_ops = {Op::n};
      axes.caches = {Cache::cold};
      axes.layout = Layout::row;
      axes.shapes = layers;
      break;
    case Selection::batched: select_batched(axes, o.routine); break;
    case Selection::random:
      axes.types = {"s", "d", "c", "z"};
      if (o.routine == Routine::gemv) axes.types.insert(axes.types.end(), {"h", "b"});
      axes.complex_ops = {Op::n, Op::t, Op::c};
      axes.random = o.random_points;
      axes.seed = o.seed;
      axes.pairs = o.pairs;
      axes.min_bytes = 5e4;
      axes.max_bytes = device ? 4e8 : 4e7;
      break;
  }
  select_types(axes);
  // Fibres run one at a time: the simulator shows traffic, not speed.
  const bool slow = o.backend == BackendId::sim || o.backend == BackendId::reference;
  if (slow && (selection == Selection::standard || selection == Selection::quick)) axes.shapes = {{64, 64}, {256, 256}};
  return axes;
}

// On the GPU a sample is one replay of a graph; the host needs more time to be steady. A large selection gives each
// point less: there the capture of a graph costs more than its replays, so graphs are short as well.
Effort default_effort(Selection selection, BackendId backend) {
  if (backend != BackendId::cuda)
    return {.rounds = is_large(selection) ? 3 : 7, .seconds_per_point = is_large(selection) ? 0.1 : 0.6};
  switch (selection) {
    case Selection::mesh:
    case Selection::batched:
    case Selection::random: return {.rounds = 5, .replay_seconds = 0.5e-3, .most_launches = 160};
    case Selection::sweep: return {.rounds = 3, .replay_seconds = 0.25e-3, .most_launches = 80};
    default: return {.rounds = 9, .seconds_per_point = 0.2};
  }
}

}  // namespace onepass::tools
