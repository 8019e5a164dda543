// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Reduction to Hessenberg form in panels: one product with A per column, level 3 from both sides per panel.
//
// Within a panel A is (I - V T^H V^H) (A - Y V^H) with Y = A V T. Only the rows that the panel needs of Y, those that
// it reduces, are made column by column; those above come from one product at its end.
#pragma once

#include <algorithm>

#include "lapack/cpu/block_reflector.hpp"
#include "lapack/cpu/level2.hpp"
#include "lapack/cpu/panel.hpp"
#include "lapack/problem.hpp"

namespace onepass::lapack {

template <class T>
class Hessenberg {
 public:
  Hessenberg(const LapackProblem& p, int threads, std::int64_t panel, Scratch& scratch)
      : n_(p.n),
        first_(p.ilo - 1),
        end_(p.ihi),
        lda_(p.lda),
        threads_(threads),
        packed_y_(n_, panel, scratch),
        room_(Side::left, n_, panel, n_, scratch) {
    v_ = scratch.take_matrix<T>(n_, panel);
    y_ = scratch.take_matrix<T>(n_, panel);
    t_ = scratch.take_matrix<T>(panel, panel);
    factors_ = scratch.take<T>(panel);
  }

  void run(const LapackOperands& operands) const {
    const Level3Team team(threads_);
    if (n_ == 0) return;
    const Matrix<T> a = {static_cast<T*>(operands.a), lda_};
    T* const tau = static_cast<T*>(operands.tau);
    std::fill_n(tau, first_, T{});
    std::fill_n(tau + end_ - 1, n_ - end_, T{});
    std::int64_t width = 0;
    for (std::int64_t column = first_; column + 1 < end_; column += width) {
      width = panel_width(LapackRoutine::gehrd, end_ - 1 - column);
      for (std::int64_t j = 0; j < width; ++j) reduce(column, j, a, tau + column);
      update(column, width, a);
    }
  }

 private:
  // Column `column` + j. Its panel changes the rows from `top` on, which V and the lower part of Y begin with.
  void reduce(std::int64_t column, std::int64_t j, Matrix<T> a, T* tau) const {
    const std::int64_t top = column + 1, rows = end_ - top;
    const Matrix<T> y = y_.at(top, 0);
    T* const b = a.column(column + j) + top;
    if (j > 0) {
      // b := b - Y conj(V(j - 1));  b := b - V (T^H (V^H b))
      for (std::int64_t i = 0; i < j; ++i) factors_[i] = conjugate(v_(j - 1, i));
      subtract(rows, j, y, b);
      multiply_t<T>(threads_, {.rows = rows, .columns = j, .a = v_, .x = b, .y = factors_, .conjugate = is_complex<T>});
      for (std::int64_t i = j - 1; i >= 0; --i) {
        T sum{};
        for (std::int64_t k = 0; k <= i; ++k) sum += times(conjugate(t_(k, i)), factors_[k]);
        factors_[i] = sum;
      }
      subtract(rows, j, v_, b);
    }
    const Reflector<T> h = make_reflector<T>(b[j], rows - j - 1, b + j + 1);
    T* const v = v_.column(j);
    std::fill_n(v, j, T{});
    v[j] = T{1};
    std::copy_n(b + j + 1, rows - j - 1, v + j + 1);
    b[j] = h.beta;
    tau[j] = h.tau;

    // y := tau (A v - Y (V^H v));  T(0:j, j) := -tau T V^H v
    T* const own = y.column(j);
    if (h.tau == T{}) {
      std::fill_n(own, rows, T{});
      for (std::int64_t i = 0; i <= j; ++i) t_(i, j) = T{};
      return;
    }
    multiply_n<T>(threads_, {.rows = rows,
                             .columns = rows - j,
                             .a = a.at(top, top + j),
                             .x = v + j,
                             .y = own,
                             .direction = direction_of(j)});
    multiply_t<T>(
        threads_,
        {.rows = rows - j, .columns = j, .a = v_.at(j, 0), .x = v + j, .y = factors_, .conjugate = is_complex<T>});
    subtract(rows, j, y, own);
    scale<T>(rows, h.tau, own, 1);
    for (std::int64_t i = 0; i < j; ++i) {
      T sum{};
      for (std::int64_t k = i; k < j; ++k) sum += times(t_(i, k), factors_[k]);
      t_(i, j) = times(-h.tau, sum);
    }
    t_(j, j) = h.tau;
  }

  // y := y - A factors
  void subtract(std::int64_t rows, std::int64_t columns, Matrix<const T> a, T* y) const {
    multiply_n<T>(threads_,
                  {.rows = rows, .columns = columns, .a = a, .x = factors_, .y = y, .alpha = T{-1}, .adds = true});
  }

  // A := (I - V T^H V^H) (A - Y V^H), but for the rows of the panel's columns that are done. Threads share the columns
  // of A, and take a few of them at a time through all products.
  void update(std::int64_t column, std::int64_t width, Matrix<T> a) const {
    const std::int64_t top = column + 1, rows = end_ - top, next = column + width;
    Factor<T> y = packed_y_;
    ReflectorRoom<T> h = room_;
    y.set(As::is, end_, width, y_);
    h.set(As::adjoint, rows, width, 0, v_, t_);
    for (std::int64_t j = 0; j < width; ++j) std::fill(t_.column(j) + j + 1, t_.column(j) + width, T{});
    const int threads = threads_of_level_3(n_ * rows * width);
    cpu::fork(threads, [&](cpu::Team team) {
      const auto each = [&](auto work) {
        team.each(threads, work);
        team.wait();
      };
      each([&](std::int64_t part) { make_y_above(cpu::share(top, threads, part, 16), top, width, a); });
      each([&](std::int64_t part) {
        y.pack(threads, part);
        h.pack(threads, part);
      });
      team.each(threads, [&](std::int64_t part) {
        const cpu::Range own = cpu::share(width - 1, threads, part, 1);
        y.multiply(top, own, T{-1}, As::adjoint, v_, true, a.at(0, top));
        Factor<T>::each_few(cpu::share(n_ - next, threads, part, 16), [&](cpu::Range columns) {
          const std::int64_t end = std::clamp(end_ - next, columns.begin, columns.end);
          y.multiply(end_, {columns.begin, end}, T{-1}, As::adjoint, v_.at(next - top, 0), true, a.at(0, next));
          h.apply(columns, a.at(top, next), 0);
        });
      });
    });
  }

  // Rows of Y = A V T above those that are reduced.
  void make_y_above(cpu::Range rows, std::int64_t top, std::int64_t width, Matrix<const T> a) const {
    const Matrix<T> y = y_.at(rows.begin, 0);
    own_gemm<T>(As::is, As::is, rows.size(), width, end_ - top, T{1}, a.at(rows.begin, top), v_, T{}, y);
    own_triangle<T>(Side::right, Uplo::upper, As::is, rows.size(), width, t_, y);
  }

  std::int64_t n_, first_, end_, lda_;
  int threads_;
  Factor<T> packed_y_;
  ReflectorRoom<T> room_;
  Matrix<T> v_, y_, t_;
  T* factors_;
};

}  // namespace onepass::lapack
