// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass bench`: time, bandwidth and efficiency over a set of problems, peers beside it.
#pragma once

#include <cstdint>
#include <string>

#include "support/failure.hpp"

namespace onepass::tools {

struct BenchOptions {
  std::string backend;
  std::string types, ops, shapes, cache, threads;  // lists; empty: as the backend and the selection have it
  std::string layout = "column";
  std::int64_t pad = 0;  // lda is the contiguous dimension and so many elements
  std::int64_t batch = 1;
  double seconds = 0;  // per point; 0: as the selection has it
  std::string json;    // file, or "-"
  bool csv = false;
  bool quick = false;
  bool mesh = false;
  std::int64_t mesh_points = 24;
  double max_bytes = 2.2e9;  // of one matrix
  bool ceilings = false;
};

Exit run_bench(const BenchOptions& options);

}  // namespace onepass::tools
