// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvectors of a merge of divide and conquer, some lanes for each eigenvalue: first z and the order of the
// eigenvalues, then the columns of U.
//
// The roots x_j are the exact ones of another z (Gu and Eisenstat), with which the vectors are orthogonal:
//   z_i^2 = (x_i - d_i) prod_(j != i) (x_j - d_i) / (d_j - d_i)
// Roots lie between poles, so that factors left of i are below 1 and those right of it above: the product of any of
// them is between tol / 2 and 2 / tol. (Of a bidiagonal matrix x and d are squares, and it is within the square of
// that.)
#pragma once

#include <type_traits>

#include "kernels/lapack/solvers/divide_merge.hpp"

namespace onepass::kernels {

template <class R, Form form = Form::tridiagonal, int lanes = 32>
struct DivideOrder {
  static constexpr int max_threads = divide_threads, min_blocks = 8;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const DivideLevelArgs& g) {
    const DivideShare<lanes> value(ex, g.n);
    const Merge<R, form> m(g, value.number / (2 * g.half));
    const int i = static_cast<int>(value.number - m.base), lane = ex.thread() % lanes;
    const bool there = value.there && (form != Form::bidiagonal || i < m.rows);
    if (!ex.any(there)) return;
    const int poles = ex.load_cached(g.pole_count + m.index);
    const bool is_pole = there && i < poles;
    if (ex.any(is_pole)) {
      const R d = ex.load_cached_if(is_pole, m.at(g.pole_d) + i);
      R product = 1;
      for (int j = lane; j < (is_pole ? poles : 0); j += lanes) {
        const R origin = ex.load_cached(m.at(g.pole_d) + ex.load_cached(m.at(g.origin) + j));
        const R root = pole_distance<form>(origin, d) + ex.load_cached(m.at(g.shift) + j);
        const R apart = j == i ? R{1} : pole_distance<form>(ex.load_cached(m.at(g.pole_d) + j), d);
        product *= root * ex.reciprocal(apart);
      }
      for (int mask = lanes / 2; mask > 0; mask /= 2) product *= ex.shuffle_xor(product, mask);
      if (is_pole && lane == 0) ex.store(m.at(g.z_hat) + i, square_root(ex, absolute(product)));
    }
    // Any order of equals will do, if it is one.
    const R mine = ex.load_cached_if(there, m.at(g.found) + i);
    int rank = 0;
    for (int j = lane; j < (there ? m.rows : 0); j += lanes) {
      const R other = ex.load_cached(m.at(g.found) + j);
      if (other < mine || (other == mine && j < i)) ++rank;
    }
    rank = group_sum<lanes>(ex, rank);
    if (!there || lane != 0) return;
    if (form == Form::bidiagonal && g.descending) rank = m.rows - 1 - rank;
    ex.store(m.at(g.values) + rank, mine);
    ex.store(m.at(g.order) + rank, i);
  }
};

