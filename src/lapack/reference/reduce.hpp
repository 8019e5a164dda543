// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The reductions and the QR factorisation by their definition: a reflector for each column or row, applied to the whole
// matrix.
#pragma once

#include <algorithm>

#include "lapack/householder.hpp"
#include "lapack/problem.hpp"
#include "lapack/reference/wide.hpp"

namespace onepass::lapack::reference {

template <class W>
struct WideReflector {
  WideVector<W> v;
  W tau{};
  Real<W> beta{};
};

// That of elements first..end, whose 1 is the first of them, or the last if backward.
template <class W, class Element>
WideReflector<W> reflector_of(std::int64_t first, std::int64_t end, bool backward, Element element) {
  WideReflector<W> h;
  h.v.first = first;
  for (std::int64_t i = first; i < end; ++i) h.v.elements.push_back(element(i));
  std::vector<W>& x = h.v.elements;
  W& unit = backward ? x.back() : x.front();
  const std::int64_t rest = end - first - 1;
  const auto made = make_reflector<W>(unit, rest, backward ? x.data() : x.data() + 1, 1,
                                      [](std::int64_t n, W* y, std::int64_t inc) { return scaled_norm<W>(n, y, inc); });
  unit = W{1};
  h.tau = made.tau;
  h.beta = made.beta;
  return h;
}

// What a reduction leaves: the reflectors and the reduced matrix in the places of LAPACK, in A itself.
template <class T>
class Reduction {
 public:
  using W = Wide<T>;
  Reduction(const LapackProblem& p, const LapackOperands& o, Matrix<T> a, std::int64_t rows, std::int64_t columns)
      : problem_(p), operands_(o), a_(a), wide_(rows, columns, a) {}

  void tridiagonal() {
    const std::int64_t n = problem_.n;
    const bool upper = problem_.uplo == Uplo::upper;
    for (std::int64_t c = 0; c < n; ++c)
      for (std::int64_t r = 0; r < n; ++r) {
        if (upper ? r > c : r < c) wide_(r, c) = conjugate(wide_(c, r));
        if (r == c) wide_(r, c) = real(wide_(r, c));
      }
    for (std::int64_t i = 0; i + 1 < n; ++i) {
      // Column i and the rows below the diagonal, or from the last column on those above it.
      const std::int64_t column = upper ? n - 1 - i : i, place = upper ? n - 2 - i : i;
      const std::int64_t first = upper ? 0 : i + 1, end = upper ? column : n;
      const auto h = reflector_of<W>(first, end, upper, [&](std::int64_t r) { return wide_(r, column); });
      reals(operands_.e)[place] = static_cast<Real<T>>(h.beta);
      elements(operands_.tau)[place] = converted<T>(h.tau);
      apply_left<W>(wide_, h.v, conjugate(h.tau), 0);
      apply_right<W>(wide_, h.v, h.tau, 0, n);
      keep_column(column, h, upper);
    }
    for (std::int64_t i = 0; i < n; ++i) reals(operands_.d)[i] = static_cast<Real<T>>(real(wide_(i, i)));
    for (std::int64_t i = 0; i < n; ++i) a_(i, i) = converted<T>(W(real(wide_(i, i))));
  }

  void bidiagonal() {
    const std::int64_t m = problem_.m, n = problem_.n;
    const bool upper = m >= n;
    for (std::int64_t i = 0; i < std::min(m, n); ++i) {
      if (upper) {
        column(i, i, operands_.d);
        row(i, i + 1, operands_.e);
      } else {
        row(i, i, operands_.d);
        column(i, i + 1, operands_.e);
      }
    }
  }

  void hessenberg() {
    const std::int64_t first = problem_.ilo - 1, last = problem_.ihi - 1;
    T* const tau = elements(operands_.tau);
    for (std::int64_t i = 0; i + 1 < problem_.n; ++i) {
      if (i < first || i >= last) {
        tau[i] = T{};
        continue;
      }
      const auto h = reflector_of<W>(i + 1, last + 1, false, [&](std::int64_t r) { return wide_(r, i); });
      tau[i] = converted<T>(h.tau);
      apply_left<W>(wide_, h.v, conjugate(h.tau), i);
      apply_right<W>(wide_, h.v, h.tau, 0, last + 1);
      keep_column(i, h, false);
    }
    // Reflectors below the first subdiagonal of columns ilo..ihi are kept already; all else is H.
    for (std::int64_t c = 0; c < problem_.n; ++c)
      for (std::int64_t r = 0; r < problem_.n; ++r)
        if (!(c >= first && c < last && r >= c + 1 && r <= last)) a_(r, c) = converted<T>(wide_(r, c));
  }

  void triangular() {
    const std::int64_t m = problem_.m, n = problem_.n;
    for (std::int64_t i = 0; i < std::min(m, n); ++i) {
      const auto h = reflector_of<W>(i, m, false, [&](std::int64_t r) { return wide_(r, i); });
      elements(operands_.tau)[i] = converted<T>(h.tau);
      apply_left<W>(wide_, h.v, conjugate(h.tau), i + 1);
      keep_column(i, h, false);
    }
    for (std::int64_t c = 0; c < n; ++c)
      for (std::int64_t r = 0; r < std::min(c, m); ++r) a_(r, c) = converted<T>(wide_(r, c));
  }

 private:
  static Real<T>* reals(void* p) { return static_cast<Real<T>*>(p); }
  static T* elements(void* p) { return static_cast<T*>(p); }

  // Column i from row `first` on, and its place on or beside the diagonal.
  void column(std::int64_t i, std::int64_t first, void* beside) {
    T* const tau = elements(operands_.tau);
    if (first >= wide_.rows()) {
      if (i < std::min(problem_.m, problem_.n)) tau[i] = T{};
      return;
    }
    const auto h = reflector_of<W>(first, wide_.rows(), false, [&](std::int64_t r) { return wide_(r, i); });
    tau[i] = converted<T>(h.tau);
    apply_left<W>(wide_, h.v, conjugate(h.tau), i);
    keep_column(i, h, false);
    reals(beside)[i] = static_cast<Real<T>>(h.beta);
  }
  void row(std::int64_t i, std::int64_t first, void* beside) {
    T* const tau = elements(operands_.taup);
    if (first >= wide_.columns()) {
      tau[i] = T{};
      return;
    }
    const auto h =
        reflector_of<W>(first, wide_.columns(), false, [&](std::int64_t c) { return conjugate(wide_(i, c)); });
    tau[i] = converted<T>(h.tau);
    apply_right<W>(wide_, h.v, h.tau, i, wide_.rows());
    for (std::int64_t j = 1; j < h.v.size(); ++j) a_(i, h.v.first + j) = converted<T>(conjugate(h.v[j]));
    a_(i, h.v.first) = converted<T>(W(h.beta));
    reals(beside)[i] = static_cast<Real<T>>(h.beta);
  }
  void keep_column(std::int64_t c, const WideReflector<W>& h, bool backward) {
    const std::int64_t unit = backward ? h.v.size() - 1 : 0;
    for (std::int64_t j = 0; j < h.v.size(); ++j) a_(h.v.first + j, c) = converted<T>(j == unit ? W(h.beta) : h.v[j]);
  }

  const LapackProblem& problem_;
  const LapackOperands& operands_;
  Matrix<T> a_;
  WideMatrix<W> wide_;
};

}  // namespace onepass::lapack::reference
