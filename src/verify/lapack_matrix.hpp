// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Matrices on which reductions are tried, in double or complex double whatever the type of the call.
#pragma once

#include <complex>
#include <cstdint>
#include <vector>

#include "lapack/element.hpp"

namespace onepass::verify {

template <class T>
inline constexpr Type type_of = std::is_same_v<T, float>                 ? Type::s
                                : std::is_same_v<T, double>              ? Type::d
                                : std::is_same_v<T, std::complex<float>> ? Type::c
                                                                         : Type::z;

// In what a matrix of T is made and residuals are computed.
template <class T>
using Exact = std::conditional_t<lapack::is_complex<T>, std::complex<double>, double>;

template <class W>
struct Dense {
  std::int64_t rows = 0, columns = 0;
  std::vector<W> data;

  Dense() = default;
  Dense(std::int64_t m, std::int64_t n) : rows(m), columns(n), data(static_cast<std::size_t>(m * n)) {}
  W& operator()(std::int64_t r, std::int64_t c) { return data[static_cast<std::size_t>(r + c * rows)]; }
  const W& operator()(std::int64_t r, std::int64_t c) const { return data[static_cast<std::size_t>(r + c * rows)]; }
};

enum class Pattern {
  random,
  graded,     // elements over eight orders of magnitude
  clustered,  // half of the eigenvalues or singular values equal, the others nearly zero
  repeated,   // 0, 1, 2, .., three times each
  wilkinson,
  differences,  // second differences in another basis: smooth columns, most of which cancels in each step
  zero,
  identity,
  reduced,  // tridiagonal
  huge,     // near the end of the range of numbers
  tiny,     // near its beginning
  nan,
  infinity,
  rank_one,
  diagonal,  // with repeated values, in no order
};
inline constexpr Pattern finite_patterns[] = {
    Pattern::random, Pattern::graded,   Pattern::clustered, Pattern::repeated, Pattern::wilkinson, Pattern::differences,
    Pattern::zero,   Pattern::identity, Pattern::reduced,   Pattern::huge,     Pattern::tiny};
inline constexpr Pattern other_patterns[] = {Pattern::nan, Pattern::infinity};

const char* name(Pattern pattern);

// Every element is a number of type T. A Hermitian matrix is whole, with a real diagonal.
template <class T>
Dense<Exact<T>> make_matrix(Pattern pattern, std::int64_t rows, std::int64_t columns, bool hermitian,
                            std::uint64_t seed);

}  // namespace onepass::verify
