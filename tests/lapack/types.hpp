// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The types of LAPACK as template arguments of tests.
#pragma once

#include <gtest/gtest.h>

#include <complex>

#include "verify/lapack_matrix.hpp"

namespace onepass::test {

// Under sanitizers those with the most and the fewest elements of a 16-byte vector: the others would take as long again
// to compile, and have their turn in the build without sanitizers.
#ifdef __SANITIZE_ADDRESS__
using Types = testing::Types<float, std::complex<double>>;
#else
using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;
#endif
using DoublePrecision = testing::Types<double, std::complex<double>>;

using verify::type_of;

}  // namespace onepass::test
