// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// ONEPASS_INTERPOSE=log: how many calls came here, said when the program ends.
#pragma once

#include <string>

#include "lapack/problem.hpp"

namespace onepass::lapack {

// LAPACK's drivers: of the same problem it has one by divide and conquer and one by QR.
enum class Driver : int { syevd, syev, gesdd, gesvd };
// In the spelling of the type: "dsyev", "zheev".
std::string driver_name(Driver driver, Type type);

void count_call(LapackRoutine routine, Type type);
void count_call(Driver driver, Type type);

}  // namespace onepass::lapack
