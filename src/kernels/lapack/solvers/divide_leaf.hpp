// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Where divide and conquer begins and ends: T or B is scaled and cut, each leaf is solved, of T by implicit QL
// (bidiagonal_leaf.hpp: of B), and at last values are scaled back.
#pragma once

#include <limits>

#include "kernels/lapack/solvers/divide_args.hpp"
#include "kernels/lapack/solvers/divide_merge.hpp"

namespace onepass::kernels {

template <class R, Form form = Form::tridiagonal>
struct DivideSetup {
  static constexpr int max_threads = divide_setup_threads, min_blocks = 1, warps = max_threads / 32;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const DivideSetupArgs& g) {
    const R *d = static_cast<const R*>(g.d), *e = static_cast<const R*>(g.e);
    // A quarter of |d| + 2 |e|, the largest of each, which cannot overflow.
    R largest_d = 0, largest_e = 0;
    R not_finite = 0;
#pragma unroll 4
    for (int i = ex.thread(); i < g.n; i += max_threads) {
      const R of_d = absolute(ex.load_cached(d + i)), of_e = absolute(ex.load_cached_predicated(i + 1 < g.n, e + i));
      if (!(of_d <= std::numeric_limits<R>::max() && of_e <= std::numeric_limits<R>::max())) not_finite = 1;
      largest_d = larger(largest_d, of_d);
      largest_e = larger(largest_e, of_e);
    }
    R bound = largest_d / 4 + largest_e / 2;
    for (int mask = 16; mask > 0; mask /= 2) {
      bound = larger(bound, ex.shuffle_xor(bound, mask));
      not_finite = larger(not_finite, ex.shuffle_xor(not_finite, mask));
    }
    const auto shared = ex.template shared<R>(0);
    if ((ex.thread() & 31) == 0) {
      shared.put(ex.thread() >> 5, bound);
      shared.put(warps + (ex.thread() >> 5), not_finite);
    }
    ex.sync();
    for (int w = 0; w < warps; ++w) {
      bound = larger(bound, shared.get(w));
      not_finite = larger(not_finite, shared.get(warps + w));
    }
    const bool usable = !(not_finite > 0);
    const R scale = usable ? ex.power_of_two_near_reciprocal(bound) : R{1};
    if (ex.thread() == 0) {
      ex.store(g.not_finite, usable ? 0 : 1);
      ex.store(static_cast<R*>(g.scale), scale);
      ex.store(static_cast<R*>(g.scale) + 1, ex.power_of_two_near_reciprocal(scale));
    }
    const auto scaled = [&](bool there, const R* p) {
      const R value = ex.load_cached_predicated(there && usable, p);
      return value * scale / 8;
    };
#pragma unroll 4
    for (int i = ex.thread(); i < g.n; i += max_threads) {
      const bool first = i % g.leaf == 0, last = (i + 1) % g.leaf == 0;
      const R right = scaled(i + 1 < g.n, e + i);
      R value = scaled(true, d + i);
      if constexpr (form == Form::tridiagonal) {
        const R left = scaled(first && i > 0, e + (i > 0 ? i - 1 : 0));
        value = value - (first ? absolute(left) : R{0}) - (last ? absolute(right) : R{0});
      }
      ex.store(static_cast<R*>(g.scaled_d) + i, value);
      if (i + 1 < g.n) ex.store(static_cast<R*>(g.scaled_e) + i, right);
    }
  }
};

// An array of a lane alone, in shared memory.
template <class R, class Ex>
struct OfLane {
  typename Ex::template Shared<R> data;
  int first;
  ONEPASS_DEVICE R get(int i) const { return data.get(first + 32 * i); }
  ONEPASS_DEVICE void put(int i, R value) const { data.put(first + 32 * i, value); }
};

