// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass explain sytrd` and the like: how the backend would run a reduction, in words.
#pragma once

#include "command/explain.hpp"

namespace onepass::tools {

Exit run_explain_reduction(const ExplainOptions& options);

}  // namespace onepass::tools
