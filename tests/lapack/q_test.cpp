// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Q of each reduction, generated and applied: the same as by the reference, which takes one reflector after the other.
#include <gtest/gtest.h>

#include <random>

#include "guarded.hpp"
#include "lapack/check.hpp"
#include "lapack/reflectors.hpp"
#include "types.hpp"
#include "verify/lapack_residual.hpp"

namespace onepass::test {
namespace {

// Reflectors of any kind: an A of random numbers, and the tau that makes each of them unitary.
template <class T>
struct Factor {
  Guarded<T> a;
  Guarded<T> tau;

  Factor(const LapackProblem& p, std::int64_t rows, std::int64_t columns)
      : a(rows, columns, p.lda), tau(std::max<std::int64_t>(1, lapack::reflectors(p).count + p.ilo - 1)) {
    using W = verify::Exact<T>;
    const lapack::Reflectors q = lapack::reflectors(p);
    const auto values = verify::make_matrix<T>(verify::Pattern::random, rows, columns, false, 5);
    a.set(values);
    std::mt19937 random(7);
    verify::Dense<W> taus(std::max<std::int64_t>(1, q.count + p.ilo - 1), 1);
    const std::int64_t offset = q.count + p.ilo - 1 - q.count;
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

template <class T>
void expect_like_reference(LapackProblem p, std::int64_t rows_of_a, std::int64_t columns_of_a, int threads = 1) {
  p.type = type_of<T>;
  p.lda = std::max<std::int64_t>(1, rows_of_a) + 1;
  p.ldc = std::max<std::int64_t>(1, p.m) + 3;
  SCOPED_TRACE(lapack_name(p) + " m = " + std::to_string(p.m) + " n = " + std::to_string(p.n) + " k = " +
               std::to_string(p.k) + " ilo = " + std::to_string(p.ilo) + " ihi = " + std::to_string(p.ihi) + " uplo " +
               std::to_string(static_cast<int>(p.uplo)) + " vect " + std::to_string(static_cast<int>(p.vect)) +
               " side " + std::to_string(static_cast<int>(p.side)) + " op " + std::to_string(static_cast<int>(p.op)));
  ASSERT_EQ(check(p).position, 0) << check(p).status.text;
  Factor<T> wanted(p, rows_of_a, columns_of_a), got(p, rows_of_a, columns_of_a);
  const bool generated = generates(p.routine);
  Guarded<T> c(generated ? 0 : p.m, generated ? 0 : p.n, p.ldc);
  if (!generated) c.set(verify::make_matrix<T>(verify::Pattern::random, p.m, p.n, false, 9));
  Guarded<T> wanted_c = c;
  run(lapack_reference(), p, {.a = wanted.a.data(), .tau = wanted.tau.data(), .c = wanted_c.data()});
  EXPECT_TRUE(run(lapack_cpu(), p, {.a = got.a.data(), .tau = got.tau.data(), .c = c.data()}, threads));
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

constexpr std::int64_t orders[] = {0, 1, 2, 3, 7, 31, 32, 33, 34, 65, 100};
constexpr Uplo triangles[] = {Uplo::lower, Uplo::upper};

template <class T>
class Q : public testing::Test {
 public:
  // Both sides, and Q as it is and its adjoint.
  static void apply(LapackProblem p, std::int64_t order, std::int64_t rows_of_a, std::int64_t columns_of_a) {
    for (const Side side : {Side::left, Side::right})
      for (const Op op : {Op::n, lapack::is_complex<T> ? Op::c : Op::t})
        for (const std::int64_t other : {std::int64_t{0}, std::int64_t{1}, std::int64_t{37}}) {
          p.side = side;
          p.op = op;
          p.m = side == Side::left ? order : other;
          p.n = side == Side::left ? other : order;
          expect_like_reference<T>(p, rows_of_a, columns_of_a);
        }
  }
};
TYPED_TEST_SUITE(Q, Types);

TYPED_TEST(Q, OfSytrdIsGenerated) {
  for (const Uplo uplo : triangles)
    for (const std::int64_t n : orders)
      expect_like_reference<TypeParam>({.routine = LapackRoutine::orgtr, .uplo = uplo, .n = n}, n, n);
}

TYPED_TEST(Q, OfSytrdIsApplied) {
  for (const Uplo uplo : triangles)
    for (const std::int64_t n : orders) this->apply({.routine = LapackRoutine::ormtr, .uplo = uplo}, n, n, n);
}

TYPED_TEST(Q, OfGebrdIsGenerated) {
  constexpr auto orgbr = LapackRoutine::orgbr;
  for (const std::int64_t order : orders)
    for (const std::int64_t k : {std::int64_t{0}, order / 2, order - 1, order, order + 5}) {
      if (k < 0) continue;
      for (const std::int64_t lines : {std::min(order, k), order}) {
        expect_like_reference<TypeParam>({.routine = orgbr, .vect = Vect::q, .m = order, .n = lines, .k = k}, order,
                                         lines);
        expect_like_reference<TypeParam>({.routine = orgbr, .vect = Vect::p, .m = lines, .n = order, .k = k}, lines,
                                         order);
      }
    }
}

TYPED_TEST(Q, OfGebrdIsApplied) {
  for (const std::int64_t order : {0, 1, 5, 40, 70})
    for (const std::int64_t k : {std::int64_t{0}, order / 2, order, order + 5}) {
      this->apply({.routine = LapackRoutine::ormbr, .vect = Vect::q, .k = k}, order, order, std::min(order, k));
      this->apply({.routine = LapackRoutine::ormbr, .vect = Vect::p, .k = k}, order, std::min(order, k), order);
    }
}

TYPED_TEST(Q, OfGehrdIsGeneratedAndApplied) {
  for (const std::int64_t n : orders) {
    if (n == 0) {
      expect_like_reference<TypeParam>({.routine = LapackRoutine::orghr, .n = 0}, 0, 0);
      continue;
    }
    for (const std::int64_t ilo : {std::int64_t{1}, (n + 1) / 2, n})
      for (const std::int64_t ihi : {ilo, std::max(ilo, n - 2), n}) {
        expect_like_reference<TypeParam>({.routine = LapackRoutine::orghr, .n = n, .ilo = ilo, .ihi = ihi}, n, n);
        this->apply({.routine = LapackRoutine::ormhr, .ilo = ilo, .ihi = ihi}, n, n, n);
      }
  }
}

}  // namespace
}  // namespace onepass::test
