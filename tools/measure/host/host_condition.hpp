// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The condition of a host: other programs, a host of its own that takes time away, clocks below their best.
#pragma once

#include <memory>
#include <string>

#include "measure/condition.hpp"

namespace onepass::tools {

// `root`: where /proc and /sys are; a test has its own.
std::unique_ptr<Condition> make_host_condition(const std::string& root = "");

}  // namespace onepass::tools
