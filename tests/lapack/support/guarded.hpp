// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Operands between canaries, by the names that tests of the reductions have for them.
#pragma once

#include "verify/lapack_guarded.hpp"

namespace onepass::test {

using verify::Guarded, verify::run;

}  // namespace onepass::test
