// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A case run on one backend: operands in its memory, the call, and all bytes afterwards.
#pragma once

#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "check/images.hpp"

namespace onepass::tools {

struct Outcome {
  std::string failure;           // what the call said, or which canary died; empty if nothing
  std::vector<std::byte> y;      // the whole image of y after the call
  std::vector<std::byte> again;  // after a second call from the same start, with the same workspace
};

Outcome execute(const Case& c, const Images& images, const Backend& backend, int threads);

}  // namespace onepass::tools
