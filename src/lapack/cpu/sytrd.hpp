// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Tridiagonal reduction in panels: one product with the stored triangle per column, one update of rank 2k per panel.
//
// Columns of a panel are not applied to A until its end: up to then A is A - V W^H - W V^H. V and W lie side by side in
// one matrix P, column by column, so that each of the three products with both of them is a single one:
//
//   P = v0 w0 v1 w1 ...          A x  = (stored A) x - P swap(P^H x),  swap: the members of each pair exchanged
//
// Threads stay together for a panel. Each has a share of the columns of A, and one of the rows of P where those are
// many; per column they wait for each other four times, else twice, each of which costs a third of what starting them
// for a product does:
//
//   w of the column before, the column itself | the reflector, by one | products with A and P^H | w, and w^H v | ...
//   w of the column before, the column itself, the reflector, by one  | products with A and P^H | w, and w^H v, by one
#pragma once

#include <algorithm>

#include "lapack/cpu/factor.hpp"
#include "lapack/cpu/level2.hpp"
#include "lapack/cpu/panel.hpp"
#include "lapack/cpu/scratch.hpp"
#include "lapack/problem.hpp"

namespace onepass::lapack {

template <class T>
class Tridiagonal {
 public:
  Tridiagonal(const LapackProblem& p, int threads, std::int64_t panel, Scratch& scratch)
      : uplo_(p.uplo), n_(p.n), lda_(p.lda), threads_(threads), exchanged_(n_, 2 * panel, scratch) {
    pairs_ = scratch.take_matrix<T>(n_, 2 * panel);
    sums_ = scratch.take_matrix<T>(n_, threads - 1);
    factors_ = scratch.take_matrix<T>(2 * panel, threads);
    dots_ = scratch.take_matrix<T>(1, threads);
    products_ = scratch.take<T>(2 * panel);
  }

  void run(const LapackOperands& operands) const {
    const Level3Team team(threads_);
    Panel panel = {.a = {static_cast<T*>(operands.a), lda_},
                   .d = static_cast<Real<T>*>(operands.d),
                   .e = static_cast<Real<T>*>(operands.e),
                   .tau = static_cast<T*>(operands.tau),
                   .exchanged = exchanged_,
                   .left = n_};
    while (panel.left > 0) {
      const std::int64_t width = panel_width(LapackRoutine::sytrd, panel.left);
      panel.dots = panel.row_parts;
      panel.parts = useful_threads(threads_, panel.left * panel.left / 2, sizeof(T));
      panel.row_parts = useful_threads(panel.parts, panel.left * 2 * width, sizeof(T));
      panel.exchanged.set_exchanged(panel.left, 2 * panel.pending, pairs_.at(first_of(panel), 0));
      cpu::fork_for_steps(panel.parts, width, [&](cpu::Team threads, std::int64_t step) {
        if (step == 0 && panel.pending > 0) apply(threads, panel);
        reduce(threads, panel, step);
      });
      panel.left -= width;
      panel.pending = width;
    }
  }

 private:
  // What the threads share.
  struct Panel {
    Matrix<T> a;
    Real<T>*d, *e;
    T* tau;
    Factor<T> exchanged;       // the pairs of the panel before this one, (w0 v0 w1 v1 ...)
    std::int64_t left;         // the order of what was not reduced before this panel
    std::int64_t pending = 0;  // pairs of the panel before this one, which A is still without
    int parts = 1;             // of the columns of A
    int row_parts = 1;         // of the rows of P, each of which makes a part of w^H v
    int dots = 1;              // row_parts of the panel before
    T last_tau{};              // that of the last reflector
    T corner{};                // the element of the last w in the row of the next column
  };

