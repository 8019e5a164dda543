// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/build_info.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdlib>

namespace onepass::tools {

std::string build_commit() {
  const char* given = std::getenv("ONEPASS_COMMIT");
  return given != nullptr && *given != '\0' ? given : ONEPASS_TOOLS_COMMIT;
}

std::string build_compiler() { return ONEPASS_TOOLS_COMPILER; }

std::string utc_now() { return fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr))); }

}  // namespace onepass::tools
