// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a warp of rank_2k.hpp has in its registers: a tile of 32 x 32 real numbers of C, and their products by the
// tensor cores. What mma calls rows are columns of C, so that numbers side by side in a thread are adjacent in memory.
//
// A thread has four columns, each (m, h) of 0, 1, and of each column 8 numbers in vectors of 16 bytes.
//
// A complex number is two real ones below each other. In P Q^H with p = p' + i p'' and q = q' + i q'':
//   real part       p' q' + p'' q''
//   imaginary part  p'' q' - p' q''
// so there are twice as many terms, P's pairs alternate between (p', p'') and (p'', -p'), and Q's are (q', q'').
#pragma once

#include "kernels/lapack/reflector.hpp"

namespace onepass::kernels {

template <class A, class R = RealOf<A>>
struct Rank2kProducts;

// In double precision the products are added to - C.
template <class A>
struct Rank2kProducts<A, double> {
  static constexpr int in_vector = 2, vectors = 4;  // numbers of a column
  static constexpr int padding = 4;  // elements behind a column in shared memory: lanes find theirs in different banks
  static constexpr int reals = is_complex<A> ? 2 : 1;

  double sum[2][4][4] = {};  // columns by 16, rows by 8
  int group, lane;           // of four lanes, and the lane in it

  ONEPASS_DEVICE explicit Rank2kProducts(int thread) : group(thread % 32 / 4), lane(thread % 4) {}
  // In the warp's tile.
  ONEPASS_DEVICE int row(int vector) const { return 8 * vector + 2 * lane; }
  ONEPASS_DEVICE int column(int m, int h) const { return 16 * m + 8 * h + group; }
  // Of C, before begin().
  ONEPASS_DEVICE double* numbers(int m, int h, int vector) { return &sum[m][vector][2 * h]; }
  template <class Ex>
  ONEPASS_DEVICE void begin(Ex ex) {
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
      for (int n = 0; n < 4; ++n)
#pragma unroll
        for (int e = 0; e < 4; ++e) sum[m][n][e] = result(ex, sum[m][n][e]);
  }
  // What such a number of C has become. A sign that is not flipped by the arithmetic of doubles, which the tensor cores
  // are waiting for.
  template <class Ex>
  static ONEPASS_DEVICE double result(Ex ex, double number) {
    return ex.flip_sign_if(true, number);
  }

  // Sixteen real terms more. The first of the warp's rows and columns in shared memory, in real numbers.
  template <int row_pitch, int column_pitch, class Ex>
  ONEPASS_DEVICE void multiply(Ex ex, int of_rows, int of_columns) {
    const auto shared = ex.template shared<double>(0);
    // Of a complex number: which of its parts this lane has, for a row with its sign.
    const int odd_row = group % 2, odd_term = lane % 2;
#pragma unroll
    for (int k = 0; k < 16; k += 4) {
      const int term = k + lane;
      double a[2][2], b[4];
#pragma unroll
      for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int h = 0; h < 2; ++h)
          a[m][h] = shared.get(of_columns + (is_complex<A> ? term / 2 * column_pitch * 2 + 2 * column(m, h) + odd_term
                                                           : term * column_pitch + column(m, h)));
#pragma unroll
      for (int n = 0; n < 4; ++n) {
        const int i = n * 8 + group;
        if constexpr (is_complex<A>) {
          const double number = shared.get(of_rows + term / 2 * row_pitch * 2 + i - odd_row + (odd_row ^ odd_term));
          b[n] = ex.flip_sign_if(odd_row == 1 && odd_term == 1, number);
        } else {
          b[n] = shared.get(of_rows + term * row_pitch + i);
        }
      }
#pragma unroll
      for (int m = 0; m < 2; ++m)
#pragma unroll
        for (int n = 0; n < 4; ++n) ex.matrix_multiply_add(sum[m][n], a[m], b[n]);
    }
  }
};

// In single precision a number is the sum of two with 11 bits, of whose products all but that of both lower halves are
// added up: (x + x') (y + y') = x' y + x y' + x y + some 2^-24. The tensor cores cut sums off rather than round them,
// so that they sum up 16 terms from zero; those are taken off C by the ordinary units.
//
// Rows and terms may have any order. A lane loads four adjacent numbers at once, rows or columns of four products, and
// in such an order that the lanes find them in different banks and have 16 bytes of C at a time. Of complex numbers it
// has both terms.
template <class A>
struct Rank2kProducts<A, float> {
  static constexpr int in_vector = 4, vectors = 2;
  static constexpr int reals = is_complex<A> ? 2 : 1, padding = 4 / reals;