  // Subtracts the pairs of the panel before from what is left of A.
  void apply(cpu::Team threads, const Panel& panel) const {
    const auto each = [&](auto work) {
      threads.each(panel.parts, work);
      threads.wait();
    };
    const std::int64_t first = first_of(panel);
    each([&](std::int64_t part) {
      finish_w(rows_of(panel, panel.parts, part, {0, n_}), panel.pending, end_of_w(panel, panel.dots));
    });
    each([&](std::int64_t part) { panel.exchanged.pack(panel.parts, part); });
    each([&](std::int64_t part) {
      panel.exchanged.subtract_pairs(uplo_, columns_of_triangle(uplo_, panel.left, panel.parts, part),
                                     pairs_.at(first, 0), panel.a.at(first, first));
    });
  }

  // Column `step` of a panel: the first of a lower triangle that is not reduced, the last of an upper one.
  void reduce(cpu::Team threads, Panel& panel, std::int64_t step) const {
    const bool upper = uplo_ == Uplo::upper;
    const std::int64_t i = upper ? panel.left - 1 - step : n_ - panel.left + step;
    const cpu::Range column = upper ? cpu::Range{0, i + 1} : cpu::Range{i, n_};
    const cpu::Range rest = upper ? cpu::Range{0, i} : cpu::Range{i + 1, n_};
    const auto each_row_part = [&](auto work) {
      threads.each(panel.row_parts, work);
      if (panel.row_parts > 1) threads.wait();
    };
    const auto own = [&](std::int64_t part, cpu::Range range) { return rows_of(panel, panel.row_parts, part, range); };
    if (step > 0) each_row_part([&](std::int64_t part) { update(panel, part, own(part, column), i, step); });
    threads.each(1, [&](std::int64_t) { make_v(panel, i, pairs_.column(2 * step)); });
    threads.wait();
    if (rest.size() == 0) return;
    threads.each(panel.parts, [&](std::int64_t part) { multiply(panel, part, rest, step); });
    threads.wait();
    each_row_part([&](std::int64_t part) { make_w(panel, part, own(part, rest), rest, step); });
  }

  // The first row of a panel; the share of a part in its rows, as far as it lies in `range`.
  std::int64_t first_of(const Panel& panel) const { return uplo_ == Uplo::upper ? 0 : n_ - panel.left; }
  cpu::Range rows_of(const Panel& panel, int parts, std::int64_t part, cpu::Range range) const {
    const cpu::Range own = cpu::share(panel.left, parts, part, 16);
    const std::int64_t begin = std::max(range.begin, first_of(panel) + own.begin);
    return {.begin = begin, .end = std::max(begin, std::min(range.end, first_of(panel) + own.end))};
  }

  // What makes w of tau and w' = A v:  tau w' - tau / 2 conj(tau) (w'^H v) v
  struct EndOfW {
    T tau, alpha;
    T operator()(T w, T v) const { return times(tau, w) + times(alpha, v); }
  };
  EndOfW end_of_w(const Panel& panel, int dots) const {
    T sum{};
    for (int p = 0; p < dots; ++p) sum += dots_(0, p);
    return {.tau = panel.last_tau, .alpha = sum * (std::norm(panel.last_tau) * Real<T>(-0.5))};
  }
  void finish_w(cpu::Range rows, std::int64_t pairs, EndOfW end) const {
    const T* const v = pairs_.column(2 * pairs - 2);
    T* const w = pairs_.column(2 * pairs - 1);
    for (std::int64_t r = rows.begin; r < rows.end; ++r) w[r] = end(w[r], v[r]);
  }

  // The last w of the pairs, and column i of A, in some rows:  a := a - V W(i)^H - W V(i)^H
  void update(const Panel& panel, std::int64_t part, cpu::Range rows, std::int64_t i, std::int64_t pairs) const {
    const EndOfW end = end_of_w(panel, panel.row_parts);
    finish_w(rows, pairs, end);
    T* const factors = factors_.column(part);
    for (std::int64_t j = 0; j + 1 < 2 * pairs; ++j) factors[j ^ 1] = conjugate(pairs_(i, j));
    factors[2 * pairs - 2] = conjugate(end(panel.corner, T{1}));  // another part may be at this element of w
    multiply_n<T>(1, {.rows = rows.size(),
                      .columns = 2 * pairs,
                      .a = pairs_.at(rows.begin, 0),
                      .x = factors,
                      .y = panel.a.column(i) + rows.begin,
                      .alpha = T{-1},
                      .adds = true});
  }

