// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How the program ends: its exit codes, and the failure that carries one to main().
#pragma once

#include <stdexcept>
#include <string>

#include "problem/status.hpp"

namespace onepass::tools {

enum class Exit : int { ok = 0, failed = 1, usage = 2, unavailable = 3, interrupted = 130 };

class Failure : public std::runtime_error {
 public:
  Failure(Exit code, const std::string& text) : std::runtime_error(text), code_(code) {}
  Exit code() const { return code_; }

 private:
  Exit code_;
};

// Throws unless the status is ok; a missing backend and a wrong argument have exit codes of their own.
inline void require(const Status& status) {
  switch (status.code) {
    case ONEPASS_STATUS_SUCCESS: return;
    case ONEPASS_STATUS_BACKEND_UNAVAILABLE: throw Failure(Exit::unavailable, status.text);
    case ONEPASS_STATUS_OUT_OF_MEMORY:
    case ONEPASS_STATUS_WORKSPACE_TOO_SMALL:
    case ONEPASS_STATUS_EXECUTION_FAILED: throw Failure(Exit::failed, status.text);
    default: throw Failure(Exit::usage, status.text);
  }
}

}  // namespace onepass::tools
