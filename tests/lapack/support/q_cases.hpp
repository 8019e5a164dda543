// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Q of each reduction, generated and applied on a backend: the same as by the reference, which takes one reflector
// after the other.
#pragma once

#include <gtest/gtest.h>

#include <random>
#include <span>
#include <vector>

#include "guarded.hpp"
#include "lapack/check.hpp"
#include "lapack/reflectors.hpp"
#include "types.hpp"
#include "verify/lapack_residual.hpp"

namespace onepass::test {

// Reflectors of any kind: an A of random numbers, and the tau that makes each of them unitary.
template <class T>
struct Factor {
  Guarded<T> a;
  Guarded<T> tau;

  Factor(const LapackProblem& p, std::int64_t rows, std::int64_t columns)
      : a(rows, columns, p.lda), tau(std::max<std::int64_t>(1, lapack::reflectors(p).count + lapack::first_tau(p))) {
    using W = verify::Exact<T>;
    const lapack::Reflectors q = lapack::reflectors(p);
    const auto values = verify::make_matrix<T>(verify::Pattern::random, rows, columns, false, 5);
    a.set(values);
    std::mt19937 random(7);
    const std::int64_t offset = lapack::first_tau(p);
    verify::Dense<W> taus(std::max<std::int64_t>(1, q.count + offset), 1);
    for (std::int64_t i = 0; i < q.count; ++i) {
      double squares = 1;
      for (std::int64_t r = q.backward ? 0 : q.unit + i + 1; r < (q.backward ? q.unit + i : q.end); ++r)
        squares += std::norm(q.by_rows ? values(q.line + i, r) : values(r, q.line + i));
      // |1 - tau |v|^2| = 1: on a circle through 0. One in eight is 0, as where a column was reduced already.
      const double angle = lapack::is_complex<T> ? std::uniform_real_distribution<double>(-1, 1)(random) : 0;
      W value = W(2 / squares * std::cos(angle) * std::cos(angle));
      if constexpr (lapack::is_complex<T>) value += W(0, 2 / squares * std::cos(angle) * std::sin(angle));
      taus(offset + i, 0) = i % 8 == 3 ? W{} : value;
    }
    tau.set(taus);
  }
};

// A problem of any type, and the size of its A.
struct QCase {
  LapackProblem problem;
  std::int64_t rows, columns;
};

using Sizes = std::span<const std::int64_t>;
inline constexpr Uplo triangles[] = {Uplo::lower, Uplo::upper};

// Both sides, Q as it is and its adjoint (of real types; complex ones have Op::c for Op::t).
inline void add_applied(std::vector<QCase>& cases, LapackProblem p, std::int64_t order, std::int64_t rows,
                        std::int64_t columns, Sizes others) {
  for (const Side side : {Side::left, Side::right})
    for (const Op op : {Op::n, Op::t})
      for (const std::int64_t other : others) {
        p.side = side;
        p.op = op;
        p.m = side == Side::left ? order : other;
        p.n = side == Side::left ? other : order;
        cases.push_back({p, rows, columns});
      }
}

inline std::vector<QCase> orgtr_cases(Sizes orders) {
  std::vector<QCase> cases;
  for (const Uplo uplo : triangles)
    for (const std::int64_t n : orders)
      cases.push_back({{.routine = LapackRoutine::orgtr, .uplo = uplo, .n = n}, n, n});
  return cases;
}

inline std::vector<QCase> ormtr_cases(Sizes orders, Sizes others) {
  std::vector<QCase> cases;
  for (const Uplo uplo : triangles)
    for (const std::int64_t n : orders)
      add_applied(cases, {.routine = LapackRoutine::ormtr, .uplo = uplo}, n, n, n, others);
  return cases;
}

// As many lines as there must be, and all.
inline std::vector<QCase> orgbr_cases(Sizes orders) {
  constexpr auto orgbr = LapackRoutine::orgbr;
  std::vector<QCase> cases;
  for (const std::int64_t order : orders)
    for (const std::int64_t k : {std::int64_t{0}, order / 2, order - 1, order, order + 5}) {
      if (k < 0) continue;
      for (const std::int64_t lines : {std::min(order, k), order}) {
        cases.push_back({{.routine = orgbr, .vect = Vect::q, .m = order, .n = lines, .k = k}, order, lines});
        cases.push_back({{.routine = orgbr, .vect = Vect::p, .m = lines, .n = order, .k = k}, lines, order});
      }
    }
  return cases;
}

inline std::vector<QCase> ormbr_cases(Sizes orders, Sizes others) {
  std::vector<QCase> cases;
  for (const std::int64_t order : orders)
    for (const std::int64_t k : {std::int64_t{0}, order / 2, order, order + 5}) {
      const LapackProblem p = {.routine = LapackRoutine::ormbr, .k = k};
      LapackProblem by_rows = p;
      by_rows.vect = Vect::p;
      add_applied(cases, p, order, order, std::min(order, k), others);
      add_applied(cases, by_rows, order, std::min(order, k), order, others);
    }
  return cases;
}

// orgqr and ormqr. As many columns as there must be, and all.
inline std::vector<QCase> qr_cases(Sizes orders, Sizes others) {
  std::vector<QCase> cases;
  for (const std::int64_t m : orders)
    for (const std::int64_t k : {std::int64_t{0}, m / 2, m}) {
      for (const std::int64_t n : {k, (k + m) / 2, m})
        cases.push_back({{.routine = LapackRoutine::orgqr, .m = m, .n = n, .k = k}, m, n});
      add_applied(cases, {.routine = LapackRoutine::ormqr, .k = k}, m, m, k, others);
    }
  return cases;
}

// orghr and ormhr, of several ilo and ihi.
inline std::vector<QCase> hessenberg_cases(Sizes orders, Sizes others) {
  std::vector<QCase> cases;
  for (const std::int64_t n : orders) {
    if (n == 0) {
      cases.push_back({{.routine = LapackRoutine::orghr, .n = 0}, 0, 0});
      continue;
    }
    for (const std::int64_t ilo : {std::int64_t{1}, (n + 1) / 2, n})
      for (const std::int64_t ihi : {ilo, std::max(ilo, n - 2), n}) {
        cases.push_back({{.routine = LapackRoutine::orghr, .n = n, .ilo = ilo, .ihi = ihi}, n, n});
        add_applied(cases, {.routine = LapackRoutine::ormhr, .ilo = ilo, .ihi = ihi}, n, n, n, others);
      }
  }
  return cases;
}

template <class T>
void expect_like_reference(const LapackBackend& backend, const QCase& q_case) {
  LapackProblem p = q_case.problem;
  p.type = type_of<T>;
  if (lapack::is_complex<T> && p.op == Op::t) p.op = Op::c;
  p.lda = std::max<std::int64_t>(1, q_case.rows) + 1;
  p.ldc = std::max<std::int64_t>(1, p.m) + 3;
  SCOPED_TRACE(lapack_name(p) + " m = " + std::to_string(p.m) + " n = " + std::to_string(p.n) + " k = " +
               std::to_string(p.k) + " ilo = " + std::to_string(p.ilo) + " ihi = " + std::to_string(p.ihi) + " uplo " +
               std::to_string(static_cast<int>(p.uplo)) + " vect " + std::to_string(static_cast<int>(p.vect)) +
               " side " + std::to_string(static_cast<int>(p.side)) + " op " + std::to_string(static_cast<int>(p.op)));
  ASSERT_EQ(check(p).position, 0) << check(p).status.text;
  Factor<T> wanted(p, q_case.rows, q_case.columns), got(p, q_case.rows, q_case.columns);
  const bool generated = generates(p.routine);
  Guarded<T> c(generated ? 0 : p.m, generated ? 0 : p.n, p.ldc);
  if (!generated) c.set(verify::make_matrix<T>(verify::Pattern::random, p.m, p.n, false, 9));
  Guarded<T> wanted_c = c;
  run(lapack_reference(), p, {.a = wanted.a.data(), .tau = wanted.tau.data(), .c = wanted_c.data()});
  EXPECT_TRUE(run(backend, p, {.a = got.a.data(), .tau = got.tau.data(), .c = c.data()}));
  EXPECT_TRUE(got.tau.untouched());
  const double eps = verify::unit_of<T>;
  if (generated) {
    EXPECT_TRUE(got.a.intact());
    EXPECT_LT(verify::difference(got.a.values(), wanted.a.values(), eps), verify::residual_limit);
    EXPECT_LT(verify::orthogonality_residual(got.a.values(), eps), verify::residual_limit);
  } else {
    EXPECT_TRUE(got.a.untouched());
    EXPECT_TRUE(c.intact());
    EXPECT_LT(verify::difference(c.values(), wanted_c.values(), eps), verify::residual_limit);
  }
}

template <class T>
void expect_like_reference(const LapackBackend& backend, const std::vector<QCase>& cases) {
  for (const QCase& each : cases) expect_like_reference<T>(backend, each);
}

}  // namespace onepass::test