  // The reflector of column i.
  void make_v(Panel& panel, std::int64_t i, T* v) const {
    const bool upper = uplo_ == Uplo::upper;
    T* const column = panel.a.column(i);
    panel.d[i] = real(column[i]);
    column[i] = panel.d[i];
    if (i == (upper ? 0 : n_ - 1)) return;
    const std::int64_t unit = upper ? i - 1 : i + 1, place = upper ? i - 1 : i;
    const cpu::Range rows = upper ? cpu::Range{0, i - 1} : cpu::Range{i + 2, n_};
    const Reflector<T> h = make_reflector<T>(column[unit], rows.size(), column + rows.begin);
    panel.e[place] = h.beta;
    panel.tau[place] = panel.last_tau = h.tau;
    std::copy(column + rows.begin, column + rows.end, v + rows.begin);
    v[unit] = T{1};
    column[unit] = h.beta;
  }

  // A v for some columns of the rest of A, P^H v for some columns of P. The first part adds up in w itself.
  void multiply(const Panel& panel, std::int64_t part, cpu::Range rest, std::int64_t step) const {
    const std::int64_t n = rest.size();
    const T* const v = pairs_.column(2 * step) + rest.begin;
    T* const sums = part == 0 ? pairs_.column(2 * step + 1) + rest.begin : sums_.column(part - 1);
    std::fill_n(sums, n, T{});
    if (panel.last_tau == T{}) return;
    add_triangle<T>(uplo_, n, columns_of_triangle(uplo_, n, panel.parts, part), panel.a.at(rest.begin, rest.begin), v,
                    sums, direction_of(step));
    const cpu::Range own = cpu::share(2 * step, panel.parts, part, 8);
    multiply_t<T>(1, {.rows = n,
                      .columns = own.size(),
                      .a = pairs_.at(rest.begin, own.begin),
                      .x = v,
                      .y = products_ + own.begin,
                      .conjugate = is_complex<T>});
  }

  // A v - P swap(P^H v) and its product with v, in some rows.
  void make_w(Panel& panel, std::int64_t part, cpu::Range rows, cpu::Range rest, std::int64_t step) const {
    const T* const v = pairs_.column(2 * step);
    T* const w = pairs_.column(2 * step + 1);
    for (int p = 1; p < panel.parts; ++p) {
      const T* const other = sums_.column(p - 1);
      for (std::int64_t r = rows.begin; r < rows.end; ++r) w[r] += other[r - rest.begin];
    }
    dots_(0, part) = T{};
    if (panel.last_tau != T{} && rows.size() > 0) {
      T* const factors = factors_.column(part);
      for (std::int64_t j = 0; j < 2 * step; ++j) factors[j ^ 1] = products_[j];
      multiply_n<T>(1, {.rows = rows.size(),
                        .columns = 2 * step,
                        .a = pairs_.at(rows.begin, 0),
                        .x = factors,
                        .y = w + rows.begin,
                        .alpha = T{-1},
                        .adds = true});
      dots_(0, part) = dot<T>(rows.size(), w + rows.begin, v + rows.begin);
    }
    const std::int64_t next = uplo_ == Uplo::upper ? rest.end - 1 : rest.begin;
    if (rows.begin <= next && next < rows.end) panel.corner = w[next];
  }

  Uplo uplo_;
  std::int64_t n_, lda_;
  int threads_;
  Factor<T> exchanged_;
  Matrix<T> pairs_, sums_, factors_, dots_;
  T* products_;
};

}  // namespace onepass::lapack
