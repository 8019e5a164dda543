// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The first launch of a level of divide and conquer, one block for each merge: D + rho z z^T, sorted, and deflated.
//
//   sorted   rows by d: two ascending runs, merged by the rank of each element in the other run
//   live     those with rho |z| > tol; the others are eigenvalues, and columns of Q stay as they are
//   chains   two neighbours with |(d_j - d_i) c s| <= tol are rotated so that z of the first vanishes. Only runs of
//            neighbours that are close by their own z are looked at one after the other, each run by one thread;
//            where no rotation is made, the poles are more than 2 tol apart
//   poles    the last of each chain
//
// Of a bidiagonal matrix the row between the neighbours, with d = 0, is the first, live unless all of that row is
// negligible, and in no chain; the d of the others that are live are tol at least. Rotations are made of columns and
// rows of M alike.
//
// Rotations are not applied to Q, and not even listed: with z_h .. z_t of a chain and norms n_k = |z_h .. z_k| the
// rotated columns are known in closed form,
//   pole               sum_i z_i / n_t q_i
//   deflated at k < t  z_(k+1) / n_(k+1) sum_(i <= k) z_i / n_k q_i - n_k / n_(k+1) q_(k+1)
#pragma once

#include "kernels/lapack/solvers/divide_merge.hpp"

namespace onepass::kernels {

template <class R, int threads, Form form = Form::tridiagonal>
struct DivideDeflate {
  static constexpr bool bidiagonal = form == Form::bidiagonal;
  static constexpr int max_threads = threads, min_blocks = 1;
  static constexpr R tolerance = divide_tolerance<R>();

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const DivideLevelArgs& g) {
    const Merge<R, form> m(g, ex.block_x());
    Block<Ex> block{ex, m, m.rho(ex)};
    block.sort();
    ex.sync();
    block.find_live();
    ex.sync();
    block.rotate();
    ex.sync();
    block.collect_poles();
    ex.sync();
    block.weigh_rows();
  }

 private:
  template <class Ex>
  struct Block {
    Ex ex;
    const Merge<R, form>& m;
    R rho;
    int live = 0;

    ONEPASS_DEVICE void sort() const {
      if constexpr (bidiagonal)
        sort_bidiagonal();
      else
        sort_tridiagonal();
    }

    // z = Q^T v / sqrt(2): the last row of the first Q and the first of the second.
    ONEPASS_DEVICE void sort_tridiagonal() const {
      const DivideLevelArgs& g = m.g;
      const R* const q = static_cast<const R*>(g.q) + 2 * m.index * g.q_stride;
      const R half_root = static_cast<R>(0.70710678118654752440), e = m.coupling(ex);
      for (int i = ex.thread(); i < m.rows; i += threads) {
        const bool first = i < m.left;
        const R d = value(i);
        const R* const from = first ? q + m.left - 1 + i * g.q_ld : q + g.q_stride + (i - m.left) * g.q_ld;
        const R z = ex.load_cached(from) * (!first && e < 0 ? -half_root : half_root);
        put_sorted((first ? i : i - m.left) + others_before(d, first, m.left), d, z, i);
      }
    }

