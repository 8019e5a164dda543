// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Eigenvalues of a symmetric tridiagonal matrix by bisection, 32 intervals at a time: a warp has one eigenvalue, and a
// lane counts how many lie below one of 31 points.
//
//   p_i = (d_i - x) p_(i-1) - e_(i-1)^2 p_(i-2);   as many eigenvalues are below x as there are changes of sign
//
// The computed p are those of a matrix whose d_i differ by 2 eps |d_i - x| and e_i by 2 eps |e_i|: counts are right but
// for points closer to an eigenvalue than some eps |T|. Every 16 rows p_i and p_(i-1) are multiplied by one power of
// two. All of it is in double precision, also for float.
//
// Of a bidiagonal matrix B the n largest eigenvalues of the matrix T of Golub and Kahan are the singular values: T has
// order 2 n, a zero diagonal, and d_1, e_1, d_2, e_2 ... beside it, which are read from where B has them.
//
// Ascending without a sort (of B descending), whatever counts near an eigenvalue may be: all warps begin with one
// interval and cut it in the same way, so that two warps are in one interval, with the same counts, or in two that are
// in order.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "kernels/lapack/reflector.hpp"
#include "kernels/lapack/solvers/bisection_args.hpp"
#include "kernels/lapack/solvers/form.hpp"

namespace onepass::kernels {

template <class R, Form form = Form::tridiagonal>
struct Bisection {
  static constexpr bool bidiagonal = form == Form::bidiagonal;
  static constexpr int max_threads = bisection_threads, min_blocks = 8;
  static constexpr int rows_at_once = bisection_rows * (bidiagonal ? 2 : 1);
  // 5 bits of 2 |T| each (of |T|, where none is negative): down to 2^-54 |T| and 2^-29 |T|.
  static constexpr int passes = std::is_same_v<R, double> ? 11 : 6, unroll = 16;
  static constexpr double last_step = std::is_same_v<R, double> ? 0x1p-54 : 0x1p-29;

  struct alignas(16) WholeRow {
    double d, e2;
  };
  using Row = std::conditional_t<bidiagonal, double, WholeRow>;  // without a diagonal e2 alone

  template <class Ex>
  struct Block {
    Ex ex;
    const BisectionArgs& g;
    typename Ex::template Shared<Row> rows;
    double scale = 1;  // an eighth of it is applied

    ONEPASS_DEVICE int order() const { return bidiagonal ? 2 * g.n : g.n; }  // of T
    // How many of the rows from `first` on are in shared memory at a time.
    ONEPASS_DEVICE int rows_from(int first) const {
      const int left = order() - first;
      return left < rows_at_once ? left : rows_at_once;
    }
    static ONEPASS_DEVICE int padded(int count) { return (count + unroll - 1) / unroll * unroll; }

    // Rows from `first` on, up to a multiple of `unroll` of them. Those behind the last change no sign, or, without a
    // diagonal, always.
    ONEPASS_DEVICE void load_rows(int first, int count) const {
      if constexpr (bidiagonal)
        load_coupling(first, count);
      else
        load_whole(first, count);
    }
    ONEPASS_DEVICE void load_coupling(int first, int count) const {
      for (int i = ex.thread(); i < count; i += ex.threads()) {
        const int row = first + i;
        const bool there = row > 0 && row < order();
        const int at = there ? (row - 1) / 2 : 0;
        const auto e = static_cast<double>(
            ex.load_cached_if(there, (row % 2 != 0 ? static_cast<const R*>(g.d) : static_cast<const R*>(g.e)) + at));
        const double part = e * scale * 0.125;
        rows.put(i, part * part);
      }
    }
    ONEPASS_DEVICE void load_whole(int first, int count) const {
      for (int i = ex.thread(); i < count; i += ex.threads()) {
        const int row = first + i;
        const bool there = row < g.n, coupled = there && row > 0;
        const auto d = static_cast<double>(ex.load_cached_if(there, static_cast<const R*>(g.d) + row));
        const auto e =
            static_cast<double>(ex.load_cached_if(coupled, static_cast<const R*>(g.e) + (coupled ? row - 1 : 0)));
        const double part = e * scale * 0.125;
        rows.put(i, {there ? d * scale * 0.125 : 2, part * part});
      }
    }

