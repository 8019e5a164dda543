// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs a case on a backend, from the host's operands to the output back on the host, with guards around everything.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "backends/backend.hpp"
#include "verify/operands.hpp"

namespace onepass::verify {

struct Outcome {
  Status status;
  std::optional<Plan> plan;       // none for an empty problem
  std::vector<std::byte> output;  // the whole of Operand::bytes
  std::vector<std::byte> tail;    // of the output, where it has one
  std::vector<std::byte> again;   // after a second call from the same start with the same workspace, where asked for
  std::string damage;             // what was written beside the outputs; empty if nothing
};

struct RunOptions {
  int threads = 0;
  bool null_inputs = false;                       // what is only read is null
  bool again = false;                             // call twice
  bool settled_a = false, settled_x = false;      // of the operands
  std::function<Plan(const Problem&)> plan = {};  // instead of the backend's
};

Outcome run(const Backend& backend, const Case& c, const HostOperands& operands, RunOptions options = {});

// The backends that work on this machine, in the registry's order.
std::vector<const Backend*> available_backends();

}  // namespace onepass::verify
