// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A singular value decomposition: bidiagonal form, that of it, and Q and P times its vectors.
//
// With B = X S Y^T of the upper bidiagonal B that has d and e:
//   m >= n          A = Q B P^H                 U = Q (X; 0)      V^H = Y^T P^H
//   m < n           A = Q B^T P^H               U = Q Y           V^H = (X^T 0) P^H
//   m much larger   A = Q0 R,   R = Q B P^H     U = Q0 (Q X; 0)   V^H = Y^T P^H
//   n much larger   A^H = Q0 R, R = Q B P^H     U = P Y           V^H = (X^T Q^H 0) Q0^H
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "lapack/cpu/bdsdc.hpp"
#include "lapack/cpu/gebrd.hpp"
#include "lapack/cpu/geqrf.hpp"
#include "lapack/cpu/panel.hpp"
#include "lapack/cpu/q.hpp"
#include "lapack/cpu/scaling.hpp"

namespace onepass::lapack {

template <class T>
class Svd {
  using R = Real<T>;

 public:
  Svd(const LapackProblem& p, int threads, std::int64_t panel, Scratch& scratch)
      : problem_(p),
        least_(std::min(p.m, p.n)),
        most_(std::max(p.m, p.n)),
        has_qr_(takes_qr_step(p.m, p.n)),
        adjoint_(scratch.take_matrix<T>(most_, has_qr_ && wide() ? least_ : 0)),
        qr_(factored(), threads, has_qr_ ? qr_panel(least_) : 0, scratch),
        triangle_(scratch.take_matrix<T>(least_, has_qr_ ? least_ : 0)),
        reduction_(reduced(), threads, panel, scratch),
        bidiagonal_(vectors(), least_, scratch),
        x_(scratch.take_matrix<R>(least_, is_complex<T> && vectors() ? least_ : 0)),
        yt_(scratch.take_matrix<R>(least_, is_complex<T> && vectors() ? least_ : 0)),
        apply_u_(of_u(), threads, width(), scratch),
        apply_vt_(of_vt(), threads, width(), scratch),
        apply_qr_(of_qr(), threads, width(), scratch),
        e_(scratch.take<R>(least_)),
        tauq_(scratch.take<T>(least_)),
        taup_(scratch.take<T>(least_)),
        tau_(scratch.take<T>(has_qr_ ? least_ : 0)) {}

  void run(const LapackOperands& o) const {
    *o.info = 0;
    if (least_ == 0) return;
    const Matrix<T> a = {static_cast<T*>(o.a), problem_.lda}, u = {static_cast<T*>(o.u), problem_.ldu},
                    vt = {static_cast<T*>(o.vt), problem_.ldvt};
    R* const s = static_cast<R*>(o.w);
    const int exponent = scale_near_one<T>([&](auto f) {
      for (std::int64_t c = 0; c < problem_.n; ++c)
        for (std::int64_t r = 0; r < problem_.m; ++r) f(a(r, c));
    });
    const Matrix<T> factored = has_qr_ && wide() ? adjoint_ : a;
    const Matrix<T> reduced = has_qr_ ? triangle_ : a;
    if (has_qr_) factor(a, factored);
    reduction_.run({.a = reduced.data, .d = s, .e = e_, .tau = tauq_, .taup = taup_});
    if (!solve_bidiagonal(s, u, vt)) return fail(o, u, vt);
    for (std::int64_t i = 0; i < least_; ++i) s[i] = std::ldexp(s[i], exponent);
    if (!vectors()) return;
    extend(u, vt);
    // P where a wide matrix was reduced as its adjoint, else Q; and the other one.
    const bool swapped = has_qr_ && wide();
    apply_u_.run({.a = reduced.data, .tau = swapped ? taup_ : tauq_, .c = u.data});
    apply_vt_.run({.a = reduced.data, .tau = swapped ? tauq_ : taup_, .c = vt.data});
    if (has_qr_) apply_qr_.run({.a = factored.data, .tau = tau_, .c = wide() ? vt.data : u.data});
  }

 private:
  bool vectors() const { return problem_.job != Job::values; }
  bool wide() const { return problem_.m < problem_.n; }
  std::int64_t width() const { return std::max<std::int64_t>(1, block_width(problem_.type, least_)); }

