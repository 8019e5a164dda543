// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The reference of rank-1 updates on matrices small enough to check by hand, and against products with the matrix.
#include <gtest/gtest.h>

#include "backends/registry.hpp"
#include "numbers/scalar.hpp"
#include "support/family/cases.hpp"

namespace onepass::test {
namespace {

template <class T>
void run_reference(const Problem& p, T alpha, const T* x, const T* y, T* a) {
  const Backend& backend = reference_backend();
  const Operands o{.alpha = &alpha, .a = a, .x = x, .y = const_cast<T*>(y)};
  ASSERT_TRUE(check(p).ok()) << check(p).text;
  ASSERT_TRUE(backend.launch(backend.plan(p, 0), o, {}, nullptr).ok());
}

//     | 1 4 |                                    | 1 + 20  4 + 200 |
// A = | 2 5 |,  A + 2 (1, 2, 3)^T (10, 100)  =   | 2 + 40  5 + 400 |; between the columns lies 99
//     | 3 6 |                                    | 3 + 60  6 + 600 |
TEST(Reference, ThreeByTwo) {
  const float x[] = {1, 2, 3}, y[] = {10, 100};
  float columns[] = {1, 2, 3, 99, 4, 5, 6}, rows[] = {1, 4, 99, 2, 5, 99, 3, 6};
  run_reference({.routine = Routine::ger, .m = 3, .n = 2, .lda = 4}, 2.0f, x, y, columns);
  run_reference({.routine = Routine::ger, .layout = Layout::row, .m = 3, .n = 2, .lda = 3}, 2.0f, x, y, rows);
  const float expected_columns[] = {21, 42, 63, 99, 204, 405, 606};
  const float expected_rows[] = {21, 204, 99, 42, 405, 99, 63, 606};
  for (int i = 0; i < 7; ++i) EXPECT_EQ(columns[i], expected_columns[i]) << i;
  for (int i = 0; i < 8; ++i) EXPECT_EQ(rows[i], expected_rows[i]) << i;
}

// x = (3, 1), y = (100, 10)
TEST(Reference, NegativeIncrementsBeginAtTheFarEnd) {
  const double x[] = {1, 0, 3}, y[] = {10, 100};
  double a[] = {0, 0, 0, 0};
  Problem p{.routine = Routine::ger, .m = 2, .n = 2, .lda = 2, .incx = -2, .incy = -1};
  p.type_a = p.type_x = p.type_y = Type::d;
  run_reference(p, 1.0, x, y, a);
  EXPECT_EQ(a[0], 300);
  EXPECT_EQ(a[1], 100);
  EXPECT_EQ(a[2], 30);
  EXPECT_EQ(a[3], 10);
}

// (1 + 2i) (3 + 4i) = -5 + 10i, and with the conjugate (1 + 2i) (3 - 4i) = 11 + 2i; times i: -10 - 5i and -2 + 11i
TEST(Reference, ConjugatesYInGercAlone) {
  using C = Complex<float>;
  const C x[] = {{1, 2}}, y[] = {{3, 4}};
  for (const Layout layout : {Layout::column, Layout::row}) {
    Problem p{.routine = Routine::ger, .layout = layout, .m = 1, .n = 1, .lda = 1};
    p.type_a = p.type_x = p.type_y = Type::c;
    C a[] = {{100, 1000}};
    run_reference(p, C{0, 1}, x, y, a);
    EXPECT_EQ(a[0], (C{90, 995}));
    p.routine = Routine::gerc;
    run_reference(p, C{0, 1}, x, y, a);
    EXPECT_EQ(a[0], (C{88, 1006}));
  }
}

// Each case again by its definition, in doubles: integers are exact there.
TEST(Reference, IsTheOuterProduct) {
  for (const GroupedCase& g : all_cases()) {
    const Problem& p = g.c.problem;
    const HostOperands before = lay_out(g.c);
    const Outcome outcome = run(reference_backend(), g.c, before);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.text;
    ASSERT_EQ(outcome.damage, "");
    for (std::int64_t b = 0; b < p.batch; ++b)
      each_output(p, [&](const Output& out) {
        const Value y = before.y.at(b, index_y(p, out.j));
        const Value outer = g.c.alpha * before.x.at(b, index_x(p, out.i)) * (row(p).hermitian ? conj(y) : y);
        EXPECT_EQ(get(p.type_a, outcome.output.data(), before.a.place(b, out.index)), before.a.at(b, out.index) + outer)
            << g.c.name << " " << name(p, out);
      });
  }
}

}  // namespace
}  // namespace onepass::test
