// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The reference itself, on matrices small enough to check by hand, and its wide sums.
#include <gtest/gtest.h>

#include <cmath>

#include "backends/reference/wide.hpp"
#include "backends/registry.hpp"
#include "numbers/scalar.hpp"

namespace onepass {
namespace {

template <class S, class A, class Y>
void run(const Problem& p, S alpha, const A* a, const A* x, S beta, Y* y) {
  const Backend& backend = reference_backend();
  const Operands o{.alpha = &alpha, .a = a, .x = x, .beta = &beta, .y = y};
  ASSERT_TRUE(check(p).ok()) << check(p).text;
  ASSERT_TRUE(backend.launch(backend.plan(p, 0), o, {}, nullptr).ok());
}

//     | 1 4 |
// A = | 2 5 |
//     | 3 6 |
constexpr float columns[] = {1, 2, 3, 4, 5, 6};
constexpr float rows[] = {1, 4, 2, 5, 3, 6};

TEST(Reference, ThreeByTwo) {
  const float x[] = {1, 10, 100};
  float y[] = {1, 1, 1};
  run({.m = 3, .n = 2, .lda = 3}, 1.0f, columns, x, 0.0f, y);  // A (1, 10)
  EXPECT_EQ(y[0], 41);
  EXPECT_EQ(y[1], 52);
  EXPECT_EQ(y[2], 63);
  run({.m = 3, .n = 2, .lda = 3}, 2.0f, columns, x, -1.0f, y);  // 2 A (1, 10) - y
  EXPECT_EQ(y[0], 41);
  EXPECT_EQ(y[1], 52);
  EXPECT_EQ(y[2], 63);
  run({.op = Op::t, .m = 3, .n = 2, .lda = 3}, 1.0f, columns, x, 0.0f, y);  // A^T (1, 10, 100)
  EXPECT_EQ(y[0], 321);
  EXPECT_EQ(y[1], 654);
}

TEST(Reference, RowMajorIsTheSameMatrix) {
  const float x[] = {1, 10, 100};
  float y[3] = {};
  run({.layout = Layout::row, .m = 3, .n = 2, .lda = 2}, 1.0f, rows, x, 0.0f, y);
  EXPECT_EQ(y[0], 41);
  EXPECT_EQ(y[2], 63);
  run({.op = Op::c, .layout = Layout::row, .m = 3, .n = 2, .lda = 2}, 1.0f, rows, x, 0.0f, y);
  EXPECT_EQ(y[0], 321);
  EXPECT_EQ(y[1], 654);
}

TEST(Reference, FiveByFiveInAllIncrements) {
  // A(i, j) = i + 10 j, x = (1 .. 5): A x (i) = 15 i + 10 * 40, for i, j = 0 .. 4
  double a[25], x[5] = {1, 2, 3, 4, 5};
  for (int j = 0; j < 5; ++j)
    for (int i = 0; i < 5; ++i) a[i + 5 * j] = i + 10 * j;
  const Problem d{.type_a = Type::d, .type_x = Type::d, .type_y = Type::d, .m = 5, .n = 5, .lda = 5};

  double y[5];
  run(d, 1.0, a, x, 0.0, y);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(y[i], 400 + 15 * i);

  Problem backwards = d;
  backwards.incx = -1;  // x = (5 .. 1): A x (i) = 15 i + 10 * 20
  run(backwards, 1.0, a, x, 0.0, y);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(y[i], 200 + 15 * i);

  Problem spread = d;
  spread.incy = -2;  // y(i) at 8 - 2 i
  double wide[9] = {0, 7, 0, 7, 0, 7, 0, 7, 0};
  run(spread, 1.0, a, x, 0.0, wide);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(wide[8 - 2 * i], 400 + 15 * i);
  for (int i = 1; i < 9; i += 2) EXPECT_EQ(wide[i], 7);
}

TEST(Reference, ConjugatesForOpCAlone) {
  using C = Complex<float>;
  const C a[] = {{1, 2}, {3, 4}}, x[] = {{1, 0}, {0, 1}};  // one column
  C y[1];
  const Problem c{.type_a = Type::c, .type_x = Type::c, .type_y = Type::c, .op = Op::t, .m = 2, .n = 1, .lda = 2};
  run(c, C{1, 0}, a, x, C{0, 0}, y);  // 1 + 2i + (3 + 4i) i
  EXPECT_EQ(y[0], (C{-3, 5}));
  Problem conjugated = c;
  conjugated.op = Op::c;
  run(conjugated, C{0, 1}, a, x, C{0, 0}, y);  // i (1 - 2i + (3 - 4i) i) = i (5 + i)
  EXPECT_EQ(y[0], (C{-1, 5}));
}

TEST(Reference, HalfWithFloatResultKeepsTheFloat) {
  const Half a[] = {narrow<Half>(2048), narrow<Half>(1)}, x[] = {narrow<Half>(1), narrow<Half>(1)};
  float wide[1];
  Half same[1];
  Problem p{.type_a = Type::h, .type_x = Type::h, .type_y = Type::s, .m = 1, .n = 2, .lda = 1};
  run(p, 1.0f, a, x, 0.0f, wide);
  EXPECT_EQ(wide[0], 2049);
  p.type_y = Type::h;
  run(p, 1.0f, a, x, 0.0f, same);
  EXPECT_EQ(widen(same[0]), 2048);  // 2049 is half way, and 2048 even
}

TEST(Reference, BatchesByStrideAndByPointer) {
  const float a[] = {2, 0, 3}, x[] = {10, 100};
  float y[] = {0, 0};
  Problem p{.m = 1, .n = 1, .lda = 1, .batch = 2, .stride_a = 2, .stride_x = 1, .stride_y = 1};
  run(p, 1.0f, a, x, 0.0f, y);
  EXPECT_EQ(y[0], 20);
  EXPECT_EQ(y[1], 300);

  const void* as[] = {a + 2, a};
  const void* xs[] = {x, x};
  void* ys[] = {y + 1, y};
  p.pointer_array = true;
  const float one = 1, zero = 0;
  const Operands o{.alpha = &one, .a = as, .x = xs, .beta = &zero, .y = ys};
  ASSERT_TRUE(reference_backend().launch(reference_backend().plan(p, 0), o, {}, nullptr).ok());
  EXPECT_EQ(y[1], 30);
  EXPECT_EQ(y[0], 20);
}

TEST(Reference, SumsWiderThanItsTypes) {
  // 1 + 2^-24 a thousand times: each step is lost in float, and 2^-53 in double.
  float fa[1001] = {1}, fx[1001], fy[1];
  double da[1001] = {1}, dx[1001], dy[1];
  for (int i = 0; i < 1001; ++i) fx[i] = dx[i] = 1;
  for (int i = 1; i < 1001; ++i) fa[i] = 0x1p-24f, da[i] = 0x1p-53;
  const Problem s{.m = 1, .n = 1001, .lda = 1};
  const Problem d{.type_a = Type::d, .type_x = Type::d, .type_y = Type::d, .m = 1, .n = 1001, .lda = 1};
  run(s, 1.0f, fa, fx, 0.0f, fy);
  run(d, 1.0, da, dx, 0.0, dy);
  EXPECT_EQ(fy[0], 1 + 500 * 0x1p-23f);
  EXPECT_EQ(dy[0], 1 + 500 * 0x1p-52);
}

TEST(WideDouble, KeepsWhatCancellationLeaves) {
  reference::WideDouble sum;
  sum.add(1e16, 1.0);
  sum.add(1.0, 1.0);
  sum.add(-1e16, 1.0);
  sum.add(0x1p-60, 1.0);
  EXPECT_EQ(sum.rounded(), 1 + 0x1p-60);
  reference::WideDouble product;
  product.add(1 + 0x1p-30, 1 - 0x1p-30);  // 1 - 2^-60
  product.add(-1.0, 1.0);
  EXPECT_EQ(product.rounded(), -0x1p-60);
}

TEST(WideDouble, CarriesInfinityAndNan) {
  reference::WideDouble sum;
  sum.add(INFINITY, 1.0);
  sum.add(1.0, 1.0);
  EXPECT_EQ(sum.rounded(), INFINITY);
  sum.add(-INFINITY, 1.0);
  EXPECT_TRUE(std::isnan(sum.rounded()));
}

}  // namespace
}  // namespace onepass