    // z = a l and b f, and what is coupled of the null vectors.
    ONEPASS_DEVICE void sort_bidiagonal() const {
      const DivideLevelArgs& g = m.g;
      const R* const vt = static_cast<const R*>(g.q) + 2 * m.index * g.q_stride;
      const std::int64_t last = g.half - 1, row = m.base + last;
      const R a = m.coupled() ? ex.load_cached(static_cast<const R*>(g.d) + row) : R{0};
      const R b = m.columns > g.half ? ex.load_cached(static_cast<const R*>(g.e) + row) : R{0};
      const bool joined = absolute(a) > tolerance || absolute(b) > tolerance;
      for (int i = ex.thread(); i < m.rows; i += threads) {
        const bool first = i < m.left;
        if (m.coupled() && i == m.left) {
          const R one = a * ex.load_cached(vt + last + last * g.q_ld);
          const R two = m.columns > m.rows ? b * ex.load_cached(vt + g.q_stride + last) : R{0};
          const R square = one * one + two * two, inverse = ex.reciprocal_sqrt(square);
          const bool negligible = !(joined && square * inverse > tolerance);
          const R least = joined ? tolerance * static_cast<R>(1.0625) : R{0};
          ex.store(static_cast<R*>(g.null_first) + m.index, negligible ? R{1} : one * inverse);
          ex.store(static_cast<R*>(g.null_second) + m.index, negligible ? R{0} : two * inverse);
          put_sorted(0, R{0}, negligible ? least : square * inverse, i);
          continue;
        }
        const R d = value(i);
        const R z = !joined ? R{0}
                    : first ? a * ex.load_cached(vt + i + last * g.q_ld)
                            : b * ex.load_cached(vt + g.q_stride + i - g.half);
        const int in_run = first ? i : i - g.half;
        put_sorted(in_run + others_before(d, first, g.half) + (m.coupled() ? 1 : 0), d, z, i);
      }
    }

    ONEPASS_DEVICE R value(int i) const { return ex.load_matrix(m.at(m.g.values) + i); }
    // How many of the other run come before it: of two equals the one of the first run does.
    ONEPASS_DEVICE int others_before(R d, bool first, int second_run) const {
      int low = first ? second_run : 0, high = first ? m.rows : m.left;
      const int begin = low;
      while (low < high) {
        const int middle = (low + high) / 2;
        const R other = value(middle);
        const bool before = first ? other < d : other <= d;
        (before ? low : high) = before ? middle + 1 : middle;
      }
      return low - begin;
    }
    ONEPASS_DEVICE void put_sorted(int rank, R d, R z, int row) const {
      ex.store(m.at(m.g.sorted_d) + rank, d);
      ex.store(m.at(m.g.sorted_z) + rank, z);
      ex.store(m.at(m.g.sorted_row) + rank, row);
    }

    ONEPASS_DEVICE bool is_live(R z) const { return rho * absolute(z) > tolerance; }

    ONEPASS_DEVICE void find_live() {
      const DivideLevelArgs& g = m.g;
      const Share share = share_of(m.rows);
      int count = 0;
      for (int p = share.begin; p < share.end; ++p) count += is_live(ex.load_matrix(m.at(g.sorted_z) + p)) ? 1 : 0;
      int index = sum_before(count, &live);
      for (int p = share.begin; p < share.end; ++p) {
        const R z = ex.load_matrix(m.at(g.sorted_z) + p), d = ex.load_matrix(m.at(g.sorted_d) + p);
        const int row = ex.load_matrix(m.at(g.sorted_row) + p);
        if (is_live(z)) {
          ex.store(m.at(g.live_d) + index, bidiagonal && p > 0 ? larger(d, tolerance) : d);
          ex.store(m.at(g.live_z) + index, z);
          ex.store(m.at(g.live_row) + index, row);
          ex.store(m.at(g.row_live) + row, index);
          ++index;
        } else {  // from the end on
          const int at = m.rows - 1 - (p - index);
          ex.store(m.at(g.found) + at, d);
          ex.store(m.at(g.deflated) + at, ~row);
          ex.store(m.at(g.row_live) + row, -1);
          ex.store(m.at(g.row_pole) + row, -1);
          ex.store(m.at(g.row_weight) + row, R{0});
        }
      }
    }

    struct Rotation {
      R norm, c2, s2;  // of both; squares of the cosine and sine
      bool allowed;
    };
    // Of (norm, z) with d apart.
    ONEPASS_DEVICE Rotation rotation(R norm, R z, R apart) const {
      const R square = norm * norm + z * z, inverse = ex.reciprocal_sqrt(square);
      const R c = absolute(z) * inverse, s = norm * inverse;
      return {square * inverse, c * c, s * s, absolute(apart * c * s) <= tolerance};
    }
    ONEPASS_DEVICE R live_d(int i) const { return ex.load_matrix(m.at(m.g.live_d) + i); }
    ONEPASS_DEVICE R live_z(int i) const { return ex.load_matrix(m.at(m.g.live_z) + i); }
    // Whether live i and i + 1 are close by their own z.
    ONEPASS_DEVICE bool close(int i) const {
      if (bidiagonal && i == 0) return false;
      return rotation(absolute(live_z(i)), live_z(i + 1), live_d(i + 1) - live_d(i)).allowed;
    }

