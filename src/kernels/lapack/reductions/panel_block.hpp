// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the blocks of a panel kernel find of the numbers that all blocks have published, always in the same order.
#pragma once

#include "kernels/lapack/reductions/stream_shared.hpp"
#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

// Numbers warp, warp + 8, ... of `count`, published by blocks 0..publishers - 1 at numbers[number * publishers +
// block]: loaded by a warp, and summed up later. Each time that a warp waits for them costs more than the loads do; so
// where there are few numbers, more blocks' are loaded at once.
template <class A>
struct NumbersOfBlocks {
  static constexpr int few = 4, many = 8;                                            // numbers of a warp
  static constexpr int blocks_of_few = 4, blocks_of_many = sizeof(A) == 16 ? 2 : 4;  // times 32
  static constexpr int room = many * blocks_of_many;
  const A* numbers;
  int count, publishers;
  A number[room];

  template <class Ex>
  ONEPASS_DEVICE NumbersOfBlocks(Ex ex, const void* published, int count_of, int publisher_count)
      : numbers(static_cast<const A*>(published)), count(count_of), publishers(publisher_count) {
    if (are_few())
      load<few, blocks_of_few>(ex, 0);
    else
      load<many, blocks_of_many>(ex, 0);
  }
  // Lane l has the sum of number warp + 8 (l / 4).
  template <class Ex>
  ONEPASS_DEVICE A sum(Ex ex) {
    if (!are_few()) return sum_of<many, blocks_of_many>(ex);
    return ex.shuffle_each(sum_of<few, blocks_of_few>(ex), (ex.thread() & 31) / 4 % few * (32 / few));
  }

 private:
  ONEPASS_DEVICE bool are_few() const { return blocks_of_few > blocks_of_many && count <= few * stream_warps; }
  template <int N, int batch, class Ex>
  ONEPASS_DEVICE A sum_of(Ex ex) {
    A sum[N] = {};
#pragma unroll 1
    for (int first = 0;;) {
#pragma unroll
      for (int i = 0; i < N; ++i)
#pragma unroll
        for (int q = 0; q < batch; ++q) sum[i] = sum[i] + number[i * batch + q];
      first += batch * 32;
      if (first >= publishers) break;
      load<N, batch>(ex, first);
    }
    return transposed_sum<N>(ex, sum);
  }
  template <int N, int batch, class Ex>
  ONEPASS_DEVICE void load(Ex ex, int first) {
    const int lane = ex.thread() & 31, warp = ex.thread() >> 5;
    const A* from = numbers + warp * publishers + first + lane;
    bool wanted[batch];
#pragma unroll
    for (int q = 0; q < batch; ++q) wanted[q] = first + q * 32 + lane < publishers;
#pragma unroll
    for (int i = 0; i < N; ++i, from += stream_warps * publishers)
#pragma unroll
      for (int q = 0; q < batch; ++q)
        number[i * batch + q] = ex.load_fresh_if(wanted[q] && warp + stream_warps * i < count, from + q * 32);
  }
};

// One number of each of some blocks: loaded by every warp, and summed up later.
template <class R>
struct NumberOfBlocks {
  static constexpr int batch = 5;  // times 32 blocks
  const R* numbers;
  int publishers;
  R number[batch];

  template <class Ex>
  ONEPASS_DEVICE NumberOfBlocks(Ex ex, const void* published, int publisher_count)
      : numbers(static_cast<const R*>(published)), publishers(publisher_count) {
    load(ex, 0);
  }
  template <class Ex>
  ONEPASS_DEVICE R sum(Ex ex) {
    R sum = 0;
#pragma unroll 1
    for (int first = 0;;) {
#pragma unroll
      for (int q = 0; q < batch; ++q) sum += number[q];
      first += batch * 32;
      if (first >= publishers) break;
      load(ex, first);
    }
    for (int mask = 16; mask > 0; mask /= 2) sum += ex.shuffle_xor(sum, mask);
    return sum;
  }

 private:
  template <class Ex>
  ONEPASS_DEVICE void load(Ex ex, int first) {
#pragma unroll
    for (int q = 0; q < batch; ++q) {
      const int b = first + q * 32 + (ex.thread() & 31);
      number[q] = ex.load_fresh_if(b < publishers, numbers + b);
    }
  }
};

// Elements `at`, at + 32, ... of the vectors that all teams of blocks have published, where wanted: every `parts`th of
// them.
template <int count, class A, class Ex>
ONEPASS_DEVICE void sums_of_vectors(Ex ex, const A* vectors, std::int64_t pitch, int teams, int at,
                                    const bool (&wanted)[count], int part, int parts, A (&sum)[count]) {
  constexpr int batch = 16 / count;
  const A* from = vectors + part * pitch + at;
#pragma unroll
  for (int i = 0; i < count; ++i) sum[i] = A{};
#pragma unroll 1
  for (int b = part; b < teams; b += batch * parts) {
    A number[batch][count];
#pragma unroll
    for (int q = 0; q < batch; ++q, from += parts * pitch)
#pragma unroll
      for (int i = 0; i < count; ++i)
        number[q][i] = ex.load_fresh_if(wanted[i] && b + q * parts < teams, from + 32 * i);
#pragma unroll
    for (int q = 0; q < batch; ++q)
#pragma unroll
      for (int i = 0; i < count; ++i) sum[i] = sum[i] + number[q][i];
  }
}
template <class A, class Ex>
ONEPASS_DEVICE A sum_of_vectors(Ex ex, const A* vectors, std::int64_t pitch, int teams, int at, int part, int parts) {
  A sum[1];
  sums_of_vectors<1>(ex, vectors, pitch, teams, at, {true}, part, parts, sum);
  return sum[0];
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
