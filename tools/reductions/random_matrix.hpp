// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A matrix of random numbers around zero, in bytes of any type of LAPACK's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "problem/problem.hpp"

namespace onepass::tools {

// Column major without gaps. Hermitian: both triangles, with a real diagonal. Others for every `seed`.
std::vector<std::byte> random_matrix(Type type, std::int64_t rows, std::int64_t columns, bool hermitian,
                                     std::uint64_t seed = 0);

}  // namespace onepass::tools
