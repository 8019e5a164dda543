// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The words of `onepass bench` -> what is measured and how long; what contradicts itself is said with what would be
// right.
#pragma once

#include <cstdint>
#include <string>

#include "bench/selection.hpp"

namespace onepass::tools {

struct BenchOptions {
  std::string routine = "gemv";
  std::string backend = {};
  // Lists and words; empty: as the selection and the backend have it.
  std::string types = {}, ops = {}, uplos = {}, shapes = {}, cache = {}, threads = {}, layout = {}, batches = {};
  std::string accumulate = {};
  std::string order = {};
  std::string shapes_file = {};
  std::int64_t pad = 0;     // lda is the contiguous dimension and so many elements
  double seconds = 0;       // per point; 0: as the selection has it
  std::string budget = {};  // "9m": of the whole run; empty: as long as it takes
  double max_bytes = 0;     // of the matrices of a point; 0: as the selection has it
  double min_bytes = 0;     // of random points

  bool all = false;  // every selection of every routine, each into a record of its own
  bool quick = false, mesh = false, inference = false;
  std::string sweep = {};  // "1:5000:1"
  bool batched = false;
  std::string batching = {};  // strided, pointer or both; empty: both
  std::int64_t mesh_points = 24;
  std::int64_t random_points = 0;  // 0: shapes that somebody chose
  std::uint64_t seed = 1;
  bool pairs = false;  // a neighbour behind each random shape

  std::string json = {};       // file, or "-"
  std::string show = {};       // a record to print in place of a run
  std::string add_peers = {};  // a record to whose points peers are added
  double effort = 1;           // of the usual time of a point
  bool resume = false;
  bool csv = false, points = false, plans = false;
  bool details = false;  // what a product costs around its execution
  bool no_peers = false;
  bool ceilings = false;
};

Selection selection_of(const BenchOptions& o);
int host_threads(const Backend& backend);
Axes axes_of(const BenchOptions& o, BackendId backend, int host_threads);
Axes axes_of(const BenchOptions& o, const Backend& backend);
// 0 where there is none.
double budget_seconds(const BenchOptions& o);

}  // namespace onepass::tools
