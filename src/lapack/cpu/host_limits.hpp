// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which orders LAPACK's stages can be called with: its integers of 32 bits count the elements of a workspace, too.
#pragma once

#include <cstdint>
#include <limits>

namespace onepass::lapack {

// Elements of WORK and IWORK that stedc asks for, with the vectors of a tridiagonal matrix of order n.
constexpr std::int64_t stedc_work(std::int64_t n) { return 1 + 4 * n + n * n; }
constexpr std::int64_t stedc_integers(std::int64_t n) { return 3 + 5 * n; }
// Likewise bdsdc, which is not told how many there are, but counts them from the first to the last.
constexpr std::int64_t bdsdc_work(std::int64_t n) { return 4 * n + 3 * n * n; }
constexpr std::int64_t bdsdc_integers(std::int64_t n) { return 8 * n; }

constexpr bool fits_host_integer(std::int64_t v) { return v >= 0 && v <= std::numeric_limits<std::int32_t>::max(); }
// The order is looked at first: its square may be too large for any integer.
constexpr bool fits_stedc(std::int64_t n) { return fits_host_integer(n) && fits_host_integer(stedc_work(n)); }
constexpr bool fits_bdsdc(std::int64_t n) { return n <= (1 << 30) && fits_host_integer(bdsdc_work(n)); }

}  // namespace onepass::lapack
