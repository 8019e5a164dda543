// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The C++ interface of the reductions: what is applied to A from both sides gives the reduced form, and what is applied
// to the identity the factor that is generated.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <memory>
#include <vector>

#include "onepass/lapack.hpp"
#include "onepass/onepass.hpp"  // both at once

namespace {

using onepass::Op, onepass::Uplo, onepass::lapack::Side, onepass::lapack::Vect;
namespace lapack = onepass::lapack;

// Column major, with two rows more than it needs.
template <class T>
struct Matrix {
  std::int64_t rows, columns, ld = rows + 2;
  std::vector<T> elements = std::vector<T>(static_cast<std::size_t>(ld * columns));

  T& operator()(std::int64_t r, std::int64_t c) { return elements[static_cast<std::size_t>(r + c * ld)]; }
  T* data() { return elements.data(); }
};

template <class T>
class LapackCpp : public testing::Test {
 protected:
  using R = lapack::Real<T>;
  static constexpr bool is_complex = !std::is_same_v<R, T>;
  static constexpr Op adjoint = is_complex ? Op::C : Op::T;
  lapack::Handle handle{"cpu"};

  static T number(std::int64_t i) {
    if constexpr (is_complex)
      return T(static_cast<R>(std::sin(1.0 + double(i))), static_cast<R>(std::cos(2.0 * double(i))));
    else
      return static_cast<R>(std::sin(1.0 + double(i)));
  }
  static Matrix<T> numbers(std::int64_t m, std::int64_t n) {
    Matrix<T> a{m, n};
    for (std::int64_t c = 0; c < n; ++c)
      for (std::int64_t r = 0; r < m; ++r) a(r, c) = number(r + c * m);
    return a;
  }
  static Matrix<T> identity(std::int64_t n) {
    Matrix<T> a{n, n};
    for (std::int64_t i = 0; i < n; ++i) a(i, i) = T{1};
    return a;
  }
  // Within 4 n eps |A|: n is at most 8 here, and |A| below 12.
  static void expect_near(Matrix<T> one, Matrix<T> other) {
    for (std::int64_t c = 0; c < one.columns; ++c)
      for (std::int64_t r = 0; r < one.rows; ++r)
        EXPECT_LE(std::abs(one(r, c) - other(r, c)), 400 * std::numeric_limits<R>::epsilon()) << r << ", " << c;
  }
};
using CppTypes = testing::Types<float, double, std::complex<float>, std::complex<double>>;
TYPED_TEST_SUITE(LapackCpp, CppTypes);

TYPED_TEST(LapackCpp, Tridiagonal) {
  using T = TypeParam;
  using R = lapack::Real<T>;
  constexpr std::int64_t n = 7;
  for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
    Matrix<T> a = this->numbers(n, n), tridiagonal{n, n};
    for (std::int64_t c = 0; c < n; ++c)
      for (std::int64_t r = 0; r <= c; ++r)
        if constexpr (!std::is_same_v<T, R>)
          a(r, c) = r == c ? T(a(r, c).real()) : std::conj(a(c, r));
        else
          a(r, c) = a(c, r);
    Matrix<T> whole = a, q = this->identity(n);
    std::vector<R> d(n), e(n - 1);
    std::vector<T> tau(n - 1);
    lapack::tridiagonalize(this->handle, uplo, n, a.data(), a.ld, d.data(), e.data(), tau.data());
    for (std::int64_t i = 0; i < n; ++i) tridiagonal(i, i) = d[i];
    for (std::int64_t i = 0; i + 1 < n; ++i) tridiagonal(i, i + 1) = tridiagonal(i + 1, i) = e[i];
    lapack::ormtr(this->handle, Side::left, uplo, this->adjoint, n, n, a.data(), a.ld, tau.data(), whole.data(),
                  whole.ld);
    lapack::ormtr(this->handle, Side::right, uplo, Op::N, n, n, a.data(), a.ld, tau.data(), whole.data(), whole.ld);
    this->expect_near(whole, tridiagonal);
    lapack::ormtr(this->handle, Side::left, uplo, Op::N, n, n, a.data(), a.ld, tau.data(), q.data(), q.ld);
    lapack::orgtr(this->handle, uplo, n, a.data(), a.ld, tau.data());
    this->expect_near(a, q);
  }
}

