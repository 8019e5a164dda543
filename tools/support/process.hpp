// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// This program once more, as a process of its own.
#pragma once

#include <string>
#include <vector>

namespace onepass::tools {

// Its exit code, once it has ended; what it prints on standard output is dropped. An interrupt of this process is
// passed on, and its end waited for. Throws a Failure where it cannot be started, or was killed.
int run_self(const std::vector<std::string>& arguments);

}  // namespace onepass::tools
