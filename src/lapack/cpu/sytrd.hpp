// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal reduction in panels: one product with the stored triangle per column, one update of rank 2k per panel.
//
// Columns of a panel are not applied to A until its end: up to then A is A - V W^H - W V^H. V and W lie side by side in
// one matrix P, column by column, so that each of the three products with both of them is a single one:
//
//   P = v0 w0 v1 w1 ...          A x  = (stored A) x - P swap(P^H x),  swap: the members of each pair exchanged
#pragma once

#include <algorithm>
#include <utility>

#include "lapack/cpu/level2.hpp"
#include "lapack/cpu/level3.hpp"
#include "lapack/cpu/panel.hpp"
#include "lapack/cpu/scratch.hpp"
#include "lapack/problem.hpp"

namespace onepass::lapack {

template <class T>
class Tridiagonal {
 public:
  Tridiagonal(const LapackProblem& p, int threads, std::int64_t panel, Scratch& scratch)
      : uplo_(p.uplo), n_(p.n), lda_(p.lda), threads_(threads) {
    pairs_ = scratch.take_matrix<T>(n_, 2 * panel);
    swapped_ = scratch.take_matrix<T>(n_, 2 * panel);
    sums_ = scratch.take<T>(n_ * (threads - 1));
    factors_ = scratch.take<T>(2 * panel);
  }

  void run(const LapackOperands& operands) const {
    const Level3Team team(threads_);
    const Matrix<T> a = {static_cast<T*>(operands.a), lda_};
    const Output out = {static_cast<Real<T>*>(operands.d), static_cast<Real<T>*>(operands.e),
                        static_cast<T*>(operands.tau)};
    std::int64_t left = n_;  // the order of what is not reduced yet
    while (left > 0) {
      const std::int64_t width = panel_width(LapackRoutine::sytrd, left), rest = left - width;
      if (uplo_ == Uplo::upper) {
        reduce(left, width, a, out);
        subtract_pairs<T>(uplo_, rest, width, pairs_, swapped_, a);
      } else {
        const std::int64_t done = n_ - left;
        reduce(left, width, a.at(done, done), {out.d + done, out.e + done, out.tau + done});
        subtract_pairs<T>(uplo_, rest, width, pairs_.at(width, 0), swapped_, a.at(n_ - rest, n_ - rest));
      }
      left = rest;
    }
  }

 private:
  struct Output {
    Real<T>*d, *e;
    T* tau;
  };

  // `width` columns of A, of order n: the first of a lower triangle, the last of an upper one, from its corner on.
  void reduce(std::int64_t n, std::int64_t width, Matrix<T> a, Output out) const {
    const bool upper = uplo_ == Uplo::upper;
    for (std::int64_t step = 0; step < width; ++step) {
      const std::int64_t i = upper ? n - 1 - step : step;
      T* const column = a.column(i);
      update(step, i, upper ? 0 : i, upper ? i + 1 : n - i, column);
      out.d[i] = real(column[i]);
      column[i] = out.d[i];
      if (i == (upper ? 0 : n - 1)) return;

      const std::int64_t unit = upper ? i - 1 : i + 1, place = upper ? i - 1 : i;
      const std::int64_t rest = upper ? i - 1 : n - i - 2;
      T* const x = upper ? column : column + i + 2;
      const Reflector<T> h = make_reflector<T>(column[unit], rest, x);
      out.e[place] = h.beta;
      out.tau[place] = h.tau;
      T* const v = pairs_.column(2 * step);
      std::copy_n(x, rest, v + (x - column));
      v[unit] = T{1};
      column[unit] = h.beta;
      const std::int64_t first = upper ? 0 : i + 1;
      make_w(step, first, rest + 1, h.tau, a.at(first, first));
    }
  }

  // Column i of A, its rows first..first + rows:  a := a - V W(i)^H - W V(i)^H
  void update(std::int64_t step, std::int64_t i, std::int64_t first, std::int64_t rows, T* column) const {
    for (std::int64_t j = 0; j < 2 * step; ++j) factors_[j ^ 1] = conjugate(pairs_(i, j));
    multiply_n<T>(threads_, {.rows = rows,
                             .columns = 2 * step,
                             .a = pairs_.at(first, 0),
                             .x = factors_,
                             .y = column + first,
                             .alpha = T{-1},
                             .adds = true});
  }

  // w := tau (A v - P swap(P^H v));  w := w - tau / 2 (w^H v) v.  A begins with row and column `first`.
  void make_w(std::int64_t step, std::int64_t first, std::int64_t n, T tau, Matrix<const T> a) const {
    const T* const v = pairs_.column(2 * step) + first;
    T* const w = pairs_.column(2 * step + 1) + first;
    if (tau == T{}) return void(std::fill_n(w, n, T{}));
    multiply_triangle<T>(threads_, uplo_, n, a, v, w, sums_, direction_of(step));
    const Matrix<const T> pairs = pairs_.at(first, 0);
    multiply_t<T>(threads_,
                  {.rows = n, .columns = 2 * step, .a = pairs, .x = v, .y = factors_, .conjugate = is_complex<T>});
    for (std::int64_t j = 0; j < 2 * step; j += 2) std::swap(factors_[j], factors_[j + 1]);
    multiply_n<T>(threads_,
                  {.rows = n, .columns = 2 * step, .a = pairs, .x = factors_, .y = w, .alpha = T{-1}, .adds = true});
    // With w not yet multiplied by tau:  tau w - tau / 2 conj(tau) (w^H v) v
    const T alpha = dot<T>(n, w, v) * (std::norm(tau) * Real<T>(-0.5));
    for (std::int64_t i = 0; i < n; ++i) w[i] = times(tau, w[i]) + times(alpha, v[i]);
  }

  Uplo uplo_;
  std::int64_t n_, lda_;
  int threads_;
  Matrix<T> pairs_, swapped_;
  T *sums_, *factors_;
};

}  // namespace onepass::lapack
