// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The reference of SYMV and HEMV on matrices small enough to check by hand, and against a full matrix.
#include <gtest/gtest.h>

#include <limits>

#include "backends/registry.hpp"
#include "numbers/scalar.hpp"
#include "support/compare.hpp"
#include "support/family/cases.hpp"

namespace onepass::test {
namespace {

template <class S, class A, class Y>
void run_reference(const Problem& p, S alpha, const A* a, const A* x, S beta, Y* y) {
  const Backend& backend = reference_backend();
  const Operands o{.alpha = &alpha, .a = a, .x = x, .beta = &beta, .y = y};
  ASSERT_TRUE(check(p).ok()) << check(p).text;
  ASSERT_TRUE(backend.launch(backend.plan(p, 0), o, {}, nullptr).ok());
}

//     | 1 2 3 |
// A = | 2 4 5 |,  A (1, 10, 100) = (321, 542, 653); the other triangle holds 99
//     | 3 5 6 |
TEST(Reference, ThreeByThree) {
  const float lower[] = {1, 2, 3, 99, 4, 5, 99, 99, 6}, upper[] = {1, 99, 99, 2, 4, 99, 3, 5, 6};
  const float x[] = {1, 10, 100};
  for (const Layout layout : {Layout::column, Layout::row})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      const bool below = (uplo == Uplo::lower) == (layout == Layout::column);
      float y[] = {1, 1, 1};
      const Problem p{.routine = Routine::symv, .uplo = uplo, .layout = layout, .m = 3, .n = 3, .lda = 3};
      run_reference(p, 1.0f, below ? lower : upper, x, 0.0f, y);
      EXPECT_EQ(y[0], 321);
      EXPECT_EQ(y[1], 542);
      EXPECT_EQ(y[2], 653);
      run_reference(p, 2.0f, below ? lower : upper, x, -1.0f, y);
      EXPECT_EQ(y[2], 653);
    }
}

using C = Complex<double>;

// a(1, 0) = 3 + 4i. Symmetric: A = | 1 + 9i, 3 + 4i; 3 + 4i, 2 + 9i |. Hermitian: A = | 1, 3 - 4i; 3 + 4i, 2 |.
const C column[] = {{1, 9}, {3, 4}, {99, 99}, {2, 9}};
const C x[] = {{1, 0}, {0, 1}};

Problem complex_problem(Routine routine) {
  Problem p{.routine = routine, .m = 2, .n = 2, .lda = 2};
  p.type_a = p.type_x = p.type_y = Type::z;
  return p;
}

TEST(Reference, ComplexSymmetric) {
  C y[2];
  run_reference(complex_problem(Routine::symv), C{1, 0}, column, x, C{0, 0}, y);
  EXPECT_EQ(y[0], (C{1 - 4, 9 + 3}));
  EXPECT_EQ(y[1], (C{3 - 9, 4 + 2}));
}

TEST(Reference, HermitianHasARealDiagonal) {
  C y[2];
  run_reference(complex_problem(Routine::hemv), C{1, 0}, column, x, C{0, 0}, y);
  EXPECT_EQ(y[0], (C{1 + 4, 3}));
  EXPECT_EQ(y[1], (C{3, 4 + 2}));
}

// The same numbers row by row are the upper triangle of the conjugate: A = | 1, 3 + 4i; 3 - 4i, 2 |.
TEST(Reference, RowMajorHermitianIsTheConjugate) {
  C y[2];
  Problem p = complex_problem(Routine::hemv);
  p.layout = Layout::row;
  p.uplo = Uplo::upper;
  run_reference(p, C{1, 0}, column, x, C{0, 0}, y);
  EXPECT_EQ(y[0], (C{1 - 4, 3}));
  EXPECT_EQ(y[1], (C{3, -4 + 2}));
}

// Each case again as a gemv with the matrix written out in full.
TEST(Reference, IsThatOfTheFullMatrix) {
  for (const GroupedCase& g : all_cases()) {
    const Problem& p = g.c.problem;
    if (p.n > 70) continue;
    const HostOperands operands = lay_out(g.c);
    Case full = g.c;
    Problem& q = full.problem;
    q.routine = Routine::gemv;
    q.layout = Layout::column;
    q.lda = p.n;
    if (q.batch > 1) q.stride_a = p.n * p.n;
    HostOperands dense = lay_out(full);
    dense.x = operands.x;
    dense.y = operands.y;
    dense.x_tail = operands.x_tail;
    dense.y_tail = operands.y_tail;
    for (std::int64_t product = 0; product < p.batch; ++product)
      for (std::int64_t i = 0; i < p.n; ++i)
        for (std::int64_t k = 0; k < p.n; ++k)
          dense.a.set(product, index_a(q, i, k), element(p, operands.a, product, i, k));
    const Outcome expected = run(reference_backend(), full, dense);
    EXPECT_TRUE(agrees(full, dense, run(reference_backend(), g.c, operands), expected)) << g.c.name;
  }
}

}  // namespace
}  // namespace onepass::test
