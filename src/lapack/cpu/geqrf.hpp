// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// QR factorisation in panels: a panel by halves, down to a few columns, then the rest of the matrix by its reflectors.
//
//   (A1 A2) = Q1 (R1 . )    with  Q1 = I - V1 T1 V1^H, likewise Q2 of what is below R1 in Q1^H A2. Together they are
//             ( 0  .2)            I - V T V^H,  V = (V1 V2),  T = (T1  -T1 (V1^H V2) T2)
//                                                                 ( 0         T2       )
#pragma once

#include <algorithm>

#include "lapack/cpu/block_reflector.hpp"
#include "lapack/cpu/level2.hpp"
#include "lapack/cpu/scratch.hpp"
#include "lapack/problem.hpp"

namespace onepass::lapack {

template <class T>
class QrFactorization {
 public:
  QrFactorization(const LapackProblem& p, int threads, std::int64_t panel, Scratch& scratch)
      : m_(p.m), n_(p.n), lda_(p.lda), panel_(panel), threads_(threads), room_(Side::left, m_, panel, n_, scratch) {
    v_ = scratch.take_matrix<T>(m_, panel);
    t_ = scratch.take_matrix<T>(panel, panel);
  }

  void run(const LapackOperands& operands) const {
    const Level3Team team(threads_);
    for (std::int64_t j = 0; j < panel_; ++j) std::fill_n(t_.column(j), panel_, T{});
    const std::int64_t least = std::min(m_, n_);
    for (std::int64_t done = 0; done < least; done += panel_) {
      const std::int64_t width = std::min(panel_, least - done), rows = m_ - done;
      const Matrix<T> a = Matrix<T>{static_cast<T*>(operands.a), lda_}.at(done, done);
      factor(a, rows, 0, width, static_cast<T*>(operands.tau) + done);
      reflector(rows, 0, width).apply_left(As::adjoint, n_ - done - width, a.at(0, width), room_);
    }
  }

 private:
  // Columns that are not halved.
  static constexpr std::int64_t few = 8;

  // Columns first ... first + width - 1 of a panel, from row `first` on.
  void factor(Matrix<T> a, std::int64_t rows, std::int64_t first, std::int64_t width, T* tau) const {
    if (width <= few) {
      for (std::int64_t i = first; i < first + width; ++i) factor_column(a, rows, first, i, first + width, tau);
      return;
    }
    const std::int64_t left = width / 2, right = width - left, middle = first + left;
    factor(a, rows, first, left, tau);
    reflector(rows, first, left).apply_left(As::adjoint, right, a.at(first, middle), room_);
    factor(a, rows, middle, right, tau);
    const Matrix<T> beside = t_.at(first, middle);
    gemm<T>(As::adjoint, As::is, left, right, rows - middle, T{-1}, v_.at(middle, first), v_.at(middle, middle), T{},
            beside);
    multiply_by_triangle<T>(Side::left, Uplo::upper, As::is, left, right, t_.at(first, first), beside);
    multiply_by_triangle<T>(Side::right, Uplo::upper, As::is, left, right, t_.at(middle, middle), beside);
  }
  // Column i of first ... end - 1, by our products with one vector: those of level 3 are slow for so few columns.
  void factor_column(Matrix<T> a, std::int64_t rows, std::int64_t first, std::int64_t i, std::int64_t end,
                     T* tau) const {
    const std::int64_t below = rows - i;
    T *const column = a.column(i) + i, *const v = v_.column(i) + i;
    const Reflector<T> h = make_reflector<T>(column[0], below - 1, column + 1);
    column[0] = h.beta;
    tau[i] = t_(i, i) = h.tau;
    std::fill_n(v_.column(i), i, T{});
    v[0] = T{1};
    std::copy_n(column + 1, below - 1, v + 1);

    // A := A - v (conj(tau) v^H A), of the columns behind
    T* const products = room_.of_v.data;
    multiply_t<T>(1, {.rows = below,
                      .columns = end - i - 1,
                      .a = a.at(i, i + 1),
                      .x = v,
                      .y = products,
                      .conjugate = is_complex<T>});
    for (std::int64_t c = i + 1; c < end; ++c) {
      const T factor = -conjugate(times(h.tau, products[c - i - 1]));
      T* const to = a.column(c) + i;
      for (std::int64_t r = 0; r < below; ++r) to[r] += times(v[r], factor);
    }
    // T(:, i) := T (-tau V^H v)
    T* const of_t = t_.column(i);
    multiply_t<T>(1, {.rows = below,
                      .columns = i - first,
                      .a = v_.at(i, first),
                      .x = v,
                      .y = of_t + first,
                      .alpha = -h.tau,
                      .conjugate = is_complex<T>});
    for (std::int64_t r = first; r < i; ++r) {
      T sum{};
      for (std::int64_t k = r; k < i; ++k) sum += times(t_(r, k), of_t[k]);
      of_t[r] = sum;
    }
  }
  BlockReflector<T> reflector(std::int64_t rows, std::int64_t first, std::int64_t width) const {
    return {.rows = rows - first, .width = width, .v = v_.at(first, first), .t = t_.at(first, first)};
  }

  std::int64_t m_, n_, lda_, panel_;
  int threads_;
  ReflectorRoom<T> room_;
  Matrix<T> v_, t_;
};

}  // namespace onepass::lapack