    ONEPASS_DEVICE void rotate() const {
      const DivideLevelArgs& g = m.g;
      for (int first = ex.thread(); first < live; first += threads) {
        if (first > 0 && close(first - 1)) continue;
        R norm = absolute(live_z(first)), d = live_d(first);
        int head = first, i = first;
        ex.store(m.at(g.live_norm) + i, norm);
        for (; i + 1 < live && close(i); ++i) {
          const R z = live_z(i + 1), next = live_d(i + 1);
          const Rotation r = rotation(norm, z, next - d);
          ex.store(m.at(g.live_moved) + i, r.allowed ? d * r.c2 + next * r.s2 : d);
          ex.store(m.at(g.live_head) + i, r.allowed ? head : ~head);
          d = r.allowed ? d * r.s2 + next * r.c2 : next;
          norm = r.allowed ? r.norm : absolute(z);
          if (!r.allowed) head = i + 1;
          ex.store(m.at(g.live_norm) + i + 1, norm);
        }
        ex.store(m.at(g.live_moved) + i, d);
        ex.store(m.at(g.live_head) + i, ~head);
      }
    }

    ONEPASS_DEVICE void collect_poles() const {
      const DivideLevelArgs& g = m.g;
      const Share share = share_of(live);
      int count = 0, poles = 0;
      for (int i = share.begin; i < share.end; ++i) count += ex.load_matrix(m.at(g.live_head) + i) < 0 ? 1 : 0;
      int pole = sum_before(count, &poles);
      for (int i = share.begin; i < share.end; ++i) {
        const R d = ex.load_matrix(m.at(g.live_moved) + i);
        ex.store(m.at(g.row_pole) + ex.load_matrix(m.at(g.live_row) + i), pole);
        if (ex.load_matrix(m.at(g.live_head) + i) < 0) {
          ex.store(m.at(g.pole_d) + pole, d);
          ex.store(m.at(g.pole_z) + pole, ex.load_matrix(m.at(g.live_norm) + i));
          ++pole;
        } else {
          ex.store(m.at(g.found) + poles + (i - pole), d);
          ex.store(m.at(g.deflated) + poles + (i - pole), i);
        }
      }
      if (ex.thread() == 0) ex.store(g.pole_count + m.index, poles);
    }

    ONEPASS_DEVICE void weigh_rows() const {
      const DivideLevelArgs& g = m.g;
      for (int i = ex.thread(); i < live; i += threads) {
        const int row = ex.load_matrix(m.at(g.live_row) + i);
        const R norm = ex.load_matrix(m.at(g.pole_z) + ex.load_matrix(m.at(g.row_pole) + row));
        ex.store(m.at(g.row_weight) + row, live_z(i) / norm);
      }
    }

    struct Share {
      int begin, end;
    };
    ONEPASS_DEVICE Share share_of(int count) const {
      const int each = (count + threads - 1) / threads, begin = ex.thread() * each;
      return {begin < count ? begin : count, begin + each < count ? begin + each : count};
    }
    // The sum of the threads before this one, and of all.
    ONEPASS_DEVICE int sum_before(int value, int* total) const {
      const auto sums = ex.template shared<int>(0);
      const int t = ex.thread();
      int sum = value, buffer = 0;
      sums.put(t, sum);
      for (int apart = 1; apart < threads; apart *= 2) {
        ex.sync();
        if (t >= apart) sum += sums.get(buffer + t - apart);
        buffer = threads - buffer;
        sums.put(buffer + t, sum);
      }
      ex.sync();
      *total = sums.get(buffer + threads - 1);
      return sum - value;
    }
  };
};

}  // namespace onepass::kernels
