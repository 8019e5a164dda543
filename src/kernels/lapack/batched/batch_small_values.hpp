// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Implicit QL of tridiagonal matrices that share a warp, N lanes each: lane i of a matrix keeps d_i, e_i and row i of
// Z.
#pragma once

#include <limits>

#include "kernels/lapack/batched/batch_args.hpp"
#include "kernels/lapack/solvers/divide_merge.hpp"

namespace onepass::kernels {

// Twice the root of smallest_square().
template <class R>
ONEPASS_DEVICE constexpr R smallest_rotated() {
  return std::is_same_v<R, double> ? static_cast<R>(0x1p-479) : static_cast<R>(0x1p-49);
}

template <class R, int N, class Ex>
struct BatchSmallValues {
  static constexpr int stride = batch_small_stride, most_iterations = 40;
  Ex ex;
  int n;
  bool vectors;
  R d, e;
  typename Ex::template Shared<R> z;  // element (r, i) of Z at i stride + the lane of row r
  int lane = ex.thread(), row = lane % N, base = lane - row;

  // False if a value did not converge. Without vectors Z is not touched.
  ONEPASS_DEVICE bool solve() {
    if (vectors)
      for (int i = 0; i < n; ++i) z.put(i * stride + lane, i == row ? R{1} : R{0});
    const R size = row < n ? larger(absolute(d), row + 1 < n ? 2 * absolute(e) : R{0}) : R{0};
    // Rows may be far smaller than the matrix they are of, whose largest value is 0.5 at least: an e whose square a
    // sweep takes for nothing is nothing beside that, and no sweep would make it smaller.
    const R negligible =
        larger(group_largest<N>(ex, size) * (std::numeric_limits<R>::epsilon() / 4), smallest_rotated<R>());
    int first = 0, left = most_iterations;
    bool converged = true;
    for (;;) {
      // Up to the first e that is negligible.
      const bool ends = row >= first && row < n && (row == n - 1 || absolute(e) <= negligible);
      const int last = -group_largest<N>(ex, ends ? -row : 1 - n);
      const bool found = last <= first;
      if (!found && left-- == 0) {
        converged = false;
        first = n;
      }
      const int length = found || first >= n ? 0 : last - first;
      const int longest = warp_largest(length);
      if (longest > 0) sweep(first, last, length, longest);
      if (found) {
        ++first;
        left = most_iterations;
      }
      if (warp_largest(n - first) <= 0) return converged;
    }
  }

  // The place of the value of this row among all, ascending; rows behind the last keep theirs.
  ONEPASS_DEVICE int rank() const {
    int before = 0;
    for (int i = 0; i < n; ++i) {
      const R other = ex.shuffle_each(d, base + i);
      if (other < d || (other == d && i < row)) ++before;
    }
    return row < n ? before : row;
  }

 private:
  // Of what the lanes of a matrix have in common.
  ONEPASS_DEVICE int warp_largest(int value) const { return N == 32 ? value : group_largest<32>(ex, value); }
  ONEPASS_DEVICE R of(R value, int i) const { return ex.shuffle_each(value, base + (i < 0 ? 0 : i < N ? i : N - 1)); }

  // One step with Wilkinson's shift in rows first to last, if there are `length` rotations for this matrix. All lanes
  // of the warp make `longest` of them; those that are too many change nothing.
  ONEPASS_DEVICE void sweep(int first, int last, int length, int longest) {
    const R top = of(d, first), beside = of(e, first), below = of(d, first + 1);
    R d_next = of(d, last), g = (below - top) * ex.reciprocal(2 * beside);
    const R hypotenuse = square_root(ex, g * g + 1);
    g = d_next - top + beside * ex.reciprocal(g < 0 ? g - hypotenuse : g + hypotenuse);
    R s = 1, c = 1, p = 0;
    bool active = length > 0, whole = active;
    const bool rotates = vectors && active;
    R z_next = rotates ? z.get(last * stride + lane) : R{0};
    R e_i = of(e, last - 1), d_i = of(d, last - 1), z_i = rotates ? z.get((last - 1) * stride + lane) : R{0};
    for (int step = 0; step < longest; ++step) {
      const int i = last - 1 - step;
      active = active && i >= first;
      // Of the next rotation, on their way meanwhile.
      const R e_ahead = of(e, i - 1), d_ahead = of(d, i - 1);
      const R z_ahead = vectors && active && i > first ? z.get((i - 1) * stride + lane) : R{0};
      const R f = s * e_i, b = c * e_i, square = f * f + g * g;
      if (active && square < smallest_square<R>()) {  // both are nothing beside T
        if (row == i + 1) {
          d = d_next - p;
          e = 0;
        }
        if (row == last) e = 0;
        if (vectors) z.put((i + 1) * stride + lane, z_next);
        active = whole = false;
      }
      const R inverse = ex.reciprocal_sqrt(square);
      if (!active) continue;
      if (row == i + 1) e = square * inverse;
      s = f * inverse;
      c = g * inverse;
      g = d_next - p;
      const R r = (d_i - g) * s + 2 * c * b;
      p = s * r;
      if (row == i + 1) d = g + p;
      g = c * r - b;
      if (vectors) z.put((i + 1) * stride + lane, s * z_i + c * z_next);
      z_next = c * z_i - s * z_next;
      d_next = d_i;
      e_i = e_ahead;
      d_i = d_ahead;
      z_i = z_ahead;
    }
    if (!whole) return;
    if (row == first) {
      d = d_next - p;
      e = g;
    }
    if (row == last) e = 0;
    if (vectors) z.put(first * stride + lane, z_next);
  }
};

}  // namespace onepass::kernels
