// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// ONEPASS_INTERPOSE=log: how many calls came here, said when the program ends.
#pragma once

#include "problem/problem.hpp"

namespace onepass::blas {

void count_call(const Problem& p);

}  // namespace onepass::blas
