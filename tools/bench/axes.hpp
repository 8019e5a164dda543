// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The axes of a benchmark, and the points that they span.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "measure/point.hpp"
#include "support/arguments.hpp"

namespace onepass::tools {

struct Axes {
  std::vector<std::string> types = {};
  Routine routine = Routine::gemv;
  std::vector<Op> ops = {};
  std::vector<Op> complex_ops = {};                      // of the complex types
  std::vector<Uplo> uplos = {Uplo::lower, Uplo::upper};  // of routines with triangles, which have no ops
  std::vector<Shape> shapes = {};
  std::vector<Cache> caches = {};
  std::vector<int> threads = {};
  std::vector<Batching> batchings = {Batching::one};
  std::vector<std::int64_t> batches = {1};
  Layout layout = Layout::column;
  std::vector<Accumulate> accumulates = {Accumulate::standard};
  std::vector<Order> orders = {Order::standard};
  std::int64_t pad = 0;
  double min_bytes = 0, max_bytes = 0;  // of the matrices of a point; 0: any
  std::int64_t random = 0;              // so many problems, each of one type and op, in place of shapes; 0: none
  std::uint64_t seed = 1;
  bool pairs = false;  // each of them has a neighbour behind it
};

// A problem that has its types, with each op or each triangle.
std::vector<Problem> forms(const Axes& axes, Problem p);

// Type, op or triangle, cache, threads, batching, shape, batch: the last runs fastest. Random problems likewise have
// each cache and number of threads.
std::vector<Point> expand(const Axes& axes);

}  // namespace onepass::tools
