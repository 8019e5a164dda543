// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Of the pointers of a problem: which are refused, and by which name; operands that overlap; and what BLAS returns from
// at once.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <set>

#include "numbers/scalar.hpp"
#include "problem/check.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

struct Pointers : testing::Test {
  alignas(16) float a[64] = {}, x[64] = {}, y[64] = {};
  Complex<double> one{1, 0}, zero{0, 0};
  Operands all() { return {.alpha = &one, .a = a, .x = x, .beta = &zero, .y = y}; }
};

TEST_F(Pointers, NullIsRefusedByName) {
  const Problem p{.type_a = Type::d, .type_x = Type::d, .type_y = Type::d, .m = 2, .n = 2, .lda = 2};
  const struct {
    const char* word;
    const void* Operands::*pointer;
  } inputs[] = {{"alpha is null", &Operands::alpha},
                {"A is null", &Operands::a},
                {"x is null", &Operands::x},
                {"beta is null", &Operands::beta}};
  for (const auto& [word, pointer] : inputs) {
    Operands o = all();
    o.*pointer = nullptr;
    const Status status = check(p, o, Alignment::element);
    EXPECT_EQ(status.code, ONEPASS_STATUS_INVALID_POINTER);
    EXPECT_NE(status.text.find(word), std::string::npos) << status.text;
  }
  Operands o = all();
  o.y = nullptr;
  EXPECT_EQ(check(p, o, Alignment::element).code, ONEPASS_STATUS_INVALID_POINTER);
  EXPECT_NE(check(p, o, Alignment::element).text.find("y is null"), std::string::npos);
}

TEST_F(Pointers, NothingIsAskedOfEmptyOperands) {
  EXPECT_TRUE(check(Problem{.m = 0, .n = 4, .lda = 1}, {}, Alignment::element).ok());
  EXPECT_TRUE(check(Problem{.m = 4, .n = 4, .lda = 4, .batch = 0}, {}, Alignment::element).ok());
}

TEST_F(Pointers, AlphaZeroOnTheHostAllowsNullMatrix) {
  Problem p{.type_a = Type::z, .type_x = Type::z, .type_y = Type::z, .m = 2, .n = 2, .lda = 2};
  const Operands o{.alpha = &zero, .a = nullptr, .x = nullptr, .beta = &one, .y = y};
  EXPECT_TRUE(check(p, o, Alignment::element).ok());
  p.scalars = Scalars::device;
  EXPECT_EQ(check(p, o, Alignment::element).code, ONEPASS_STATUS_INVALID_POINTER);
}

TEST_F(Pointers, MisalignmentIsRefusedByName) {
  const Problem p{.type_a = Type::c, .type_x = Type::c, .type_y = Type::c, .m = 2, .n = 2, .lda = 2};
  Operands o = all();
  o.a = a + 1;
  const Status status = check(p, o, Alignment::element);
  EXPECT_EQ(status.code, ONEPASS_STATUS_INVALID_ALIGNMENT);
  EXPECT_NE(status.text.find("A must be a multiple of 8 bytes, and is 4 past one"), std::string::npos) << status.text;
  EXPECT_TRUE(check(p, o, Alignment::component).ok());

  o = all();
  o.y = reinterpret_cast<char*>(y) + 1;
  EXPECT_EQ(check(p, o, Alignment::component).code, ONEPASS_STATUS_INVALID_ALIGNMENT);
  EXPECT_NE(check(p, o, Alignment::component).text.find("y must be"), std::string::npos);
}

TEST_F(Pointers, AnAlignmentThatThePlanCountsOnIsDemanded) {
  Problem p{.m = 1, .n = 1, .lda = 1, .alignment_a = 32};
  alignas(32) float a[16] = {};
  float x = 0, y = 0;
  const float one = 1;
  const auto status = [&](const float* matrix) {
    return check(p, {.alpha = &one, .a = matrix, .x = &x, .beta = &one, .y = &y}, Alignment::element);
  };
  EXPECT_TRUE(status(a).ok());
  EXPECT_EQ(status(a + 4).code, ONEPASS_STATUS_INVALID_ALIGNMENT);
  EXPECT_NE(status(a + 4).text.find("A must be a multiple of 32"), std::string::npos) << status(a + 4).text;
  p.alignment_a = 16;
  EXPECT_TRUE(status(a + 4).ok());
}

TEST_F(Pointers, ScalarsAreAlignedToTheirComponents) {
  const Problem p{.type_a = Type::d, .type_x = Type::d, .type_y = Type::d, .m = 2, .n = 2, .lda = 2};
  Operands o = all();
  o.beta = reinterpret_cast<const char*>(&zero) + 4;
  const Status status = check(p, o, Alignment::element);
  EXPECT_EQ(status.code, ONEPASS_STATUS_INVALID_ALIGNMENT);
  EXPECT_NE(status.text.find("beta"), std::string::npos);
}

