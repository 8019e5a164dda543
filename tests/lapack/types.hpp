// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The types of LAPACK as template arguments of tests.
#pragma once

#include <gtest/gtest.h>

#include <complex>

#include "verify/lapack_matrix.hpp"

namespace onepass::test {

using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;

using verify::type_of;

}  // namespace onepass::test
