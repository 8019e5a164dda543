// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Bidiagonal reduction in panels: a column and a row at a time, two products with A for each pair, one gemm per panel.
//
// Within a panel A is A - L R^H. A column v adds (v, y = tauq A^H v) as a column of L and of R, a row u adds
// (x = taup A u, u): with both kinds in one L and one R each product with them is a single one.
#pragma once

#include <algorithm>

#include "lapack/cpu/factor.hpp"
#include "lapack/cpu/level2.hpp"
#include "lapack/cpu/panel.hpp"
#include "lapack/cpu/scratch.hpp"
#include "lapack/problem.hpp"

namespace onepass::lapack {

template <class T>
class Bidiagonal {
 public:
  Bidiagonal(const LapackProblem& p, int threads, std::int64_t panel, Scratch& scratch)
      : m_(p.m), n_(p.n), lda_(p.lda), threads_(threads), packed_left_(m_, 2 * panel, scratch) {
    left_ = scratch.take_matrix<T>(m_, 2 * panel);
    right_ = scratch.take_matrix<T>(n_, 2 * panel);
    factors_ = scratch.take<T>(2 * panel);
  }

  void run(const LapackOperands& operands) const {
    const Level3Team team(threads_);
    const std::int64_t least = std::min(m_, n_);
    std::int64_t width = 0;
    for (std::int64_t done = 0; done < least; done += width) {
      width = panel_width(LapackRoutine::gebrd, least - done);
      const Part part = {.rows = m_ - done,
                         .columns = n_ - done,
                         .a = Matrix<T>{static_cast<T*>(operands.a), lda_}.at(done, done),
                         .d = static_cast<Real<T>*>(operands.d) + done,
                         .e = static_cast<Real<T>*>(operands.e) + done,
                         .tauq = static_cast<T*>(operands.tau) + done,
                         .taup = static_cast<T*>(operands.taup) + done};
      for (std::int64_t i = 0; i < width; ++i) reduce(part, i);
      update(part, width);
    }
  }

 private:
  // What is not reduced yet.
  struct Part {
    std::int64_t rows, columns;
    Matrix<T> a;
    Real<T>*d, *e;
    T *tauq, *taup;
  };

  // A := A - L R^H behind a panel
  void update(const Part& part, std::int64_t width) const {
    const std::int64_t rows = part.rows - width, columns = part.columns - width;
    Factor<T> left = packed_left_;
    left.set(As::is, rows, 2 * width, left_.at(width, 0));
    const int threads = threads_of_level_3(rows * columns * 2 * width);
    cpu::fork(threads, [&](cpu::Team team) {
      team.each(threads, [&](std::int64_t i) { left.pack(threads, i); });
      team.wait();
      team.each(threads, [&](std::int64_t i) {
        left.multiply(rows, cpu::share(columns, threads, i, 16), T{-1}, As::adjoint, right_.at(width, 0), true,
                      part.a.at(width, width));
      });
    });
  }

  // Column and row i of a matrix that becomes upper bidiagonal, row and column i of one that becomes lower.
  void reduce(const Part& part, std::int64_t i) const {
    if (m_ >= n_) {
      reduce_column(part, i, i, 2 * i, part.d + i);
      if (i + 1 < part.columns)
        reduce_row(part, i, i + 1, 2 * i + 1, part.e + i);
      else
        part.taup[i] = T{};
    } else {
      reduce_row(part, i, i, 2 * i, part.d + i);
      if (i + 1 < part.rows)
        reduce_column(part, i, i + 1, 2 * i + 1, part.e + i);
      else
        part.tauq[i] = T{};
    }
  }

  // Column i from row `first` on, with `pairs` columns of L and R before it.
  void reduce_column(const Part& part, std::int64_t i, std::int64_t first, std::int64_t pairs, Real<T>* beside) const {
    // a := a - L conj(R(i))
    const std::int64_t rows = part.rows - first;
    T* const a = part.a.column(i) + first;
    subtract(rows, pairs, left_.at(first, 0), right_.at(i, 0), a);
    const Reflector<T> h = make_reflector<T>(a[0], rows - 1, a + 1);
    T* const v = left_.column(pairs) + first;
    v[0] = T{1};
    std::copy_n(a + 1, rows - 1, v + 1);
    a[0] = *beside = h.beta;
    part.tauq[i] = h.tau;

    // y := tauq (A^H v - R (L^H v))
    const std::int64_t columns = part.columns - i - 1;
    T* const y = right_.column(pairs) + i + 1;
    if (h.tau == T{}) return void(std::fill_n(y, columns, T{}));
    multiply_t<T>(threads_, {.rows = rows,
                             .columns = columns,
                             .a = part.a.at(first, i + 1),
                             .x = v,
                             .y = y,
                             .alpha = h.tau,
                             .conjugate = is_complex<T>});
    correct(rows, left_.at(first, 0), v, columns, right_.at(i + 1, 0), y, pairs, h.tau);
  }

  // Row i from column `first` on.
  void reduce_row(const Part& part, std::int64_t i, std::int64_t first, std::int64_t pairs, Real<T>* beside) const {
    // u := conj(row) - R conj(L(i))
    const std::int64_t columns = part.columns - first;
    T* const u = right_.column(pairs) + first;
    for (std::int64_t c = 0; c < columns; ++c) u[c] = conjugate(part.a(i, first + c));
    subtract(columns, pairs, right_.at(first, 0), left_.at(i, 0), u);
    const Reflector<T> h = make_reflector<T>(u[0], columns - 1, u + 1);
    u[0] = T{1};
    for (std::int64_t c = 1; c < columns; ++c) part.a(i, first + c) = conjugate(u[c]);
    part.a(i, first) = *beside = h.beta;
    part.taup[i] = h.tau;

    // x := taup (A u - L (R^H u))
    const std::int64_t rows = part.rows - i - 1;
    T* const x = left_.column(pairs) + i + 1;
    if (h.tau == T{}) return void(std::fill_n(x, rows, T{}));
    multiply_n<T>(threads_, {.rows = rows,
                             .columns = columns,
                             .a = part.a.at(i + 1, first),
                             .x = u,
                             .y = x,
                             .alpha = h.tau,
                             .direction = cpu::Direction::backward});
    correct(columns, right_.at(first, 0), u, rows, left_.at(i + 1, 0), x, pairs, h.tau);
  }

  // y := y - A conj(row), a row of `columns` elements
  void subtract(std::int64_t rows, std::int64_t columns, Matrix<const T> a, Matrix<const T> row, T* y) const {
    for (std::int64_t j = 0; j < columns; ++j) factors_[j] = conjugate(row(0, j));
    add(rows, columns, a, y, T{-1});
  }
  // y := y - tau B (A^H x)
  void correct(std::int64_t rows_a, Matrix<const T> a, const T* x, std::int64_t rows_b, Matrix<const T> b, T* y,
               std::int64_t columns, T tau) const {
    multiply_t<T>(threads_,
                  {.rows = rows_a, .columns = columns, .a = a, .x = x, .y = factors_, .conjugate = is_complex<T>});
    add(rows_b, columns, b, y, -tau);
  }
  // y := y + alpha A factors
  void add(std::int64_t rows, std::int64_t columns, Matrix<const T> a, T* y, T alpha) const {
    multiply_n<T>(threads_,
                  {.rows = rows, .columns = columns, .a = a, .x = factors_, .y = y, .alpha = alpha, .adds = true});
  }

  std::int64_t m_, n_, lda_;
  int threads_;
  Factor<T> packed_left_;
  Matrix<T> left_, right_;
  T* factors_;
};

}  // namespace onepass::lapack