TEST_F(Pointers, ArraysOfPointersAreAlignedAsPointers) {
  const Problem p{
      .type_a = Type::h, .type_x = Type::h, .type_y = Type::h, .m = 2, .n = 2, .lda = 2, .pointer_array = true};
  const float single = 1;
  Operands o = all();
  o.alpha = o.beta = &single;
  o.x = reinterpret_cast<const char*>(x) + 2;
  EXPECT_EQ(check(p, o, Alignment::element).code, ONEPASS_STATUS_INVALID_ALIGNMENT);
}

// Operands at addresses that are never followed.
struct Placed {
  Problem problem;
  std::uintptr_t a = 1 << 20, x = 2 << 20, y = 3 << 20;

  Status checked() const {
    static const double one[2] = {1, 0};
    static const float single = 1;
    const void* scalar = scalar_type(problem.type_a) == Type::s ? static_cast<const void*>(&single) : one;
    return check(problem,
                 {.alpha = scalar,
                  .a = reinterpret_cast<const void*>(a),
                  .x = reinterpret_cast<const void*>(x),
                  .beta = scalar,
                  .y = reinterpret_cast<void*>(y)},
                 Alignment::element);
  }
  // Bytes of y's elements that are bytes of x's elements, or of those of A that the product needs.
  bool shares(bool with_x) const {
    const Problem& p = problem;
    const Stored s = stored(p);
    std::set<std::uintptr_t> read;
    const auto add = [](std::set<std::uintptr_t>& bytes, std::uintptr_t from, std::int64_t element, Type type) {
      for (std::int64_t i = 0; i < size_of(type); ++i)
        bytes.insert(from + static_cast<std::uintptr_t>(element * size_of(type) + i));
    };
    for (std::int64_t i = 0; with_x && i < length_x(p); ++i) add(read, x, i * std::abs(p.incx), p.type_x);
    for (std::int64_t c = 0; !with_x && c < s.cols; ++c)
      for (std::int64_t r = 0; r < s.rows; ++r)
        if (is_stored(p, r, c)) add(read, a, r + c * p.lda, p.type_a);
    std::set<std::uintptr_t> written;
    for (std::int64_t i = 0; i < length_y(p); ++i) add(written, y, i * std::abs(p.incy), p.type_y);
    return std::ranges::any_of(written, [&](std::uintptr_t byte) { return read.contains(byte); });
  }
};

TEST(Overlap, IsRefusedByName) {
  Placed at{.problem = {.m = 4, .n = 4, .lda = 4}};
  EXPECT_TRUE(at.checked().ok()) << at.checked().text;
  at.y = at.x + 8;
  EXPECT_EQ(at.checked().code, ONEPASS_STATUS_INVALID_POINTER);
  EXPECT_EQ(at.checked().text,
            "y begins 8 bytes behind the beginning of x and shares elements with it: y must not overlap x or A");
  at.y = at.a - 12;
  EXPECT_EQ(at.checked().text, "y begins 12 bytes before A and shares elements with it: y must not overlap x or A");
  at.y = at.x;
  EXPECT_EQ(at.checked().text, "y begins where x does and shares elements with it: y must not overlap x or A");
  at.y = at.a - 16;
  EXPECT_TRUE(at.checked().ok());
}

TEST(Overlap, ConcernsOnlyWhatIsRead) {
  const float zero = 0, one = 1;
  float numbers[8] = {};
  const Problem p{.m = 2, .n = 2, .lda = 2};
  const auto status = [&](const float* alpha) {
    return check(p, {.alpha = alpha, .a = numbers, .x = numbers, .beta = &one, .y = numbers}, Alignment::element);
  };
  EXPECT_TRUE(status(&zero).ok());
  EXPECT_EQ(status(&one).code, ONEPASS_STATUS_INVALID_POINTER);
}

