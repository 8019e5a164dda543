// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/axes.hpp"

#include <algorithm>
#include <cmath>

#include "problem/cost.hpp"
#include "problem/names.hpp"

namespace onepass::tools {
namespace {

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

Axes device_axes(Selection selection) {
  Axes axes{.types = {"s", "d"}, .ops = {Op::n, Op::t}, .caches = {Cache::cold}, .threads = {0}};
  axes.shapes = squares(64, 16384);
  add_tall_and_wide(axes.shapes, {16, 100, 300, 1000});
  for (const Shape shape : {Shape{1048576, 16}, {16, 1048576}, {1227, 1227}, {3219, 3219}, {3219, 68}, {68, 8443}})
    axes.shapes.push_back(shape);
  if (selection == Selection::quick) {
    axes.types = {"s", "d", "b"};
    axes.shapes = {{256, 256},    {1024, 1024},   {1227, 1227},  {4096, 4096},
                   {16384, 4096}, {16384, 16384}, {1048576, 16}, {16, 1048576}};
  }
  return axes;
}

Axes host_axes(Selection selection, int threads) {
  Axes axes{.types = {"s", "d", "c", "z"}, .ops = {Op::n, Op::t}, .caches = {Cache::hot}, .threads = {1}};
  if (threads > 1) axes.threads.push_back(threads);
  axes.shapes = squares(64, 8192);
  add_tall_and_wide(axes.shapes, {16, 50, 160, 500});
  if (selection == Selection::quick) {
    axes.types = {"s", "d"};
    axes.shapes = {{256, 256}, {1024, 1024}, {4096, 4096}, {16000, 160}, {160, 16000}};
  }
  return axes;
}

}  // namespace

Axes default_axes(BackendId backend, Selection selection, int threads, std::int64_t mesh_points) {
  Axes axes = backend == BackendId::cuda ? device_axes(selection) : host_axes(selection, threads);
  if (selection == Selection::mesh) axes.shapes = mesh(mesh_points);
  // Fibres run one at a time: the simulator shows traffic, not speed.
  if (backend == BackendId::sim || backend == BackendId::reference) {
    axes.threads = {1};
    if (selection != Selection::mesh) axes.shapes = {{64, 64}, {256, 256}};
  }
  return axes;
}

std::vector<Point> expand(const Axes& axes) {
  std::vector<Point> points;
  for (const std::string& type : axes.types)
    for (const Op op : axes.ops)
      for (const Cache cache : axes.caches)
        for (const int threads : axes.threads)
          for (const Shape shape : axes.shapes) {
            Gemv p{.op = op, .layout = axes.layout, .m = shape.m, .n = shape.n, .batch = axes.batch};
            set_types(p, type);
            p.lda = std::max<std::int64_t>(1, stored(p).rows + axes.pad);
            if (p.batch > 1) {
              p.stride_a = p.lda * stored(p).cols;
              p.stride_x = length_x(p);
              p.stride_y = length_y(p);
            }
            if (axes.max_bytes > 0 && cost(p).matrix_bytes > axes.max_bytes) continue;
            points.push_back({.problem = p, .cache = cache, .threads = threads});
          }
  return points;
}

}  // namespace onepass::tools