TYPED_TEST(LapackCpp, Bidiagonal) {
  using T = TypeParam;
  using R = lapack::Real<T>;
  for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{8, 5}, {5, 8}}) {
    const std::int64_t k = std::min(m, n);
    Matrix<T> a = this->numbers(m, n), whole = a, bidiagonal{m, n};
    std::vector<R> d(k), e(k - 1);
    std::vector<T> tauq(k), taup(k);
    lapack::bidiagonalize(this->handle, m, n, a.data(), a.ld, d.data(), e.data(), tauq.data(), taup.data());
    for (std::int64_t i = 0; i < k; ++i) bidiagonal(i, i) = d[i];
    for (std::int64_t i = 0; i + 1 < k; ++i) bidiagonal(m >= n ? i : i + 1, m >= n ? i + 1 : i) = e[i];
    lapack::ormbr(this->handle, Vect::q, Side::left, this->adjoint, m, n, n, a.data(), a.ld, tauq.data(), whole.data(),
                  whole.ld);
    lapack::ormbr(this->handle, Vect::p, Side::right, Op::N, m, n, m, a.data(), a.ld, taup.data(), whole.data(),
                  whole.ld);
    this->expect_near(whole, bidiagonal);

    Matrix<T> q = this->identity(m), ph = this->identity(n), first = a;
    lapack::ormbr(this->handle, Vect::q, Side::left, Op::N, m, m, n, a.data(), a.ld, tauq.data(), q.data(), q.ld);
    lapack::orgbr(this->handle, Vect::q, m, k, n, first.data(), first.ld, tauq.data());
    first.columns = k;
    this->expect_near(first, q);
    lapack::ormbr(this->handle, Vect::p, Side::left, this->adjoint, n, n, m, a.data(), a.ld, taup.data(), ph.data(),
                  ph.ld);
    lapack::orgbr(this->handle, Vect::p, k, n, m, a.data(), a.ld, taup.data());
    a.rows = k;
    this->expect_near(a, ph);
  }
}

TYPED_TEST(LapackCpp, Hessenberg) {
  using T = TypeParam;
  constexpr std::int64_t n = 7, ilo = 2, ihi = 6;
  Matrix<T> a = this->numbers(n, n), q = this->identity(n);
  for (std::int64_t r = 1; r < n; ++r) a(r, 0) = T{};  // triangular outside of 2..6
  for (std::int64_t c = 0; c + 1 < n; ++c) a(n - 1, c) = T{};
  Matrix<T> whole = a, form{n, n};
  std::vector<T> tau(n - 1);
  lapack::hessenberg(this->handle, n, ilo, ihi, a.data(), a.ld, tau.data());
  EXPECT_EQ(lapack::gehrd_problem<T>(n, ilo, ihi, a.ld).ilo, ilo);  // of a triangular part, 1 would give the same
  for (std::int64_t c = 0; c < n; ++c)
    for (std::int64_t r = 0; r < std::min(c + 2, n); ++r) form(r, c) = a(r, c);
  lapack::ormhr(this->handle, Side::left, this->adjoint, n, n, ilo, ihi, a.data(), a.ld, tau.data(), whole.data(),
                whole.ld);
  lapack::ormhr(this->handle, Side::right, Op::N, n, n, ilo, ihi, a.data(), a.ld, tau.data(), whole.data(), whole.ld);
  this->expect_near(whole, form);
  lapack::ormhr(this->handle, Side::left, Op::N, n, n, ilo, ihi, a.data(), a.ld, tau.data(), q.data(), q.ld);
  lapack::orghr(this->handle, n, ilo, ihi, a.data(), a.ld, tau.data());
  this->expect_near(a, q);
}

TYPED_TEST(LapackCpp, Qr) {
  using T = TypeParam;
  for (const auto& [m, n] : {std::pair<std::int64_t, std::int64_t>{8, 5}, {5, 8}}) {
    const std::int64_t k = std::min(m, n);
    Matrix<T> a = this->numbers(m, n), whole = a, triangle{m, n}, q = this->identity(m);
    std::vector<T> tau(k);
    lapack::qr(this->handle, m, n, a.data(), a.ld, tau.data());
    for (std::int64_t c = 0; c < n; ++c)
      for (std::int64_t r = 0; r < std::min(c + 1, m); ++r) triangle(r, c) = a(r, c);
    lapack::ormqr(this->handle, Side::left, this->adjoint, m, n, k, a.data(), a.ld, tau.data(), whole.data(), whole.ld);
    this->expect_near(whole, triangle);
    lapack::ormqr(this->handle, Side::right, Op::N, m, m, k, a.data(), a.ld, tau.data(), q.data(), q.ld);
    lapack::orgqr(this->handle, m, k, k, a.data(), a.ld, tau.data());
    a.columns = k;
    this->expect_near(a, q);
  }
}

