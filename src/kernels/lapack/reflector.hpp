// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the panel kernels of reductions share: arithmetic, sums over a block, Householder reflectors, the grid barrier.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernels/blocks/columns.hpp"
#include "numbers/scalar.hpp"

namespace onepass::kernels {

template <class T>
ONEPASS_DEVICE T conjugate(T v) {
  return conjugate_if(true, v);
}
template <class T>
ONEPASS_DEVICE RealOf<T> real_part(T v) {
  if constexpr (is_complex<T>)
    return v.re;
  else
    return v;
}
template <class T>
ONEPASS_DEVICE RealOf<T> imaginary_part(T v) {
  if constexpr (is_complex<T>)
    return v.im;
  else
    return 0;
}
template <class T>
ONEPASS_DEVICE RealOf<T> abs2(T v) {
  return real_part(v) * real_part(v) + imaginary_part(v) * imaginary_part(v);
}
template <class T>
ONEPASS_DEVICE T from_real(RealOf<T> v) {
  if constexpr (is_complex<T>)
    return {v, RealOf<T>{0}};
  else
    return v;
}
template <class R>
ONEPASS_DEVICE Complex<R> operator-(Complex<R> a, Complex<R> b) {
  return {a.re - b.re, a.im - b.im};
}
// s - a b
template <class T>
ONEPASS_DEVICE T subtract_product(T s, T a, T b) {
  if constexpr (is_complex<T>)
    return multiply_add(s, T{-a.re, -a.im}, b);
  else
    return multiply_add(s, -a, b);
}
template <class R>
ONEPASS_DEVICE R larger(R a, R b) {
  return a > b ? a : b;
}
template <class R>
ONEPASS_DEVICE R absolute(R a) {
  return a < 0 ? -a : a;
}

// Below this a sum of squares may have lost terms to underflow.
template <class R>
ONEPASS_DEVICE constexpr R smallest_square() {
  return std::is_same_v<R, double> ? static_cast<R>(0x1p-960) : static_cast<R>(0x1p-100);
}

// In every lane of a warp, with the same bits.
template <class T, class Ex>
ONEPASS_DEVICE T warp_sum(Ex ex, T value) {
  for (int mask = 16; mask > 0; mask /= 2) value = value + ex.shuffle_xor(value, mask);
  return value;
}

// Sums of N values over so many neighbouring lanes of a warp, or over every `apart`th of them: lane l of them gets that
// of value l N / lanes, rounded down. In each shuffle a lane gives half of its values to its partner, as long as it has
// several.
template <int N, int lanes = 32, int apart = 1, class T, class Ex>
ONEPASS_DEVICE T transposed_sum(Ex ex, T (&value)[N]) {
  const int lane = ex.thread() & 31;
  int mask = lanes / 2;
  if constexpr (N > 1) {
#pragma unroll
    for (int half = N / 2; half > 0; half /= 2, mask /= 2) {
      const bool upper = (lane & mask) != 0;
#pragma unroll
      for (int i = 0; i < half; ++i) {
        const T kept = choose(upper, value[i + half], value[i]), given = choose(upper, value[i], value[i + half]);
        value[i] = kept + ex.shuffle_xor(given, mask);
      }
    }
  }
  T total = value[0];
  for (; mask >= apart; mask /= 2) total = total + ex.shuffle_xor(total, mask);
  return total;
}

// Sums of N values over a block of W warps, the same bits in every thread. `sums`: 2 N W numbers, `buffer` is the half
// that is used.
template <int W, int N, class R, class Ex>
ONEPASS_DEVICE void block_sums(Ex ex, const typename Ex::template Shared<R>& sums, int buffer, R (&value)[N]) {
  const int lane = ex.thread() & 31, warp = ex.thread() >> 5, at = buffer * N * W;
  constexpr int width = 32 / N;
  const R total = transposed_sum<N>(ex, value);
  if (lane % width == 0) sums.put(at + (lane / width) * W + warp, total);
  ex.sync();
#pragma unroll
  for (int q = 0; q < N; ++q) {
    R all{};
#pragma unroll
    for (int w = 0; w < W; ++w) all += sums.get(at + q * W + w);
    value[q] = all;
  }
}

// H = I - tau (1, v) (1, v)^H with H^H (alpha, x) = (beta, 0) and v = (x power) scale.
template <class A>
struct Reflector {
  using R = RealOf<A>;
  A tau{}, scale{};
  R beta{}, power{1};
  R norm2{};  // |v|^2
  R terms{};  // the size of what it was summed from, at least itself: its error is some eps of this

