// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The first factor of products that threads share by columns: packed once for all of them, or left to the host's BLAS
// as it stands.
#pragma once

#include <algorithm>

#include "lapack/cpu/level3.hpp"
#include "lapack/cpu/packed.hpp"
#include "lapack/cpu/scratch.hpp"

namespace onepass::lapack {

template <class T>
class Factor {
 public:
  // Of at most rows x terms.
  Factor(std::int64_t rows, std::int64_t terms, Scratch& scratch) {
    constexpr std::int64_t longest_tile = 3 * 64 / sizeof(T);  // the last one is filled up
    room_ = scratch.take<T>((rows + longest_tile) * terms);
  }

  // op(A), rows x terms, which every part packs a share of before any is used.
  void set(As as, std::int64_t rows, std::int64_t terms, Matrix<const T> a) {
    as_ = as;
    rows_ = rows;
    terms_ = terms;
    a_ = a;
    exchanged_ = false;
    if (kernels() != nullptr) height_ = kernels()->height(rows);
  }
  // A with the members of each pair of its columns exchanged.
  void set_exchanged(std::int64_t rows, std::int64_t terms, Matrix<const T> a) {
    set(As::is, rows, terms, a);
    exchanged_ = true;
  }
  void pack(int parts, std::int64_t part) const {
    if (kernels() != nullptr) {
      const std::int64_t tiles = (rows_ * components<T> + height_ - 1) / height_;
      const cpu::Range own = cpu::share(tiles, parts, part, 1);
      kernels()->pack({.rows = rows_,
                       .terms = terms_,
                       .a = lapack::parts(a_.data),
                       .lda = a_.ld * components<T>,
                       .adjoint = as_ == As::adjoint,
                       .exchanged = exchanged_},
                      height_, own.begin, own.end, lapack::parts(room_));
    } else if (exchanged_) {
      const cpu::Range own = cpu::share(rows_, parts, part, 16);
      for (std::int64_t j = 0; j < terms_; ++j)
        std::copy_n(a_.column(j) + own.begin, own.size(), room_ + (j ^ 1) * rows_ + own.begin);
    }
  }

  std::int64_t rows() const { return rows_; }

  // The first `rows` rows of C := [C +] alpha op(A) op(B) for some columns of C, by one thread.
  void multiply(std::int64_t rows, cpu::Range columns, T alpha, As as_b, Matrix<const T> b, bool adds,
                Matrix<T> c) const {
    if (terms_ == 0) {
      for (std::int64_t j = columns.begin; !adds && j < columns.end; ++j) std::fill_n(c.column(j), rows, T{});
      return;
    }
    if (kernels() != nullptr) return multiply_packed(rows, columns, alpha, as_b, b, adds, c, Part::all);
    const Matrix<const T> own = as_b == As::is ? b.at(0, columns.begin) : b.at(columns.begin, 0);
    own_gemm<T>(as_, as_b, rows, columns.size(), terms_, alpha, plain(), own, T(adds ? 1 : 0), c.at(0, columns.begin));
  }

  // Some columns of the triangle of C := C - A P^H, where A is P with pairs exchanged: C := C - V W^H - W V^H.
  void subtract_pairs(Uplo uplo, cpu::Range columns, Matrix<const T> p, Matrix<T> c) const {
    if (kernels() != nullptr)
      return multiply_packed(rows_, columns, T{-1}, As::adjoint, p, true, c,
                             uplo == Uplo::lower ? Part::lower : Part::upper);
    lapack::subtract_pairs<T>(uplo, rows_, columns, terms_ / 2, plain(), p, c);
  }

  // f(range) for some columns at a time, all of whose products are better made while they are in the second cache.
  template <class F>
  static void each_few(cpu::Range columns, F f) {
    const std::int64_t few = own_kernels<T>() != nullptr ? 64 / components<T> : columns.size();
    for (std::int64_t first = columns.begin; first < columns.end; first += few)
      f(cpu::Range{.begin = first, .end = std::min(first + few, columns.end)});
  }

 private:
  static const PackedKernels<Kernel<T>>* kernels() { return own_kernels<T>(); }
  Matrix<const T> plain() const { return exchanged_ ? Matrix<const T>{room_, rows_} : a_; }

  void multiply_packed(std::int64_t rows, cpu::Range columns, T alpha, As as_b, Matrix<const T> b, bool adds,
                       Matrix<T> c, Part part) const {
    kernels()->multiply({.a = {.data = lapack::parts(room_), .terms = terms_, .height = height_},
                         .rows = rows,
                         .first = columns.begin,
                         .last = columns.end,
                         .b = lapack::parts(b.data),
                         .ldb = b.ld * components<T>,
                         .adjoint = as_b == As::adjoint,
                         .c = lapack::parts(c.data),
                         .ldc = c.ld * components<T>,
                         .alpha = real(alpha),
                         .adds = adds,
                         .part = part});
  }

  T* room_;
  As as_ = As::is;
  bool exchanged_ = false;
  int height_ = 0;
  std::int64_t rows_ = 0, terms_ = 0;
  Matrix<const T> a_;
};

}  // namespace onepass::lapack