    // Two neighbours of the sequence.
    struct Pair {
      double last = 1, before = 0;
    };
    static ONEPASS_DEVICE std::uint32_t high_word(double v) {
      return static_cast<std::uint32_t>(std::bit_cast<std::uint64_t>(v) >> 32);
    }
    static ONEPASS_DEVICE std::uint32_t exponent_bits(double v) { return high_word(v) & 0x7ff00000u; }
    // The larger of both between 1 and 2.
    static ONEPASS_DEVICE Pair normalized(Pair p) {
      const std::uint32_t one = exponent_bits(p.last), two = exponent_bits(p.before), large = one > two ? one : two;
      const auto power = std::bit_cast<double>(static_cast<std::uint64_t>(0x7fe00000u - large) << 32);
      return {p.last * power, p.before * power};
    }
    // Their signs, the newest in the lowest bit.
    static ONEPASS_DEVICE std::uint32_t with_sign(std::uint32_t signs, double v) {
      return signs << 1 | high_word(v) >> 31;
    }
    static ONEPASS_DEVICE int changes_of_sign(std::uint32_t signs) {
      std::uint32_t bits = (signs ^ signs >> 1) & 0xffffu;  // how many of 16 are set, in ever longer fields
      bits = bits - (bits >> 1 & 0x5555u);
      bits = (bits & 0x3333u) + (bits >> 2 & 0x3333u);
      bits = (bits + (bits >> 4)) & 0x0f0fu;
      return static_cast<int>((bits + (bits >> 8)) & 0x1fu);
    }

    ONEPASS_DEVICE double next(Pair p, double x, int i) const {
      const Row row = rows.get(i);
      if constexpr (bidiagonal)
        return -x * p.last - row * p.before;
      else
        return (row.d - x) * p.last - row.e2 * p.before;
    }
    ONEPASS_DEVICE Pair step_rows(Pair p, double x, int first, std::uint32_t* signs) const {
#pragma unroll
      for (int i = 0; i < unroll; ++i) {
        p = {next(p, x, first + i), p.last};
        *signs = with_sign(*signs, p.last);
      }
      return p;
    }
    // d_i = x, or nearly so, where rows are hardly coupled makes all that follows zero: such a p is taken for a small
    // one, of the sign of the last if it is zero, so that x is not above that eigenvalue. Where p became so small it is
    // done again in this way.
    ONEPASS_DEVICE Pair step_rows_carefully(Pair p, double x, int first, std::uint32_t* signs) const {
#pragma unroll 1
      for (int i = 0; i < unroll; ++i) {
        const double least = p.last * 0x1p-70;
        double value = next(p, x, first + i);
        if (absolute(value) < absolute(least)) value = value == 0 || (value < 0) == (least < 0) ? least : -least;
        *signs = with_sign(*signs, value);
        p = {value, p.last};
        if (i == unroll / 2 - 1) p = normalized(p);
      }
      return p;
    }

    // How many eigenvalues of the scaled matrix are below x; of all threads at once.
    ONEPASS_DEVICE int count(double x) const {
      constexpr std::uint32_t small = (1023u - 600u) << 20;  // of 2^-600: above it none in between lost a digit
      Pair p;
      int changes = 0;
      std::uint32_t last_sign = 0;
      for (int first = 0; first < order(); first += rows_at_once) {
        const int there = rows_from(first), all = padded(there);
        if (order() > rows_at_once) {
          ex.sync();
          load_rows(first, all);
          ex.sync();
        }
        if constexpr (bidiagonal) changes -= all - there;
        for (int i = 0; i < all; i += unroll) {
          std::uint32_t signs = last_sign;
          Pair after = step_rows(p, x, i, &signs);
          if (exponent_bits(after.last) < small) {
            signs = last_sign;
            after = step_rows_carefully(p, x, i, &signs);
          }
          changes += changes_of_sign(signs);
          last_sign = signs & 1;
          p = normalized(after);
        }
      }
      return changes;
    }

    // The largest of all threads.
    ONEPASS_DEVICE double block_largest(double value, int at) const {
      const auto numbers = ex.template shared<double>(bisection_rows * 16);
      for (int mask = 16; mask > 0; mask /= 2) value = larger(value, ex.shuffle_xor(value, mask));
      if ((ex.thread() & 31) == 0) numbers.put(at * bisection_warps + (ex.thread() >> 5), value);
      ex.sync();
#pragma unroll
      for (int w = 0; w < bisection_warps; ++w) value = larger(value, numbers.get(at * bisection_warps + w));
      return value;
    }
  };

