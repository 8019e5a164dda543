// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One case on a backend against the reference: the verdict, with an error bound for each output.
#pragma once

#include <string>

#include "backends/backend.hpp"
#include "check/case.hpp"

namespace onepass::tools {

struct Verdict {
  std::string failure;  // empty: passed
  double worst = 0;     // largest error, as a fraction of its bound
};

Verdict verify(const Case& c, const Backend& backend, int threads);

}  // namespace onepass::tools