template <class R, Form form = Form::tridiagonal, int lanes = 32>
struct DivideColumns {
  static constexpr bool bidiagonal = form == Form::bidiagonal;
  using W = std::conditional_t<bidiagonal, double, R>;  // of sums
  static constexpr int max_threads = divide_threads, min_blocks = 4;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const DivideLevelArgs& g) {
    const std::int64_t columns = g.end_column - g.first_column,
                       merges = (g.n + 2 * std::int64_t{g.half} - 1) / (2 * g.half);
    const DivideShare<lanes> share(ex, merges * columns);
    const Merge<R, form> m(g, share.number / columns);
    const std::int64_t column = share.number % columns;
    const bool there = share.there && g.first_column + column < m.columns;
    if (!ex.any(there)) return;
    R* const u = static_cast<R*>(g.u) + m.index * g.u_stride + column * g.u_ld;
    const bool is_null = bidiagonal && g.first_column + column == m.rows, found = there && !is_null;
    const int i = ex.load_cached_if(found, m.at(g.order) + g.first_column + column);
    const bool is_root = found && i < ex.load_cached(g.pole_count + m.index);
    if (ex.any(is_root)) root(ex, m, i, u, is_root);
    if (there && is_null) null(ex, m, u);
    if (found && !is_root) deflated(ex, m, ex.load_cached(m.at(g.deflated) + i), u);
  }

 private:
  // The null vector, which is no part of any other column: of U the row behind the merge, of V what its neighbours have
  // beside the vector that is coupled.
  template <class Ex>
  static ONEPASS_DEVICE void null(Ex ex, const Merge<R, form>& m, R* u) {
    const DivideLevelArgs& g = m.g;
    const R first = ex.load_cached(static_cast<const R*>(g.null_first) + m.index);
    const R second = ex.load_cached(static_cast<const R*>(g.null_second) + m.index);
    for (int r = ex.thread() % lanes; r < m.columns; r += lanes) {
      R value = 0;
      if (r == m.rows) value = g.right ? first : R{1};
      if (r == m.left && g.right) value = -second;
      ex.store(u + r, value);
    }
  }

  // Element r of the coupled row of M, which pole 0 is of: of V the null vectors of both neighbours.
  template <class Ex>
  static ONEPASS_DEVICE R of_coupled_row(Ex ex, const Merge<R, form>& m, int r, R z, R distance) {
    const DivideLevelArgs& g = m.g;
    if (!g.right) return r == m.left ? R{-1} : R{0};
    const void* const weight = r == m.left ? g.null_first : g.null_second;
    return ex.load_cached(static_cast<const R*>(weight) + m.index) * z * ex.reciprocal(distance);
  }

  // u_r = weight_r z_k / (d_k - x) over their norm, k the pole of row r
  template <class Ex>
  static ONEPASS_DEVICE void root(Ex ex, const Merge<R, form>& m, int i, R* u, bool wanted) {
    const DivideLevelArgs& g = m.g;
    const int near = ex.load_cached_if(wanted, m.at(g.origin) + i), end = wanted ? m.columns : 0;
    const R origin = ex.load_cached_if(wanted, m.at(g.pole_d) + near);
    const R shift = ex.load_cached_if(wanted, m.at(g.shift) + i);
    // Computed twice: to store them, and load them again to scale them, takes half as long again at n = 4096.
    const auto element = [&](int r) {
      if (bidiagonal && (r == m.left || r == m.rows)) {
        const R distance = pole_distance<form>(ex.load_cached(m.at(g.pole_d)), origin) - shift;
        return of_coupled_row(ex, m, r, ex.load_cached(m.at(g.z_hat)), distance);
      }
      const int k = ex.load_cached(m.at(g.row_pole) + r);
      const R weight = ex.load_cached(m.at(g.row_weight) + r);
      const R z = ex.load_cached_if(k >= 0, m.at(g.z_hat) + k), d = ex.load_cached_if(k >= 0, m.at(g.pole_d) + k);
      const R numerator = bidiagonal && !g.right ? d * z : z;
      return k < 0 ? R{0} : weight * numerator * ex.reciprocal(pole_distance<form>(d, origin) - shift);
    };
    W square = 0;
    for (int r = ex.thread() % lanes; r < end; r += lanes) {
      const W value = element(r);
      square += value * value;
    }
    const R inverse = static_cast<R>(ex.reciprocal_sqrt(group_sum<lanes>(ex, square)));
    for (int r = ex.thread() % lanes; r < end; r += lanes) ex.store(u + r, element(r) * inverse);
  }

  // As divide_deflate.hpp has it.
  template <class Ex>
  static ONEPASS_DEVICE void deflated(Ex ex, const Merge<R, form>& m, int at, R* u) {
    const DivideLevelArgs& g = m.g;
    const bool chain = at >= 0;
    const int head = ex.load_cached_if(chain, m.at(g.live_head) + at);
    const R norm = ex.load_cached_if(chain, m.at(g.live_norm) + at);
    const R longer = ex.load_cached_if(chain, m.at(g.live_norm) + at + 1);
    const R factor = chain ? ex.load_cached(m.at(g.live_z) + at + 1) / longer / norm : R{0};
    for (int r = ex.thread() % lanes; r < m.columns; r += lanes) {
      const int live = bidiagonal && r >= m.rows ? -1 : ex.load_cached(m.at(g.row_live) + r);
      R value = 0;
      if (!chain)
        value = r == ~at ? R{1} : R{0};
      else if (live >= head && live <= at)
        value = factor * ex.load_cached(m.at(g.live_z) + live);
      else if (live == at + 1)
        value = -norm / longer;
      ex.store(u + r, value);
    }
  }
};

}  // namespace onepass::kernels
