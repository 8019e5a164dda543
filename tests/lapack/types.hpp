// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The types of LAPACK as template arguments of tests.
#pragma once

#include <gtest/gtest.h>

#include <complex>

#include "lapack/element.hpp"

namespace onepass::test {

using Types = testing::Types<float, double, std::complex<float>, std::complex<double>>;

template <class T>
inline constexpr Type type_of = std::is_same_v<T, float>                 ? Type::s
                                : std::is_same_v<T, double>              ? Type::d
                                : std::is_same_v<T, std::complex<float>> ? Type::c
                                                                         : Type::z;

}  // namespace onepass::test