// A V = V diag(w), and the same eigenvalues without V.
TYPED_TEST(LapackCpp, Eigenproblem) {
  using T = TypeParam;
  using R = lapack::Real<T>;
  constexpr std::int64_t n = 7;
  Matrix<T> a = this->numbers(n, n);
  for (std::int64_t c = 0; c < n; ++c)
    for (std::int64_t r = 0; r <= c; ++r)
      if constexpr (!std::is_same_v<T, R>)
        a(r, c) = r == c ? T(a(r, c).real()) : std::conj(a(c, r));
      else
        a(r, c) = a(c, r);
  Matrix<T> v = a, lost = a, left{n, n}, right{n, n};
  std::vector<R> w(n), values(n);
  int info = -1;
  lapack::eigh(this->handle, lapack::Job::vectors, Uplo::lower, n, v.data(), v.ld, w.data(), &info);
  EXPECT_EQ(info, 0);
  lapack::eigh(this->handle, lapack::Job::values, Uplo::upper, n, lost.data(), lost.ld, values.data(), &info);
  for (std::int64_t c = 0; c < n; ++c) {
    EXPECT_LE(std::abs(w[c] - values[c]), 400 * std::numeric_limits<R>::epsilon());
    for (std::int64_t r = 0; r < n; ++r) {
      right(r, c) = v(r, c) * w[c];
      for (std::int64_t k = 0; k < n; ++k) left(r, c) += a(r, k) * v(k, c);
    }
  }
  this->expect_near(left, right);

  // Some of them, by index and by value.
  Matrix<T> some = a;
  std::vector<R> few(n);
  int found = -1;
  lapack::eigh(this->handle, lapack::Job::vectors, Uplo::lower, n, some.data(), some.ld, few.data(), &info,
               lapack::by_index(2, 3));
  EXPECT_LE(std::abs(w[1] - few[0]) + std::abs(w[2] - few[1]), 400 * std::numeric_limits<R>::epsilon());
  lost = a;
  lapack::eigh(this->handle, lapack::Job::values, Uplo::lower, n, lost.data(), lost.ld, few.data(), &info,
               lapack::by_value((w[0] + w[1]) / 2, (w[2] + w[3]) / 2, &found));
  EXPECT_EQ(found, 2);
  EXPECT_LE(std::abs(w[1] - few[0]) + std::abs(w[2] - few[1]), 400 * std::numeric_limits<R>::epsilon());
}

// A = U diag(s) V^H, and the same values without vectors.
TYPED_TEST(LapackCpp, SingularValues) {
  using T = TypeParam;
  using R = lapack::Real<T>;
  constexpr std::int64_t m = 9, n = 6;
  Matrix<T> a = this->numbers(m, n), thin = a, lost = a, u{m, n}, vt{n, n}, product{m, n};
  std::vector<R> s(n), values(n);
  int info = -1;
  lapack::svd(this->handle, lapack::Job::vectors, m, n, thin.data(), thin.ld, s.data(), u.data(), u.ld, vt.data(),
              vt.ld, &info);
  EXPECT_EQ(info, 0);
  lapack::svd<T>(this->handle, lapack::Job::values, m, n, lost.data(), lost.ld, values.data(), nullptr, 1, nullptr, 1,
                 &info);
  for (std::int64_t c = 0; c < n; ++c) {
    EXPECT_LE(std::abs(s[c] - values[c]), 400 * std::numeric_limits<R>::epsilon());
    for (std::int64_t r = 0; r < m; ++r)
      for (std::int64_t k = 0; k < n; ++k) product(r, c) += u(r, k) * s[k] * vt(k, c);
  }
  this->expect_near(a, product);
}

TYPED_TEST(LapackCpp, TakesAWorkspaceAndThrows) {
  using T = TypeParam;
  constexpr std::int64_t m = 30, n = 20;
  Matrix<T> a = this->numbers(m, n);
  std::vector<lapack::Real<T>> d(n), e(n);
  std::vector<T> tauq(n), taup(n);
  const std::size_t bytes = lapack::workspace(this->handle, lapack::gebrd_problem<T>(m, n, a.ld));
  std::vector<unsigned char> memory(bytes + 64);
  void* room = memory.data();
  std::size_t left = memory.size();
  ASSERT_NE(std::align(64, bytes, room, left), nullptr);
  const auto reduce = [&](std::int64_t lda, std::size_t given) {
    lapack::bidiagonalize(this->handle, m, n, a.data(), lda, d.data(), e.data(), tauq.data(), taup.data(), room, given);
  };
  EXPECT_NO_THROW(reduce(a.ld, bytes));
  EXPECT_THROW(reduce(a.ld, bytes - 1), lapack::Error);
  try {
    reduce(m - 1, bytes);
    FAIL() << "lda is too small";
  } catch (const lapack::Error& error) {
    EXPECT_EQ(error.status(), ONEPASS_STATUS_INVALID_LD);
    EXPECT_NE(std::string(error.what()).find("lda = 29"), std::string::npos) << error.what();
  }
}

}  // namespace
