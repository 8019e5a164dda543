// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a product costs around its execution: memory for its operands, and their way to the device and back.
#pragma once

#include "backends/backend.hpp"

namespace onepass::tools {

// Microseconds, one pass each, as a program that starts anew would pay them.
struct Journey {
  double allocate = 0, to_device = 0, from_device = 0;

  bool operator==(const Journey&) const = default;
};

Journey measure_journey(const Backend& backend, const Problem& problem);

}  // namespace onepass::tools
