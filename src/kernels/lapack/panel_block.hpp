// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the blocks of a panel kernel find of the numbers that all blocks have published, always in the same order.
#pragma once

#include "kernels/lapack/reflector.hpp"
#include "kernels/lapack/stream_shared.hpp"

namespace onepass::kernels {

// Numbers first, first + step, ... of each block, as many as fit into `count`, published at numbers[number * blocks +
// block] and summed up by a warp: lane l has the sum of number first + (l / 4) step.
template <class A, class Ex>
ONEPASS_DEVICE A sums_over_blocks(Ex ex, const A* numbers, int first, int step, int count) {
  const int lane = ex.thread() & 31, blocks = static_cast<int>(ex.grid_x());
  A sum[8] = {};
#pragma unroll 1
  for (int b0 = 0; b0 < blocks; b0 += 3 * 32) {
#pragma unroll
    for (int i = 0; i < 8; ++i)
      if (first + i * step < count) {
        A number[3];
#pragma unroll
        for (int q = 0; q < 3; ++q) {
          const int b = b0 + q * 32 + lane;
          number[q] = b < blocks ? ex.load_fresh(numbers + (first + i * step) * blocks + b) : A{};
        }
        sum[i] = sum[i] + number[0] + number[1] + number[2];
      }
  }
  return transposed_sum<8>(ex, sum);
}

// One number of each block, by every warp.
template <class R, class Ex>
ONEPASS_DEVICE R sum_over_blocks(Ex ex, const R* numbers) {
  const int lane = ex.thread() & 31, blocks = static_cast<int>(ex.grid_x());
  R sum = 0;
#pragma unroll 1
  for (int b0 = 0; b0 < blocks; b0 += 5 * 32) {
    R number[5];
#pragma unroll
    for (int q = 0; q < 5; ++q) {
      const int b = b0 + q * 32 + lane;
      number[q] = b < blocks ? ex.load_fresh(numbers + b) : R{0};
    }
#pragma unroll
    for (int q = 0; q < 5; ++q) sum += number[q];
  }
  for (int mask = 16; mask > 0; mask /= 2) sum += ex.shuffle_xor(sum, mask);
  return sum;
}

// Element `at` of the vectors that all blocks have published: every `parts`th of them.
template <class A, class Ex>
ONEPASS_DEVICE A sum_of_vectors(Ex ex, const A* vectors, std::int64_t pitch, int at, int part, int parts) {
  const int blocks = static_cast<int>(ex.grid_x());
  A sum{};
  constexpr int batch = sizeof(A) == 16 ? 6 : 9;
#pragma unroll 1
  for (int b = part; b < blocks; b += batch * parts) {
    A number[batch];
#pragma unroll
    for (int q = 0; q < batch; ++q)
      number[q] = b + q * parts < blocks ? ex.load_fresh(vectors + (b + q * parts) * pitch + at) : A{};
#pragma unroll
    for (int q = 0; q < batch; ++q) sum = sum + number[q];
  }
  return sum;
}

// The reflector of (alpha, x) in a matrix whose norm is about 1. An x so small that its squares are lost is taken for
// zero, which is far below what rounding does to the matrix.
template <class A, class Ex>
ONEPASS_DEVICE Reflector<A> reflector_of_column(Ex ex, A alpha, RealOf<A> norm2) {
  using R = RealOf<A>;
  if (!(norm2 < smallest_square<R>())) return reflector(ex, alpha, norm2);
  const R power = ex.power_of_two_near_reciprocal(larger(absolute(real_part(alpha)), absolute(imaginary_part(alpha))));
  Reflector<A> h = reflector(ex, from_real<A>(power) * alpha, R{0});
  h.beta = h.beta * ex.power_of_two_near_reciprocal(power);
  h.scale = A{};
  return h;
}

}  // namespace onepass::kernels