  ONEPASS_DEVICE A apply(A x) const { return from_real<A>(power) * x * scale; }
};

// From alpha and |x|^2, which is positive, or alpha is to be made real. `terms`: of what |x|^2 is left.
template <class A, class Ex>
ONEPASS_DEVICE Reflector<A> reflector(Ex ex, A alpha, RealOf<A> norm2, RealOf<A> terms = 0) {
  using R = RealOf<A>;
  const R re = real_part(alpha), im = imaginary_part(alpha);
  Reflector<A> h;
  h.beta = re;
  if (!(norm2 > 0) && im == 0) return h;
  const R square = re * re + (im * im + norm2), inverse = ex.reciprocal_sqrt(square), length = square * inverse;
  const R sign = re < 0 ? R{-1} : R{1}, sum = absolute(re) + length;
  h.beta = -sign * length;
  if constexpr (is_complex<A>) {
    h.tau = {R{1} + absolute(re) * inverse, im * (sign * inverse)};
    const R over = ex.reciprocal(sum * sum + im * im);
    h.scale = {sign * sum * over, -im * over};
  } else {
    h.tau = R{1} + absolute(re) * inverse;
    h.scale = sign * ex.reciprocal(sum);
  }
  h.norm2 = norm2 * abs2(h.scale);
  h.terms = larger(norm2, terms) * abs2(h.scale);
  return h;
}

// |u - gamma x|^2 beyond an element, from |u|^2 and x* u beyond it, summed before gamma is known. `rest`: |x|^2 beyond
// it, by subtraction from that of the reflector h of x.
template <class A>
struct NextNorm {
  using R = RealOf<A>;
  R norm2, terms;

  ONEPASS_DEVICE NextNorm(R u2, A cross, A gamma, R rest, const Reflector<A>& h)
      : norm2(u2 - 2 * real_part(conjugate(gamma) * cross) + abs2(gamma) * rest), terms(u2 + abs2(gamma) * h.terms) {}
  // Whether it has to be summed plainly. The terms of h are those of the step before: errors that grew from step to
  // step, however slowly, would not be seen in this step alone.
  ONEPASS_DEVICE bool lost(A alpha) const {
    return norm2 < R{0.25} * terms || terms + abs2(alpha) < smallest_square<R>();
  }
};

// From alpha and the elements of x themselves, RT in each thread of the block, scaled so that no square overflows or is
// lost.
template <int RT, class A, class Ex>
ONEPASS_DEVICE Reflector<A> plain_reflector(Ex ex, const typename Ex::template Shared<RealOf<A>>& sums, int buffer,
                                            const A (&x)[RT], A alpha) {
  using R = RealOf<A>;
  constexpr int W = 8;
  R largest = larger(absolute(real_part(alpha)), absolute(imaginary_part(alpha)));
#pragma unroll
  for (int r = 0; r < RT; ++r)
    largest = larger(largest, larger(absolute(real_part(x[r])), absolute(imaginary_part(x[r]))));
  for (int mask = 16; mask > 0; mask /= 2) largest = larger(largest, ex.shuffle_xor(largest, mask));
  ex.sync();  // the sums before were read
  if ((ex.thread() & 31) == 0) sums.put(ex.thread() >> 5, largest);
  ex.sync();
#pragma unroll
  for (int w = 0; w < W; ++w) largest = larger(largest, sums.get(w));
  ex.sync();
  const R power = ex.power_of_two_near_reciprocal(largest);
  R value[1] = {};
#pragma unroll
  for (int r = 0; r < RT; ++r) value[0] += abs2(from_real<A>(power) * x[r]);
  block_sums<W>(ex, sums, buffer, value);
  Reflector<A> h = reflector(ex, from_real<A>(power) * alpha, value[0]);
  h.beta = h.beta * ex.power_of_two_near_reciprocal(power);
  h.power = power;
  ex.sync();
  return h;
}

// All blocks of a grid that are on the device at once meet here. `counter` is zero at the start of the launch.
template <class Ex>
struct GridBarrier {
  Ex ex;
  std::uint32_t* counter;
  std::uint32_t* timed_out;
  std::uint32_t target = 0;

  ONEPASS_DEVICE void wait() { ex.grid_barrier(counter, next(), timed_out); }
  // meanwhile() is called between the block's arrival and the others': it may do what needs no other block.
  template <class Meanwhile>
  ONEPASS_DEVICE void wait(Meanwhile meanwhile) {
    ex.grid_barrier(counter, next(), timed_out, meanwhile);
  }

 private:
  ONEPASS_DEVICE std::uint32_t next() { return target += static_cast<std::uint32_t>(ex.grid_x()); }
};

}  // namespace onepass::kernels
