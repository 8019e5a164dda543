// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// From the type as a value to the type as a type.
#pragma once

#include <type_traits>

#include "problem/problem.hpp"
#include "problem/scalar.hpp"
#include "problem/status.hpp"

namespace onepass {

template <class T>
inline constexpr Type type_of_element = Type::s;
template <>
inline constexpr Type type_of_element<double> = Type::d;
template <>
inline constexpr Type type_of_element<Complex<float>> = Type::c;
template <>
inline constexpr Type type_of_element<Complex<double>> = Type::z;
template <>
inline constexpr Type type_of_element<Half> = Type::h;
template <>
inline constexpr Type type_of_element<Bfloat16> = Type::b;

// body(std::type_identity<T>{}) for the element type T that `type` names.
template <class Body>
Status by_type(Type type, Body body) {
  switch (type) {
    case Type::s: return body(std::type_identity<float>{});
    case Type::d: return body(std::type_identity<double>{});
    case Type::c: return body(std::type_identity<Complex<float>>{});
    case Type::z: return body(std::type_identity<Complex<double>>{});
    case Type::h: return body(std::type_identity<Half>{});
    case Type::b: return body(std::type_identity<Bfloat16>{});
  }
  return {ONEPASS_STATUS_INVALID_PLAN, "no kernel has this element type"};
}

}  // namespace onepass
