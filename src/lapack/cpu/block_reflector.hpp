// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Several reflectors as one, H = I - V T V^H, so that level 3 applies them. V is copied out of A with its ones and
// zeros and always stands in columns: then columns and rows, forward and backward differ in the copy and in T alone.
#pragma once

#include <algorithm>

#include "lapack/cpu/factor.hpp"
#include "lapack/cpu/scratch.hpp"
#include "lapack/reflectors.hpp"

namespace onepass::lapack {

// What applying one takes besides: to n columns from the left, or to as many rows from the right.
template <class T>
struct ReflectorRoom {
  ReflectorRoom(Side side, std::int64_t rows, std::int64_t width, std::int64_t n, Scratch& scratch)
      : v(rows, width, scratch), v_adjoint(width, rows, scratch), t(width, width, scratch) {
    const bool left = side == Side::left;
    for (Matrix<T>* products : {&of_v, &of_t}) *products = scratch.take_matrix<T>(left ? width : n, left ? n : width);
  }

  // I - V op(T) V^H, for columns whose first `zeros` elements are zero; packed by every part before it is applied.
  void set(As as, std::int64_t rows, std::int64_t width, std::int64_t zeros, Matrix<const T> of,
           Matrix<const T> triangle) {
    v.set(As::is, rows, width, of);
    v_adjoint.set(As::adjoint, width, rows - zeros, of.at(zeros, 0));
    t.set(as, width, width, triangle);
  }
  void pack(int parts, std::int64_t part) const {
    for (const Factor<T>* f : {&v, &v_adjoint, &t}) f->pack(parts, part);
  }
  // To some columns of C, from the left.
  void apply(cpu::Range columns, Matrix<T> c, std::int64_t zeros) const {
    v_adjoint.multiply(t.rows(), columns, T{1}, As::is, c.at(zeros, 0), false, of_v);
    t.multiply(t.rows(), columns, T{1}, As::is, of_v, false, of_t);
    v.multiply(v.rows(), columns, T{-1}, As::is, of_t, true, c);
  }

  Factor<T> v, v_adjoint, t;
  Matrix<T> of_v, of_t;
};

template <class T>
struct BlockReflector {
  std::int64_t rows = 0, width = 0;
  Matrix<T> v;  // rows x width
  Matrix<T> t;  // width x width: upper if the first reflector stands first in the product, else lower; else zero
  Uplo uplo = Uplo::upper;

  // C := (I - V op(T) V^H) C, C of rows x n, whose first `zeros` rows are zero. Threads share the columns, and take a
  // few at a time through all three products.
  void apply_left(As as, std::int64_t n, Matrix<T> c, const ReflectorRoom<T>& room, std::int64_t zeros = 0) const {
    ReflectorRoom<T> packed = room;
    packed.set(as, rows, width, zeros, v, t);
    const int threads = threads_of_level_3(rows * n * width);
    cpu::fork(threads, [&](cpu::Team team) {
      team.each(threads, [&](std::int64_t part) { packed.pack(threads, part); });
      team.wait();
      team.each(threads, [&](std::int64_t part) {
        Factor<T>::each_few(cpu::share(n, threads, part, 16), [&](cpu::Range own) { packed.apply(own, c, zeros); });
      });
    });
  }
  // C := C (I - V op(T) V^H), C of m x rows, whose first `zeros` columns are zero. Likewise, by rows.
  void apply_right(As as, std::int64_t m, Matrix<T> c, const ReflectorRoom<T>& room, std::int64_t zeros = 0) const {
    share_level_3(threads_of_level_3(m * rows * width), m, [&](cpu::Range part) {
      const std::int64_t at_once = rows_at_once<T>(part.size());
      for (std::int64_t row = part.begin; row < part.end; row += at_once) {
        const std::int64_t some = std::min(at_once, part.end - row);
        const Matrix<T> of_v = room.of_v.at(row, 0), of_t = room.of_t.at(row, 0);
        own_gemm<T>(As::is, As::is, some, width, rows - zeros, T{1}, c.at(row, zeros), v.at(zeros, 0), T{}, of_v);
        own_gemm<T>(As::is, as, some, width, width, T{1}, of_v, t, T{}, of_t);
        own_gemm<T>(As::is, As::adjoint, some, rows, width, T{-1}, of_t, v, T{1}, c.at(row, 0));
      }
    });
  }
};

// T of the reflectors in V. products: width x width, for their inner products.
//   T(0:j, j) = -tau(j) T(0:j, 0:j) V(:, 0:j)^H v(j),  T(j, j) = tau(j),  or the same from the last on, backward
template <class T>
void make_triangle(const BlockReflector<T>& h, const T* tau, Matrix<T> products) {
  const bool upper = h.uplo == Uplo::upper;
  gemm<T>(As::adjoint, As::is, h.width, h.width, h.rows, T{1}, h.v, h.v, T{}, products);
  for (std::int64_t step = 0; step < h.width; ++step) {
    const std::int64_t j = upper ? step : h.width - 1 - step;
    const std::int64_t first = upper ? 0 : j + 1, last = upper ? j : h.width;
    T* const column = h.t.column(j);
    std::fill(column, column + h.width, T{});
    if (tau[j] != T{})
      for (std::int64_t k = first; k < last; ++k) {
        const T factor = times(-tau[j], products(k, j));
        for (std::int64_t i = upper ? 0 : k; i < (upper ? k + 1 : h.width); ++i) column[i] += times(h.t(i, k), factor);
      }
    column[j] = tau[j];
  }
}

// The reflectors of a factor in A, taken in blocks.
template <class T>
class Blocks {
 public:
  Blocks(const Reflectors& q, std::int64_t width, Scratch& scratch) : q_(q), width_(std::max<std::int64_t>(1, width)) {
    v_ = scratch.take_matrix<T>(q.order, width_);
    t_ = scratch.take_matrix<T>(width_, width_);
    products_ = scratch.take_matrix<T>(width_, width_);
  }
  std::int64_t count() const { return block_count(q_, width_); }
  ReflectorBlock at(std::int64_t index) const { return reflector_block(q_, index, width_); }
  Matrix<T> products() const { return products_; }

  // Block `index` as one reflector; the one before it is lost.
  BlockReflector<T> take(std::int64_t index, Matrix<const T> a, const T* tau) const {
    const ReflectorBlock block = at(index);
    const std::int64_t begin = block.first, end = begin + block.count, row = block.row, last = row + block.rows;
    const BlockReflector<T> h = {
        .rows = block.rows, .width = block.count, .v = v_, .t = t_, .uplo = q_.backward ? Uplo::lower : Uplo::upper};
    for (std::int64_t i = begin; i < end; ++i) {
      T* const v = v_.column(i - begin) - row;
      const std::int64_t unit = q_.unit + i, line = q_.line + i;
      const std::int64_t from = q_.backward ? row : unit + 1, to = q_.backward ? unit : last;
      std::fill(v + row, v + last, T{});
      v[unit] = T{1};
      if (q_.by_rows)
        for (std::int64_t r = from; r < to; ++r) v[r] = conjugate(a(line, r));
      else
        std::copy(a.column(line) + from, a.column(line) + to, v + from);
    }
    make_triangle(h, tau + begin, products_);
    return h;
  }

 private:
  Reflectors q_;
  std::int64_t width_;
  Matrix<T> v_, t_, products_;
};

}  // namespace onepass::lapack
