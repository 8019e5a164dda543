// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Values of any type in plain bytes, as complex doubles: exact both ways for what fits.
#pragma once

#include <complex>
#include <cstddef>
#include <cstring>

#include "problem/problem.hpp"
#include "problem/scalar.hpp"

namespace onepass::tools {

template <class T>
T load(const std::byte* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}
template <class T>
void store(std::byte* at, T value) {
  std::memcpy(at, &value, sizeof(T));
}

inline std::complex<double> read_value(Type type, const std::byte* at) {
  switch (type) {
    case Type::s: return load<float>(at);
    case Type::d: return load<double>(at);
    case Type::c: return std::complex<double>(load<std::complex<float>>(at));
    case Type::z: return load<std::complex<double>>(at);
    case Type::h: return widen(load<Half>(at));
    case Type::b: return widen(load<Bfloat16>(at));
  }
  return 0;
}

inline void write_value(Type type, std::byte* at, std::complex<double> value) {
  switch (type) {
    case Type::s: return store(at, static_cast<float>(value.real()));
    case Type::d: return store(at, value.real());
    case Type::c: return store(at, std::complex<float>(value));
    case Type::z: return store(at, value);
    case Type::h: return store(at, narrow<Half>(static_cast<float>(value.real())));
    case Type::b: return store(at, narrow<Bfloat16>(static_cast<float>(value.real())));
  }
}

// Distance of 1 to the next number of the type's components.
inline double epsilon(Type type) {
  switch (type) {
    case Type::d:
    case Type::z: return 0x1p-52;
    case Type::h: return 0x1p-10;
    case Type::b: return 0x1p-7;
    default: return 0x1p-23;
  }
}

// Smallest step of the type near zero: what rounding may lose where the values are tiny.
inline double smallest(Type type) {
  switch (type) {
    case Type::d:
    case Type::z: return 0x1p-1074;
    case Type::h: return 0x1p-24;
    default: return 0x1p-133;
  }
}

}  // namespace onepass::tools