  LapackProblem factored() const {
    LapackProblem p = problem_;
    p.routine = LapackRoutine::geqrf;
    p.m = has_qr_ ? most_ : 0;
    p.n = has_qr_ ? least_ : 0;
    if (wide()) p.lda = adjoint_.ld;
    return p;
  }
  LapackProblem reduced() const {
    LapackProblem p = problem_;
    p.routine = LapackRoutine::gebrd;
    if (has_qr_) {
      p.m = p.n = least_;
      p.lda = triangle_.ld;
    }
    return p;
  }
  // op(Q) C or C op(Q), C of m x n, with the Q or P of a matrix that is `other` on its other side.
  LapackProblem applied(Vect vect, Side side, std::int64_t m, std::int64_t n, std::int64_t other, std::int64_t lda,
                        std::int64_t ldc) const {
    const bool nothing = !vectors() || least_ == 0;
    return {.routine = LapackRoutine::ormbr,
            .type = problem_.type,
            .vect = vect,
            .side = side,
            .op = side == Side::left ? Op::n
                  : is_complex<T>    ? Op::c
                                     : Op::t,
            .m = nothing ? 0 : m,
            .n = nothing ? 0 : n,
            .k = nothing ? 0 : other,
            .lda = lda,
            .ldc = ldc};
  }
  LapackProblem of_u() const {
    const LapackProblem& p = problem_;
    if (!has_qr_) return applied(Vect::q, Side::left, p.m, columns_of_u(p), p.n, p.lda, p.ldu);
    return applied(wide() ? Vect::p : Vect::q, Side::left, least_, least_, least_, triangle_.ld, p.ldu);
  }
  LapackProblem of_vt() const {
    const LapackProblem& p = problem_;
    if (!has_qr_) return applied(Vect::p, Side::right, rows_of_vt(p), p.n, p.m, p.lda, p.ldvt);
    return applied(wide() ? Vect::q : Vect::p, Side::right, least_, least_, least_, triangle_.ld, p.ldvt);
  }
  LapackProblem of_qr() const {
    const LapackProblem& p = problem_;
    if (!has_qr_) return applied(Vect::q, Side::left, 0, 0, 0, p.lda, p.ldu);
    return wide() ? applied(Vect::q, Side::right, rows_of_vt(p), p.n, least_, adjoint_.ld, p.ldvt)
                  : applied(Vect::q, Side::left, p.m, columns_of_u(p), least_, p.lda, p.ldu);
  }

  // Q0 in `factored`, R in its own place.
  void factor(Matrix<T> a, Matrix<T> factored) const {
    if (wide())
      for (std::int64_t c = 0; c < most_; ++c)
        for (std::int64_t r = 0; r < least_; ++r) adjoint_(c, r) = conjugate(a(r, c));
    qr_.run({.a = factored.data, .tau = tau_});
    for (std::int64_t c = 0; c < least_; ++c)
      for (std::int64_t r = 0; r < least_; ++r) triangle_(r, c) = r <= c ? factored(r, c) : T{};
  }

  // (X, Y^T), or (Y, X^T) of a wide matrix, into the first rows and columns of U and V^H.
  bool solve_bidiagonal(R* s, Matrix<T> u, Matrix<T> vt) const {
    if constexpr (is_complex<T>) {
      if (!bidiagonal_.run(s, e_, x_, yt_)) return false;
      for (std::int64_t c = 0; vectors() && c < least_; ++c)
        for (std::int64_t r = 0; r < least_; ++r) {
          u(r, c) = wide() ? yt_(c, r) : x_(r, c);
          vt(r, c) = wide() ? x_(c, r) : yt_(r, c);
        }
    } else {
      if (!bidiagonal_.run(s, e_, u, vt)) return false;
      for (std::int64_t c = 0; vectors() && wide() && c < least_; ++c)
        for (std::int64_t r = 0; r < least_; ++r) std::swap(u(r, c), vt(c, r));
    }
    return true;
  }
  // The rest of U and V^H is that of a unit matrix.
  void extend(Matrix<T> u, Matrix<T> vt) const {
    const auto set = [&](Matrix<T> a, std::int64_t rows, std::int64_t columns) {
      for (std::int64_t c = 0; c < columns; ++c)
        for (std::int64_t r = c < least_ ? least_ : 0; r < rows; ++r) a(r, c) = r == c ? T{1} : T{};
    };
    set(u, problem_.m, columns_of_u(problem_));
    set(vt, rows_of_vt(problem_), problem_.n);
  }

  void fail(const LapackOperands& o, Matrix<T> u, Matrix<T> vt) const {
    const R nan = std::numeric_limits<R>::quiet_NaN();
    *o.info = static_cast<int>(info_of_failure(problem_));
    std::fill_n(static_cast<R*>(o.w), least_, nan);
    for (std::int64_t c = 0; c < columns_of_u(problem_); ++c) std::fill_n(u.column(c), problem_.m, T{nan});
    for (std::int64_t c = 0; vectors() && c < problem_.n; ++c) std::fill_n(vt.column(c), rows_of_vt(problem_), T{nan});
  }

  LapackProblem problem_;
  std::int64_t least_, most_;
  bool has_qr_;
  Matrix<T> adjoint_;
  QrFactorization<T> qr_;
  Matrix<T> triangle_;
  Bidiagonal<T> reduction_;
  BidiagonalSvd<R> bidiagonal_;
  Matrix<R> x_, yt_;
  ApplyQ<T> apply_u_, apply_vt_, apply_qr_;
  R* e_;
  T *tauq_, *taup_, *tau_;
};

}  // namespace onepass::lapack
