// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The plan of a reduction in words.
#pragma once

#include <string>

#include "lapack/cuda/sytrd.hpp"

namespace onepass::lapack {

std::string explain_sytrd(const SytrdPlan& plan);

}  // namespace onepass::lapack
