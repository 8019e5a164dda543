// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The one list of element types: which combinations of A, x, y and sum have kernels.
#pragma once

#include "problem/problem.hpp"
#include "problem/scalar.hpp"

namespace onepass {

// A: the matrix. X: the vector x. Y: the vector y, unless the caller gives it in the type of the sum (wide_y).
// Sum: in which products are summed, and in which alpha and beta are given.
template <class A_, class X_, class Y_, class Sum_>
struct Elements {
  using A = A_;
  using X = X_;
  using Y = Y_;
  using Sum = Sum_;
};

using ElementsS = Elements<float, float, float, float>;
using ElementsD = Elements<double, double, double, double>;
using ElementsC = Elements<Complex<float>, Complex<float>, Complex<float>, Complex<float>>;
using ElementsZ = Elements<Complex<double>, Complex<double>, Complex<double>, Complex<double>>;
using ElementsH = Elements<Half, Half, Half, float>;
using ElementsB = Elements<Bfloat16, Bfloat16, Bfloat16, float>;

// A combination and the value by which plans name it.
template <Type type_, class E>
struct ElementsOfType {
  static constexpr Type type = type_;
  using Elements = E;
};
template <class... Combinations>
struct ElementsList {};

inline constexpr ElementsList<ElementsOfType<Type::s, ElementsS>, ElementsOfType<Type::d, ElementsD>,
                              ElementsOfType<Type::c, ElementsC>, ElementsOfType<Type::z, ElementsZ>,
                              ElementsOfType<Type::h, ElementsH>, ElementsOfType<Type::b, ElementsB>>
    all_elements;

}  // namespace onepass
