// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass check`: random problems on a backend against the reference.
#pragma once

#include <cstdint>
#include <string>

#include "support/failure.hpp"

namespace onepass::tools {

struct CheckOptions {
  std::string backend;
  std::int64_t count = 1000;
  std::uint64_t seed = 1;
  std::int64_t index = -1;  // only this problem of the seed
  std::string routines = "all", types = "all", accumulate = "default", order = "default";
  std::int64_t max_size = 0;  // 0: as large as the backend runs quickly
  int threads = 0;
  std::string problem;  // only this one
};

Exit run_check(const CheckOptions& options);

}  // namespace onepass::tools
