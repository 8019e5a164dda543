// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Elements of the reductions on the host: float, double and std::complex, which are aligned as LAPACK's are.
#pragma once

#include <complex>
#include <cstdint>
#include <type_traits>

#include "problem/problem.hpp"

namespace onepass::lapack {

template <class T>
struct RealOf {
  using type = T;
};
template <class R>
struct RealOf<std::complex<R>> {
  using type = R;
};
template <class T>
using Real = typename RealOf<T>::type;

template <class T>
inline constexpr bool is_complex = !std::is_same_v<T, Real<T>>;
template <class T>
inline constexpr int components = is_complex<T> ? 2 : 1;

// std::conj and std::real make a complex number of a real one.
template <class T>
T conjugate(T v) {
  if constexpr (is_complex<T>)
    return {v.real(), -v.imag()};
  else
    return v;
}
template <class T>
Real<T> real(T v) {
  if constexpr (is_complex<T>)
    return v.real();
  else
    return v;
}
template <class T>
Real<T> imaginary(T v) {
  if constexpr (is_complex<T>)
    return v.imag();
  else
    return 0;
}

// a b. That of std::complex looks for a NaN and for infinities that became one: a loop of it is not vectorised.
template <class T>
T times(T a, T b) {
  if constexpr (is_complex<T>)
    return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
  else
    return a * b;
}

// Calls `f` with a value of the type of a problem.
template <class F>
auto by_type(Type type, F f) {
  switch (type) {
    case Type::s: return f(float{});
    case Type::c: return f(std::complex<float>{});
    case Type::z: return f(std::complex<double>{});
    default: return f(double{});
  }
}

// A column-major matrix, or a part of one.
template <class T>
struct Matrix {
  T* data = nullptr;
  std::int64_t ld = 0;

  T& operator()(std::int64_t row, std::int64_t column) const { return data[row + column * ld]; }
  T* column(std::int64_t index) const { return data + index * ld; }
  Matrix at(std::int64_t row, std::int64_t column) const { return {data + row + column * ld, ld}; }
  operator Matrix<const T>() const  // NOLINT: as a pointer does
      requires(!std::is_const_v<T>) {
    return {data, ld};
  }
};

}  // namespace onepass::lapack
