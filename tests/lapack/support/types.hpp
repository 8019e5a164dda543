// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The types of LAPACK as template arguments of tests.
#pragma once

#include <gtest/gtest.h>

#include <complex>

#include "verify/lapack_matrix.hpp"

namespace onepass::test {

// Those that this build tests (tests/CMakeLists.txt).
using Types = testing::Types<ONEPASS_TEST_TYPES>;
using DoublePrecision = testing::Types<double, std::complex<double>>;

using verify::type_of;

}  // namespace onepass::test
