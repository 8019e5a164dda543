// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "bench/axes.hpp"

#include "bench/random_problem.hpp"
#include "problem/cost.hpp"
#include "problem/names.hpp"

namespace onepass::tools {
namespace {

// All shapes and batches of a problem that has its types, op and layout.
void expand_shapes(const Axes& axes, const Problem& form, Cache cache, int threads, std::vector<Point>& points) {
  for (const Batching batching : axes.batchings)
    for (const Shape shape : axes.shapes)
      for (const std::int64_t batch : axes.batches) {
        Problem p = form;
        p.m = shape.m;
        p.n = shape.n;
        lay_tight(p, axes.pad, batching, batch);
        if (axes.max_bytes > 0 && stored_bytes(p) > axes.max_bytes) continue;
        points.push_back({.problem = p, .cache = cache, .threads = threads});
      }
}

}  // namespace

std::vector<Problem> forms(const Axes& axes, Problem p) {
  std::vector<Problem> list;
  switch (row(p).selector) {
    case Selector::uplo:
      for (const Uplo uplo : axes.uplos) {
        p.uplo = uplo;
        list.push_back(p);
      }
      break;
    case Selector::op:
      for (const Op op : is_complex_type(p.type_a) ? axes.complex_ops : axes.ops) {
        p.op = op;
        list.push_back(p);
      }
      break;
    case Selector::none: list.push_back(p); break;
  }
  return list;
}

std::vector<Point> expand(const Axes& axes) {
  std::vector<Point> points;
  for (std::int64_t i = 0; i < axes.random; ++i) {
    const auto index = static_cast<std::uint64_t>(i);
    std::vector<Problem> problems = {random_problem(axes, index)};
    if (axes.pairs) problems.push_back(random_neighbour(axes, index, problems[0]));
    for (const Problem& p : problems)
      for (const Cache cache : axes.caches)
        for (const int threads : axes.threads) points.push_back({.problem = p, .cache = cache, .threads = threads});
  }
  if (axes.random > 0) return points;
  for (const std::string& type : axes.types) {
    Problem typed{.routine = axes.routine, .layout = axes.layout};
    set_types(typed, type);
    for (const Accumulate accumulate : axes.accumulates) {
      typed.accumulate = accumulate;
      for (const Order order : axes.orders) {
        typed.order = order;
        for (const Problem& form : forms(axes, typed))
          for (const Cache cache : axes.caches)
            for (const int threads : axes.threads) expand_shapes(axes, form, cache, threads, points);
      }
    }
  }
  return points;
}

}  // namespace onepass::tools
