// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Q of a reduction, generated in the place of its reflectors or applied to another matrix, block by block.
#pragma once

#include <algorithm>

#include "lapack/cpu/block_reflector.hpp"
#include "lapack/problem.hpp"

namespace onepass::lapack {

// C := op(Q) C or C op(Q)
template <class T>
class ApplyQ {
 public:
  ApplyQ(const LapackProblem& p, int threads, std::int64_t width, Scratch& scratch)
      : problem_(p),
        threads_(threads),
        blocks_(reflectors(p), width, scratch),
        room_(p.side, reflectors(p).order, width, p.side == Side::left ? p.n : p.m, scratch) {}
  void run(const LapackOperands& operands) const {
    const Level3Team team(threads_);
    const LapackProblem& p = problem_;
    const Matrix<T> a = {static_cast<T*>(operands.a), p.lda}, c = {static_cast<T*>(operands.c), p.ldc};
    const As as = p.op == Op::n ? As::is : As::adjoint;
    const T* const tau = static_cast<const T*>(operands.tau) + first_tau(p);
    const bool ascending = first_comes_first(reflectors(p), p.side, as == As::adjoint);
    for (std::int64_t step = 0; step < blocks_.count(); ++step) {
      const std::int64_t block = ascending ? step : blocks_.count() - 1 - step;
      const BlockReflector<T> h = blocks_.take(block, a, tau);
      const std::int64_t row = blocks_.at(block).row;
      if (p.side == Side::left)
        h.apply_left(as, p.n, c.at(row, 0), room_);
      else
        h.apply_right(as, p.m, c.at(0, row), room_);
    }
  }

 private:
  LapackProblem problem_;
  int threads_;
  Blocks<T> blocks_;
  ReflectorRoom<T> room_;
};

// A := Q, its first columns; or A := P^H, its first rows, which are columns of P here. "Line": column or row of A.
//
//   forward, one block:   0  0    lines of earlier blocks | those of this block | those of later blocks, which are
//   there E - V (T V1^H) is     0  E    already: 0 in the rows of this block, and H times what they were its own part
//   0  .
template <class T>
class GenerateQ {
 public:
  GenerateQ(const LapackProblem& p, int threads, std::int64_t width, Scratch& scratch)
      : problem_(p),
        threads_(threads),
        q_(reflectors(p)),
        lines_(lines_made(p)),
        blocks_(q_, width, scratch),
        room_(q_.by_rows ? Side::right : Side::left, q_.order, width, lines_, scratch) {}
  void run(const LapackOperands& operands) const {
    const Level3Team team(threads_);
    const Matrix<T> a = {static_cast<T*>(operands.a), problem_.lda};
    const T* const tau = static_cast<const T*>(operands.tau) + first_tau(problem_);
    if (!q_.backward)
      for (std::int64_t line = q_.unit + q_.count; line < lines_; ++line) set_unit(a, line);
    for (std::int64_t step = 0; step < blocks_.count(); ++step) {
      const std::int64_t block = q_.backward ? step : blocks_.count() - 1 - step;
      generate(blocks_.at(block), blocks_.take(block, a, tau), a);
    }
    if (q_.backward)
      for (std::int64_t line = q_.unit + q_.count; line < lines_; ++line) set_unit(a, line);
    for (std::int64_t line = 0; line < std::min(q_.unit, lines_); ++line) set_unit(a, line);
    // What no reflector touches of the lines between.
    for (std::int64_t line = q_.unit; line < std::min(q_.unit + q_.count, lines_); ++line) {
      for (std::int64_t r = 0; r < q_.unit; ++r) element(a, r, line) = T{};
      for (std::int64_t r = q_.backward ? q_.unit + q_.count : q_.end; r < q_.order; ++r) element(a, r, line) = T{};
    }
  }

 private:
  T& element(Matrix<T> a, std::int64_t row, std::int64_t line) const {
    return q_.by_rows ? a(line, row) : a(row, line);
  }
  Matrix<T> part(Matrix<T> a, std::int64_t row, std::int64_t line) const {
    return q_.by_rows ? a.at(line, row) : a.at(row, line);
  }
  void set_unit(Matrix<T> a, std::int64_t line) const {
    for (std::int64_t r = 0; r < q_.order; ++r) element(a, r, line) = r == line ? T{1} : T{};
  }

  void generate(const ReflectorBlock& block, const BlockReflector<T>& h, Matrix<T> a) const {
    const std::int64_t row = block.row,
                       own = q_.unit + block.first;  // the first of its lines, and the row of its first 1
    // Lines that are there already, and the rows of V in which those are not zero.
    const std::int64_t begin = q_.backward ? 0 : own + h.width;
    const std::int64_t end = q_.backward ? own : std::min(lines_, q_.end);
    const std::int64_t others = std::max<std::int64_t>(0, end - begin);
    const std::int64_t zeros = q_.backward ? 0 : h.width;
    for (std::int64_t line = begin; line < end; ++line)
      for (std::int64_t r = own; r < own + h.width; ++r) element(a, r, line) = T{};
    const Matrix<const T> v_units = h.v.at(own - row, 0);
    const Matrix<T> own_part = part(a, row, own), square = blocks_.products();
    if (q_.by_rows) {
      // C^H := C^H - ((C^H V) T^H) V^H, and for its own lines  E^H - (V1 T^H) V^H
      h.apply_right(As::adjoint, others, part(a, row, begin), room_, zeros);
      for (std::int64_t c = 0; c < h.width; ++c)
        for (std::int64_t r = 0; r < h.width; ++r) square(r, c) = v_units(r, c);
      multiply_by_triangle<T>(Side::right, h.uplo, As::adjoint, h.width, h.width, h.t, square);
      gemm<T>(As::is, As::adjoint, h.width, h.rows, h.width, T{-1}, square, h.v, T{}, own_part);
    } else {
      // C := C - V (T (V^H C)), and for its own lines  E - V (T V1^H)
      h.apply_left(As::is, others, part(a, row, begin), room_, zeros);
      for (std::int64_t c = 0; c < h.width; ++c)
        for (std::int64_t r = 0; r < h.width; ++r) square(r, c) = conjugate(v_units(c, r));
      multiply_by_triangle<T>(Side::left, h.uplo, As::is, h.width, h.width, h.t, square);
      gemm<T>(As::is, As::is, h.rows, h.width, h.width, T{-1}, h.v, square, T{}, own_part);
    }
    for (std::int64_t i = 0; i < h.width; ++i) element(a, own + i, own + i) += T{1};
  }

  LapackProblem problem_;
  int threads_;
  Reflectors q_;
  std::int64_t lines_;
  Blocks<T> blocks_;
  ReflectorRoom<T> room_;
};

}  // namespace onepass::lapack