  // A quarter of Gershgorin's bound, which cannot overflow; and 1 if not everything is finite.
  struct Bound {
    double value = 0, not_finite = 0;
  };
  // Of every `each`th row from `first` on.
  template <class Ex>
  static ONEPASS_DEVICE Bound bound_of_rows(Ex ex, const BisectionArgs& g, int first, int each) {
    Bound bound;
    for (int i = first; i < g.n; i += each) {
      const auto d = static_cast<double>(ex.load_cached(static_cast<const R*>(g.d) + i));
      const auto left = static_cast<double>(ex.load_cached_if(i > 0, static_cast<const R*>(g.e) + (i > 0 ? i - 1 : 0)));
      const auto right = static_cast<double>(ex.load_cached_if(i + 1 < g.n, static_cast<const R*>(g.e) + i));
      const double sum = 0.25 * absolute(d) + 0.25 * absolute(left) + 0.25 * absolute(right);
      if (!(sum <= 0x1.fffffffffffffp+1023)) bound.not_finite = 1;
      bound.value = larger(bound.value, sum);
    }
    return bound;
  }

  template <class Ex>
  static ONEPASS_DEVICE void run(Ex ex, const BisectionArgs& g) {
    Block<Ex> block{ex, g, ex.template shared<Row>(0)};
    const int lane = ex.thread() & 31;
    const int mine = static_cast<int>(ex.block_x()) * bisection_warps + (ex.thread() >> 5);

    const Bound part = bound_of_rows(ex, g, ex.thread(), max_threads);
    const double bound = block.block_largest(part.value, 0), not_finite = block.block_largest(part.not_finite, 1);
    if (mine == 0 && lane == 0) ex.store(g.info, not_finite > 0 ? g.n : 0);
    if (not_finite > 0) {
      if (mine < g.count && lane == 0) ex.store(static_cast<R*>(g.w) + mine, std::numeric_limits<R>::quiet_NaN());
      if (mine == 0 && lane == 0 && g.found != nullptr) ex.store(g.found, 0);
      return;
    }
    block.scale = ex.power_of_two_near_reciprocal(bound);
    if (block.order() <= rows_at_once) {
      block.load_rows(0, block.padded(block.order()));
      ex.sync();
    }

    int index = bidiagonal ? block.order() - 1 - g.first - mine : g.first + mine, found = g.count;
    if (!bidiagonal && g.by_value) {
      // An eigenvalue that is equal to an end is below the point behind it.
      const double end = (lane == 0 ? g.lower : g.upper) * block.scale * 0.125;
      const int below = block.count((end < -1 ? -1 : end > 1 ? 1 : end) + 0x1p-53);
      const int other = ex.shuffle_xor(below, 1);
      int from = lane == 0 ? below : 0, to = lane == 0 ? other : 0;
      for (int mask = 16; mask > 0; mask /= 2) {
        from += ex.shuffle_xor(from, mask);
        to += ex.shuffle_xor(to, mask);
      }
      found = to > from ? to - from : 0;
      index = from + mine;
    }
    if (mine == 0 && lane == 0 && g.found != nullptr) ex.store(g.found, found);

    // lo <= eigenvalue < lo + 32 step
    double lo = bidiagonal ? 0 : -1, step = bidiagonal ? 0x1p-5 : 0x1p-4;
    for (int pass = 0; pass < passes; ++pass) {
      const int below = block.count(lo + (lane + 1) * step);
      int interval = lane < 31 && below > index ? lane : 31;
      for (int mask = 16; mask > 0; mask /= 2) {
        const int other = ex.shuffle_xor(interval, mask);
        interval = other < interval ? other : interval;
      }
      lo = lo + interval * step;
      step *= 0x1p-5;
    }
    if (mine < found && mine < g.count && lane == 0)
      ex.store(static_cast<R*>(g.w) + mine, static_cast<R>(lo * 8 * ex.power_of_two_near_reciprocal(block.scale)));
  }
};

}  // namespace onepass::kernels
