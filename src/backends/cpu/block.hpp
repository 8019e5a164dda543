// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What one thread does at a time: a block of a matrix, or columns of a triangle, times x into y.
#pragma once

#include <cstdint>
#include <type_traits>

#include "backends/cpu/element.hpp"
#include "problem/problem.hpp"

namespace onepass::cpu {

// What a block adds its product to.
enum class Start : std::uint8_t {
  zero,    // nothing: y is not read
  scaled,  // beta y
  keep,    // y
};

// Which columns of A are read first. Who multiplies by the same matrix again and again takes turns, so that what the
// caches have of its end is read before they lose it: of a matrix four times as large as the second cache a quarter
// (447x447 z on a thread of a Xeon: 22.5 GB/s, 26.2 by turns; 300x300: 31 and 39).
enum class Direction : bool { forward, backward };

// y := start(y) + alpha op(A) x, with `outputs` elements of y and `terms` of x. Distances are in
// components. The n kernel needs incy == 1 element, the t kernel incx == 1 element.
template <class T>
struct Block {
  std::int64_t outputs = 0, terms = 0;
  const Component<T>* a = nullptr;
  std::int64_t lda = 0;
  const Component<T>* x = nullptr;
  std::int64_t incx = 0;
  Component<Sum<T>>* y = nullptr;
  std::int64_t incy = 0;
  Sum<T> alpha{}, beta{};
  Start start = Start::zero;
  bool conjugate = false;
  Direction direction = Direction::forward;
};

// y := y + alpha A x for the columns begin..end of the stored triangle of a symmetric or Hermitian matrix. x and y are
// contiguous; of y, the rows of these columns and the columns themselves are touched.
template <class T>
struct Triangle {
  std::int64_t order = 0, begin = 0, end = 0;
  const Component<T>* a = nullptr;
  std::int64_t lda = 0;  // in components
  const Component<T>* x = nullptr;
  Component<Sum<T>>* y = nullptr;
  Sum<T> alpha{};
  Uplo uplo = Uplo::lower;
  bool conjugate = false;
  bool hermitian = false;
  Direction direction = Direction::forward;
};

template <class T>
struct Kernels {
  void (*n)(const Block<T>&);  // outputs along the contiguous dimension
  void (*t)(const Block<T>&);  // sums along it
  void (*symv)(const Triangle<T>&);
};

struct KernelTable {
  const char* instructions;
  Kernels<float> s;
  Kernels<double> d;
  Kernels<Complex<float>> c;
  Kernels<Complex<double>> z;
  Kernels<Half> h;
  Kernels<Bfloat16> b;
};

// The kernels for the best instruction set of this machine.
const KernelTable& kernels();

template <class T>
const Kernels<T>& kernels_of(const KernelTable& table) {
  if constexpr (std::is_same_v<T, float>)
    return table.s;
  else if constexpr (std::is_same_v<T, double>)
    return table.d;
  else if constexpr (std::is_same_v<T, Complex<float>>)
    return table.c;
  else if constexpr (std::is_same_v<T, Complex<double>>)
    return table.z;
  else if constexpr (std::is_same_v<T, Half>)
    return table.h;
  else
    return table.b;
}

}  // namespace onepass::cpu
