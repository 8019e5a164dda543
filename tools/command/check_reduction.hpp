// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// `onepass check sytrd` and the like: residuals of reductions on a backend, as LAPACK's testers have them.
#pragma once

#include "command/check.hpp"

namespace onepass::tools {

// Whether it is reductions that are to be checked; a list of both kinds is wrong.
bool are_reductions(const CheckOptions& options);
Exit run_check_reduction(const CheckOptions& options);

}  // namespace onepass::tools