// Rows of one matrix, or a column beside those of A, lie between each other without an element in common.
TEST(Overlap, IsNotSeenInRowsOfOneMatrix) {
  Placed rows{.problem = {.m = 6, .n = 6, .lda = 6, .incx = 10, .incy = 10}};
  rows.y = rows.x + 4;
  EXPECT_TRUE(rows.checked().ok()) << rows.checked().text;
  rows.y = rows.x + 5 * 40;
  EXPECT_EQ(rows.checked().code, ONEPASS_STATUS_INVALID_POINTER);

  Placed below{.problem = {.m = 5, .n = 6, .lda = 8, .incy = 8}};
  below.problem.op = Op::t;
  below.y = below.a + 5 * 4;
  EXPECT_TRUE(below.checked().ok()) << below.checked().text;
  below.y = below.a + 4 * 4;
  EXPECT_EQ(below.checked().code, ONEPASS_STATUS_INVALID_POINTER);

  // Its first element lies before A, between two columns as it were, and the second one in the first column.
  below.y = below.a - 6 * 4;
  EXPECT_EQ(below.checked().code, ONEPASS_STATUS_INVALID_POINTER);
  below.y = below.a - 3 * 4;
  EXPECT_TRUE(below.checked().ok()) << below.checked().text;

  Placed triangle{.problem = {.routine = Routine::symv, .m = 4, .n = 4, .lda = 4}};
  triangle.y = triangle.a + 3 * 16;  // the last column, with an element of the diagonal
  EXPECT_EQ(triangle.checked().code, ONEPASS_STATUS_INVALID_POINTER);
}

// Against sets of bytes: what is refused does overlap; contiguous operands that overlap are refused.
TEST(Overlap, IsRefusedOnlyWhereThereIsOne) {
  std::mt19937 random(7);
  const auto pick = [&](std::int64_t low, std::int64_t high) {
    return std::uniform_int_distribution<std::int64_t>(low, high)(random);
  };
  int refused = 0, shared = 0;
  for (int i = 0; i < 20'000; ++i) {
    Placed at;
    Problem& p = at.problem;
    p.routine = pick(0, 3) == 0 ? Routine::symv : Routine::gemv;
    set_types(p, std::array{"s", "d", "c", "h", "hhs"}[static_cast<std::size_t>(pick(0, 4))]);
    p.m = pick(1, 5), p.n = is_triangle(p) ? p.m : pick(1, 5);
    p.uplo = pick(0, 1) == 0 ? Uplo::lower : Uplo::upper;
    p.op = is_triangle(p) || pick(0, 1) == 0 ? Op::n : Op::t;
    p.layout = pick(0, 1) == 0 ? Layout::column : Layout::row;
    p.lda = stored(p).rows + pick(0, 2);
    const std::int64_t incs[] = {1, 1, -1, 2, -3, p.lda};
    p.incx = incs[pick(0, 5)], p.incy = incs[pick(0, 5)];
    const bool near_x = pick(0, 1) == 0;
    at.y = static_cast<std::uintptr_t>(static_cast<std::int64_t>(near_x ? at.x : at.a) +
                                       pick(-20, 30) * size_of(p.type_y));
    ASSERT_TRUE(check(p).ok()) << check(p).text;
    const bool overlaps = at.shares(near_x), is_refused = at.checked().code == ONEPASS_STATUS_INVALID_POINTER;
    shared += overlaps, refused += is_refused;
    ASSERT_FALSE(is_refused && !overlaps) << describe(p) << at.checked().text;
    const bool contiguous =
        std::abs(p.incy) == 1 && (near_x ? std::abs(p.incx) == 1 : !is_triangle(p) && p.lda == stored(p).rows);
    ASSERT_FALSE(contiguous && overlaps && !is_refused) << describe(p);
  }
  EXPECT_GT(refused, shared / 2) << "of " << shared;
}

TEST(NothingToDo, IsWhatBlasReturnsFromAtOnce) {
  const float zero = 0, one = 1;
  const Problem p{.m = 2, .n = 2, .lda = 2};
  EXPECT_TRUE(nothing_to_do(Problem{.m = 0, .n = 2, .lda = 1}, {}));
  EXPECT_TRUE(nothing_to_do(Problem{.m = 2, .n = 0, .lda = 2}, {}));
  EXPECT_TRUE(nothing_to_do(Problem{.m = 2, .n = 2, .lda = 2, .batch = 0}, {}));
  EXPECT_TRUE(nothing_to_do(p, {.alpha = &zero, .beta = &one}));
  EXPECT_FALSE(nothing_to_do(p, {.alpha = &zero, .beta = &zero}));
  EXPECT_FALSE(nothing_to_do(p, {.alpha = &one, .beta = &one}));
}

TEST(NothingToDo, ReadsNoDeviceScalars) {
  EXPECT_FALSE(nothing_to_do(Problem{.m = 2, .n = 2, .lda = 2, .scalars = Scalars::device}, {}));
}

TEST(NothingToDo, ComparesBothPartsOfAComplexScalar) {
  const Problem p{.type_a = Type::c, .type_x = Type::c, .type_y = Type::c, .m = 2, .n = 2, .lda = 2};
  const Complex<float> zero{0, 0}, imaginary{0, 1}, one{1, 0};
  EXPECT_TRUE(nothing_to_do(p, {.alpha = &zero, .beta = &one}));
  EXPECT_FALSE(nothing_to_do(p, {.alpha = &imaginary, .beta = &one}));
}

}  // namespace
}  // namespace onepass