// Each lane has a row of Q, and a copy of d and e of its own: all lanes compute the same rotations, and none waits for
// another.
template <class R>
struct DivideLeaf {
  static constexpr int max_threads = 32, min_blocks = 8, most_iterations = 40;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const DivideLeafArgs& g) {
    const int lane = ex.thread();
    const std::int64_t leaf = ex.block_x(), base = leaf * g.leaf, behind = g.n - base;
    const int rows = static_cast<int>(behind < g.leaf ? behind : g.leaf);
    using Own = OfLane<R, Ex>;
    const auto shared = ex.template shared<R>(0);
    const Own d{shared, lane}, e{shared, g.leaf * 32 + lane}, q{shared, 2 * g.leaf * 32 + lane};
    for (int i = 0; i < rows; ++i) {
      d.put(i, ex.load_cached(static_cast<const R*>(g.d) + base + i));
      e.put(i, ex.load_cached_if(i + 1 < rows, static_cast<const R*>(g.e) + base + i));
      q.put(i, i == lane ? R{1} : R{0});
    }
    bool converged = true;
    for (int first = 0; first < rows; ++first) {
      int left = most_iterations;
      for (; left > 0; --left) {
        // Up to the first e that is negligible.
        const int at = lane < rows ? lane : rows - 1;
        int last = at >= first && absolute(e.get(at)) <= std::numeric_limits<R>::epsilon() / 2 ? at : rows - 1;
        for (int mask = 16; mask > 0; mask /= 2) {
          const int other = ex.shuffle_xor(last, mask);
          last = other < last ? other : last;
        }
        if (last == first) break;
        sweep(ex, d, e, q, first, last);
      }
      converged = converged && left > 0;
    }

    const auto ranks = ex.template shared<int>(g.leaf * 32 * 3 * static_cast<int>(sizeof(R)));
    int rank = 0;
    const R mine = d.get(lane < rows ? lane : 0);
    for (int i = 0; i < rows; ++i) {
      const R other = d.get(i);
      if (other < mine || (other == mine && i < lane)) ++rank;
    }
    ranks.put(lane, rank);
    ex.sync();
    if (lane == 0) ex.store(g.failed + leaf, converged ? 0 : 1);
    if (lane >= rows) return;
    ex.store(static_cast<R*>(g.values) + base + rank, mine);
    R* const to = static_cast<R*>(g.q) + leaf * g.q_stride + lane;
    for (int i = 0; i < rows; ++i) ex.store(to + ranks.get(i) * g.q_ld, q.get(i));
  }

 private:
  // One step of QL with Wilkinson's shift in rows first to last; e of all but the last is not negligible.
  template <class Ex, class Own>
  static ONEPASS_DEVICE void sweep(Ex ex, const Own& d, const Own& e, const Own& q, int first, int last) {
    const R top = d.get(first), beside = e.get(first);
    R g = (d.get(first + 1) - top) * ex.reciprocal(2 * beside);
    const R length = square_root(ex, g * g + 1);
    g = d.get(last) - top + beside * ex.reciprocal(g < 0 ? g - length : g + length);
    R s = 1, c = 1, p = 0, d_next = d.get(last), q_next = q.get(last);
    R e_i = e.get(last - 1), d_i = d.get(last - 1), q_i = q.get(last - 1);
    for (int i = last - 1; i >= first; --i) {
      // Of the next rotation, on their way meanwhile.
      const int ahead = i > first ? i - 1 : first;
      const R e_ahead = e.get(ahead), d_ahead = d.get(ahead), q_ahead = q.get(ahead);
      const R f = s * e_i, b = c * e_i, square = f * f + g * g;
      if (square < smallest_square<R>()) {  // both are nothing beside T
        d.put(i + 1, d_next - p);
        q.put(i + 1, q_next);
        e.put(i + 1, R{0});
        e.put(last, R{0});
        return;
      }
      const R inverse = ex.reciprocal_sqrt(square);
      e.put(i + 1, square * inverse);
      s = f * inverse;
      c = g * inverse;
      g = d_next - p;
      const R r = (d_i - g) * s + 2 * c * b;
      p = s * r;
      d.put(i + 1, g + p);
      g = c * r - b;
      q.put(i + 1, s * q_i + c * q_next);
      q_next = c * q_i - s * q_next;
      d_next = d_i;
      e_i = e_ahead;
      d_i = d_ahead;
      q_i = q_ahead;
    }
    d.put(first, d_next - p);
    q.put(first, q_next);
    e.put(first, g);
    e.put(last, R{0});
  }
};

template <class R, Form form = Form::tridiagonal>
struct DivideFinish {
  static constexpr int max_threads = 256, min_blocks = 2;

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const DivideFinishArgs& g) {
    int bad = ex.load_cached(g.not_finite);
    for (int i = ex.thread() & 31; i < g.leaves; i += 32) bad |= ex.load_cached(g.failed + i);
    for (int mask = 16; mask > 0; mask /= 2) bad |= ex.shuffle_xor(bad, mask);
    const std::int64_t stride = ex.grid_x() * max_threads;
    const R back = ex.load_cached(static_cast<const R*>(g.scale) + 1), none = std::numeric_limits<R>::quiet_NaN();
    for (std::int64_t i = ex.block_x() * max_threads + ex.thread(); i < g.n; i += stride)
      ex.store(static_cast<R*>(g.w) + i,
               bad != 0 ? none : ex.load_cached(static_cast<const R*>(g.values) + i) * 8 * back);
    if (ex.block_x() == 0 && ex.thread() == 0) ex.store(g.info, bad != 0 ? g.failure : 0);
    if (bad == 0) return;
    for (std::int64_t j = ex.block_x(); j < g.n; j += ex.grid_x())
      for (std::int64_t i = ex.thread(); i < g.n; i += max_threads) {
        ex.store(static_cast<R*>(g.z) + i + j * g.ldz, none);
        if constexpr (form == Form::bidiagonal) ex.store(static_cast<R*>(g.vt) + i + j * g.ldvt, none);
      }
  }
};

}  // namespace onepass::kernels
