// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Matrices in numbers of more digits than those of a call, and reflectors applied to them one by one.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "lapack/element.hpp"

namespace onepass::lapack::reference {

template <class T>
struct WideOf {
  using Part = std::conditional_t<std::is_same_v<Real<T>, float>, double, long double>;
  using type = std::conditional_t<is_complex<T>, std::complex<Part>, Part>;
};
template <class T>
using Wide = typename WideOf<T>::type;

template <class To, class From>
To converted(From v) {
  if constexpr (is_complex<From>)
    return {static_cast<Real<To>>(v.real()), static_cast<Real<To>>(v.imag())};
  else
    return static_cast<To>(v);
}

template <class W>
class WideMatrix {
 public:
  WideMatrix(std::int64_t rows, std::int64_t columns)
      : rows_(rows), columns_(columns), data_(static_cast<std::size_t>(rows * columns)) {}
  template <class T>
  WideMatrix(std::int64_t rows, std::int64_t columns, Matrix<T> from) : WideMatrix(rows, columns) {
    for (std::int64_t c = 0; c < columns; ++c)
      for (std::int64_t r = 0; r < rows; ++r) (*this)(r, c) = converted<W>(from(r, c));
  }
  W& operator()(std::int64_t r, std::int64_t c) { return data_[static_cast<std::size_t>(r + c * rows_)]; }
  std::int64_t rows() const { return rows_; }
  std::int64_t columns() const { return columns_; }

 private:
  std::int64_t rows_, columns_;
  std::vector<W> data_;
};

// v: its elements from `first` on; those before are zero.
template <class W>
struct WideVector {
  std::int64_t first = 0;
  std::vector<W> elements;

  std::int64_t size() const { return static_cast<std::int64_t>(elements.size()); }
  W operator[](std::int64_t i) const { return elements[static_cast<std::size_t>(i)]; }
};

// A := (I - tau v v^H) A, for the columns from `column` on.
template <class W>
void apply_left(WideMatrix<W>& a, const WideVector<W>& v, W tau, std::int64_t column) {
  for (std::int64_t c = column; c < a.columns(); ++c) {
    W sum{};
    for (std::int64_t i = 0; i < v.size(); ++i) sum += times(conjugate(v[i]), a(v.first + i, c));
    const W factor = times(tau, sum);
    for (std::int64_t i = 0; i < v.size(); ++i) a(v.first + i, c) -= times(factor, v[i]);
  }
}

// A := A (I - tau v v^H), for the rows begin..end.
template <class W>
void apply_right(WideMatrix<W>& a, const WideVector<W>& v, W tau, std::int64_t begin, std::int64_t end) {
  for (std::int64_t r = begin; r < end; ++r) {
    W sum{};
    for (std::int64_t i = 0; i < v.size(); ++i) sum += times(a(r, v.first + i), v[i]);
    const W factor = times(tau, sum);
    for (std::int64_t i = 0; i < v.size(); ++i) a(r, v.first + i) -= times(factor, conjugate(v[i]));
  }
}

}  // namespace onepass::lapack::reference