  float held[2][2][2][4] = {};  // of C: m, h, vector
  int group, lane;

  ONEPASS_DEVICE explicit Rank2kProducts(int thread) : group(thread % 32 / 4), lane(thread % 4) {}
  ONEPASS_DEVICE int row(int vector) const { return 16 * vector + 4 * lane; }
  ONEPASS_DEVICE int column(int m, int h) const {
    return is_complex<A> ? 16 * m + first() / 2 + h : first() + 2 * m + h;
  }
  ONEPASS_DEVICE float* numbers(int m, int h, int vector) { return held[m][h][vector]; }

  template <class Ex>
  ONEPASS_DEVICE void begin(Ex) {}
  template <class Ex>
  static ONEPASS_DEVICE float result(Ex, float number) {
    return number;
  }

  template <int row_pitch, int column_pitch, class Ex>
  ONEPASS_DEVICE void multiply(Ex ex, int of_rows, int of_columns) {
    float sum[2][4][4];
#pragma unroll
    for (int k = 0; k < 16 / reals; k += 8 / reals) {
      // Terms (k + lane) and four behind, or both of a complex one.
      Halves<4> a[2];
      Halves<2> b[4];
#pragma unroll
      for (int q = 0; q < 2; ++q) {
        const int at = of_columns + first() + (k + lane) * column_pitch * reals;
        if constexpr (is_complex<A>) {
          const Four x = load(ex, at + 32 * q);
#pragma unroll
          for (int i = 0; i < 4; ++i) a[q].set(ex, i % 2 * 2 + i / 2, x.number[i]);
        } else {
          const Four x = load(ex, at + 4 * q * column_pitch);
#pragma unroll
          for (int i = 0; i < 4; ++i) a[i / 2].set(ex, i % 2 + 2 * q, x.number[i]);
        }
      }
      const int at = of_rows + first() + (k + lane) * row_pitch * reals;
      const Four x = load(ex, at);
#pragma unroll
      for (int n = 0; n < 4; ++n) b[n].set(ex, 0, x.number[n]);
      if constexpr (is_complex<A>) {
#pragma unroll
        for (int n = 0; n < 4; ++n) b[n].set_to(1, b[n ^ 1], n % 2 == 1);
      } else {
        const Four y = load(ex, at + 4 * row_pitch);
#pragma unroll
        for (int n = 0; n < 4; ++n) b[n].set(ex, 1, y.number[n]);
      }
      each_product([&](int m, int n) {
        if (k == 0)
          ex.matrix_multiply(sum[m][n], a[m].low, b[n].high);
        else
          ex.matrix_multiply_add(sum[m][n], a[m].low, b[n].high);
      });
      each_product([&](int m, int n) { ex.matrix_multiply_add(sum[m][n], a[m].high, b[n].low); });
      each_product([&](int m, int n) { ex.matrix_multiply_add(sum[m][n], a[m].high, b[n].high); });
    }
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
      for (int h = 0; h < 2; ++h)
#pragma unroll
        for (int v = 0; v < vectors; ++v)
#pragma unroll
          for (int e = 0; e < in_vector; ++e) held[m][h][v][e] -= sum[m][e][2 * h + v];
  }

 private:
  struct alignas(16) Four {
    float number[4];
  };
  template <int n>
  struct Halves {
    float high[n], low[n];
    template <class Ex>
    ONEPASS_DEVICE void set(Ex ex, int i, float x) {
      high[i] = ex.round_to_tf32(x);
      low[i] = x - high[i];
    }
    ONEPASS_DEVICE void set_to(int i, const Halves& other, bool negative) {
      high[i] = negative ? -other.high[0] : other.high[0];
      low[i] = negative ? -other.low[0] : other.low[0];
    }
  };
  // Of four rows or columns: 0, 16, 4, 20, 8, ...
  ONEPASS_DEVICE int first() const { return group % 2 * 16 + group / 2 * 4; }
  template <class Ex>
  ONEPASS_DEVICE Four load(Ex ex, int at) const {
    return ex.template shared<Four>(0).get(at / 4);
  }
  template <class Multiply>
  ONEPASS_DEVICE void each_product(Multiply multiply) {
#pragma unroll
    for (int m = 0; m < 2; ++m)
#pragma unroll
      for (int n = 0; n < 4; ++n) multiply(m, n);
  }
};

}  // namespace onepass::kernels
