// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Matrix-vector products inside a panel: the kernels of the cpu backend without a plan for each, and threads where the
// matrix is large enough for them.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "backends/cpu/block.hpp"
#include "backends/cpu/team.hpp"
#include "lapack/element.hpp"
#include "lapack/householder.hpp"

namespace onepass::lapack {

// The same element in the vocabulary of the kernels.
template <class T>
using Kernel = std::conditional_t<is_complex<T>, Complex<Real<T>>, T>;

template <class T>
Kernel<T> as_kernel(T v) {
  if constexpr (is_complex<T>)
    return {v.real(), v.imag()};
  else
    return v;
}
template <class T>
const Real<T>* parts(const T* p) {
  return reinterpret_cast<const Real<T>*>(p);
}
template <class T>
Real<T>* parts(T* p) {
  return reinterpret_cast<Real<T>*>(p);
}

// A second thread pays from so many bytes a thread on: waking it costs about as long as reading them.
inline constexpr std::int64_t bytes_per_thread = 64 * 1024;

inline int useful_threads(int threads, std::int64_t elements, std::size_t size) {
  const std::int64_t most = elements * static_cast<std::int64_t>(size) / bytes_per_thread;
  return static_cast<int>(std::clamp<std::int64_t>(most, 1, threads));
}

// Distances of x and y in elements.
template <class T>
struct Product {
  std::int64_t rows = 0, columns = 0;
  Matrix<const T> a;
  const T* x = nullptr;
  std::int64_t incx = 1;
  T* y = nullptr;
  T alpha{1};
  bool adds = false;       // y := y + alpha A x instead of y := alpha A x
  bool conjugate = false;  // conj(A) instead of A
  cpu::Direction direction = cpu::Direction::forward;
};

// By turns.
inline cpu::Direction direction_of(std::int64_t turn) {
  return turn % 2 == 0 ? cpu::Direction::forward : cpu::Direction::backward;
}

template <class T>
cpu::Block<Kernel<T>> block(const Product<T>& p, std::int64_t outputs, std::int64_t terms) {
  return {.outputs = outputs,
          .terms = terms,
          .a = parts(p.a.data),
          .lda = p.a.ld * components<T>,
          .x = parts(p.x),
          .incx = p.incx * components<T>,
          .y = parts(p.y),
          .incy = components<T>,
          .alpha = as_kernel(p.alpha),
          .beta = as_kernel(T{1}),
          .start = p.adds ? cpu::Start::keep : cpu::Start::zero,
          .conjugate = p.conjugate,
          .direction = p.direction};
}

// y := [y +] alpha A x. Threads share the rows, so that the result does not depend on their number.
template <class T>
void multiply_n(int threads, const Product<T>& p) {
  if (p.rows == 0) return;
  if (p.columns == 0) {
    if (!p.adds) std::fill(p.y, p.y + p.rows, T{});
    return;
  }
  const auto kernel = cpu::kernels_of<Kernel<T>>(cpu::kernels()).n;
  const int team_size = useful_threads(threads, p.rows * p.columns, sizeof(T));
  if (team_size == 1) return kernel(block(p, p.rows, p.columns));
  cpu::fork(team_size, [&](cpu::Team team) {
    team.each(team_size, [&](std::int64_t part) {
      const cpu::Range range = cpu::share(p.rows, team_size, part, 16);
      if (range.size() == 0) return;
      Product<T> own = p;
      own.a.data += range.begin;
      own.y += range.begin;
      kernel(block(own, range.size(), p.columns));
    });
  });
}

// y := [y +] alpha A^T x, A^H x if conjugate; x without gaps. Threads share the columns.
template <class T>
void multiply_t(int threads, const Product<T>& p) {
  if (p.columns == 0) return;
  if (p.rows == 0) {
    if (!p.adds) std::fill(p.y, p.y + p.columns, T{});
    return;
  }
  const auto kernel = cpu::kernels_of<Kernel<T>>(cpu::kernels()).t;
  const int team_size = useful_threads(threads, p.rows * p.columns, sizeof(T));
  if (team_size == 1) return kernel(block(p, p.columns, p.rows));
  cpu::fork(team_size, [&](cpu::Team team) {
    team.each(team_size, [&](std::int64_t part) {
      const cpu::Range range = cpu::share(p.columns, team_size, part, 8);
      if (range.size() == 0) return;
      Product<T> own = p;
      own.a.data += range.begin * p.a.ld;
      own.y += range.begin;
      kernel(block(own, range.size(), p.rows));
    });
  });
}

// Columns that are `part` of the stored triangle of order n: equal shares of its elements.
inline cpu::Range columns_of_triangle(Uplo uplo, std::int64_t n, int parts, std::int64_t part) {
  const auto bound = [&](std::int64_t shares) {
    if (shares == 0 || shares == parts) return shares == 0 ? std::int64_t{0} : n;
    const double fraction = static_cast<double>(shares) / parts;
    const double columns =
        static_cast<double>(n) * (uplo == Uplo::upper ? std::sqrt(fraction) : 1 - std::sqrt(1 - fraction));
    return std::min(n, (static_cast<std::int64_t>(columns) + 8) / 16 * 16);
  };
  return {.begin = bound(part), .end = bound(part + 1)};
}

// y := y + A x for some columns of the stored triangle of a symmetric or Hermitian A of order n.
template <class T>
void add_triangle(Uplo uplo, std::int64_t n, cpu::Range columns, Matrix<const T> a, const T* x, T* y,
                  cpu::Direction direction) {
  cpu::kernels_of<Kernel<T>>(cpu::kernels())
      .symv({.order = n,
             .begin = columns.begin,
             .end = columns.end,
             .a = parts(a.data),
             .lda = a.ld * components<T>,
             .x = parts(x),
             .y = parts(y),
             .alpha = as_kernel(T{1}),
             .uplo = uplo,
             .conjugate = false,
             .hermitian = is_complex<T>,
             .direction = direction});
}

// x^H y, without gaps.
template <class T>
T dot(std::int64_t n, const T* x, const T* y) {
  T sum{};
  multiply_t<T>(1, {.rows = n, .columns = 1, .a = {x, n}, .x = y, .y = &sum, .conjugate = is_complex<T>});
  return sum;
}

// The norm of a vector without gaps: squares are added as they are where none of them can have gone under or over.
template <class T>
Real<T> norm(std::int64_t n, const T* x, std::int64_t) {
  using R = Real<T>;
  using Limits = std::numeric_limits<R>;
  const R squares = dot<R>(n * components<T>, parts(x), parts(x));
  constexpr R least = Limits::min() / (Limits::epsilon() * Limits::epsilon());
  if (squares > least && squares < Limits::max()) return std::sqrt(squares);
  return scaled_norm<T>(n, x, 1);
}

// The reflector of (alpha, x), x without gaps.
template <class T>
Reflector<T> make_reflector(T alpha, std::int64_t n, T* x) {
  return make_reflector<T>(alpha, n, x, 1, norm<T>);
}

}  // namespace onepass::lapack
