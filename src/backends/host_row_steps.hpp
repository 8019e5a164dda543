// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Operations on rows in host memory.
#pragma once

#include "problem/row_step.hpp"

namespace onepass {

// Of a checked one.
Status run_on_host(const RowStep& step);

}  // namespace onepass
