// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One element of any type as a double complex, which holds each of them exactly: of w the head is the real part, and
// the tail the imaginary one.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "problem/problem.hpp"

namespace onepass::verify {

using Value = std::complex<double>;

// Rounded to nearest; the imaginary part of a real type is dropped, of w both parts are added.
void put(Type type, void* base, std::int64_t index, Value value);
Value get(Type type, const void* base, std::int64_t index);

// Two random numbers as an element: of w the second becomes a tail that has digits which the head has not.
Value random_element(Type type, double first, double second);
// Of w a real number.
Value difference(Type type, Value a, Value b);

// Unit roundoff times two, and the smallest positive number.
double epsilon(Type type);
double smallest(Type type);

// Fills with a pattern that is NaN in every type, and that no product writes.
void poison(void* base, std::size_t bytes);

}  // namespace onepass::verify
