// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// cuSOLVER, opened at run time; it has neither gehrd nor ormbr.
#pragma once

#include <memory>

#include "reductions/clock.hpp"

namespace onepass::tools {

// Null if there is none.
std::unique_ptr<ReductionPeer> open_cusolver(Beside beside);

}  // namespace onepass::tools
