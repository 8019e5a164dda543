// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Where this program came from: the commit and the compilers; and when it runs. For records.
#pragma once

#include <string>

namespace onepass::tools {

// $ONEPASS_COMMIT, else the commit at configure time, else "unknown".
std::string build_commit();
std::string build_compiler();

// ISO 8601.
std::string utc_now();

}  // namespace onepass::tools
