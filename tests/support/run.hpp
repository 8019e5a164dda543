// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs a case on a backend, from the host's operands to y back on the host.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "support/operands.hpp"

namespace onepass::test {

struct Outcome {
  Status status;
  std::optional<Plan> plan;  // none for an empty problem
  std::vector<std::byte> y;  // the whole of Operand::bytes
  std::string damage;        // what was written beside the outputs; empty if nothing
};

struct RunOptions {
  int threads = 0;
  bool null_a_and_x = false;
  std::function<Plan(const Problem&)> plan = {};  // instead of the backend's
};

Outcome run(const Backend& backend, const Case& c, const HostOperands& operands, RunOptions options = {});

// The backends that work on this machine, in the registry's order.
std::vector<const Backend*> available_backends();

}  // namespace onepass::test
