// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass explain`: the plan of a problem, what declined and why, the bytes and the floor.
#pragma once

#include <cstdint>
#include <string>

#include "support/failure.hpp"

namespace onepass::tools {

struct ExplainOptions {
  std::string routine = "gemv";
  std::string type = "s";
  std::string op = "N";    // of gemv
  std::string uplo = "L";  // of symv and hemv
  std::string layout = "column";
  std::string accumulate = "default", order = "default";
  std::string shape;
  std::int64_t lda = 0;  // 0: as small as it can be
  std::int64_t incx = 1, incy = 1, batch = 1;
  int threads = 0;
  std::string backend;
  bool json = false;
  bool time = false;  // of choosing the plan
};

Exit run_explain(const ExplainOptions& options);

}  // namespace onepass::tools
