// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Every bad argument of a problem has a status of its own and a text that names it and its value.
#include "problem/check.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <set>
#include <vector>

#include "problem/names.hpp"
#include "problem/scalar.hpp"

namespace onepass {
namespace {

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();

Problem good_triangle() {
  return {.routine = Routine::symv, .m = 5, .n = 5, .lda = 7, .incx = 2, .incy = -1, .batch = 2, .stride_a = 35};
}

Problem good() { return {.m = 5, .n = 3, .lda = 7, .incx = 2, .incy = -1, .batch = 2, .stride_a = 21}; }

struct Bad {
  const char* name;
  void (*spoil)(Problem&);
  onepassStatus_t status;
  std::vector<const char*> words;
};

void PrintTo(const Bad& bad, std::ostream* out) { *out << bad.name; }

const Bad bad_arguments[] = {
    {"op", [](Problem& p) { p.op = static_cast<Op>(3); }, ONEPASS_STATUS_INVALID_ENUM, {"op = 3", "N (0)", "C (2)"}},
    {"layout", [](Problem& p) { p.layout = static_cast<Layout>(2); }, ONEPASS_STATUS_INVALID_ENUM, {"layout = 2"}},
    {"scalars",
     [](Problem& p) { p.scalars = static_cast<Scalars>(9); },
     ONEPASS_STATUS_INVALID_ENUM,
     {"pointer mode = 9"}},
    {"accumulate",
     [](Problem& p) { p.accumulate = static_cast<Accumulate>(3); },
     ONEPASS_STATUS_INVALID_ENUM,
     {"accumulate = 3", "twice (2)"}},
    {"d_wider",
     [](Problem& p) {
       set_types(p, "d");
       p.accumulate = Accumulate::wider;
     },
     ONEPASS_STATUS_INVALID_TYPES,
     {"types d", "can be summed twice"}},
    {"h_twice",
     [](Problem& p) {
       set_types(p, "h");
       p.accumulate = Accumulate::twice;
     },
     ONEPASS_STATUS_INVALID_TYPES,
     {"types h", "can be summed wider"}},
    {"order",
     [](Problem& p) { p.order = static_cast<Order>(2); },
     ONEPASS_STATUS_INVALID_ENUM,
     {"order = 2", "canonical (1)"}},
    {"h_canonical",
     [](Problem& p) {
       set_types(p, "h");
       p.order = Order::canonical;
     },
     ONEPASS_STATUS_INVALID_TYPES,
     {"types h", "the canonical order is for s, d, c and z"}},
    {"type_a", [](Problem& p) { p.type_a = static_cast<Type>(99); }, ONEPASS_STATUS_INVALID_ENUM, {"type_a = 99"}},
    {"type_x", [](Problem& p) { p.type_x = static_cast<Type>(77); }, ONEPASS_STATUS_INVALID_ENUM, {"type_x = 77"}},
    {"type_y", [](Problem& p) { p.type_y = static_cast<Type>(255); }, ONEPASS_STATUS_INVALID_ENUM, {"type_y = 255"}},
    {"types_sds", [](Problem& p) { p.type_x = Type::d; }, ONEPASS_STATUS_INVALID_TYPES, {"types sds"}},
    {"types_ssd", [](Problem& p) { p.type_y = Type::d; }, ONEPASS_STATUS_INVALID_TYPES, {"types ssd"}},
    {"types_hhb", [](Problem& p) { set_types(p, "hhb"); }, ONEPASS_STATUS_INVALID_TYPES, {"types hhb"}},
    {"types_ccs", [](Problem& p) { set_types(p, "ccs"); }, ONEPASS_STATUS_INVALID_TYPES, {"types ccs"}},
    {"alignment",
     [](Problem& p) { p.alignment_a = 24; },
     ONEPASS_STATUS_INVALID_ALIGNMENT,
     {"alignment_a = 24", "power of two"}},
    {"alignment_negative",
     [](Problem& p) { p.alignment_a = -16; },
     ONEPASS_STATUS_INVALID_ALIGNMENT,
     {"alignment_a = -16"}},
    {"alignment_of_the_batch",
     [](Problem& p) { p.alignment_a = 16; },
     ONEPASS_STATUS_INVALID_ALIGNMENT,
     {"alignment_a = 16", "stride_a", "21 elements"}},
    {"m", [](Problem& p) { p.m = -1; }, ONEPASS_STATUS_INVALID_SIZE, {"m = -1"}},
    {"n", [](Problem& p) { p.n = smallest; }, ONEPASS_STATUS_INVALID_SIZE, {"n = -9223372036854775808"}},
    {"lda_column", [](Problem& p) { p.lda = 4; }, ONEPASS_STATUS_INVALID_LD, {"lda = 4", "m = 5", "column"}},
    {"lda_row",
     [](Problem& p) {
       p.layout = Layout::row;
       p.lda = 2;
     },
     ONEPASS_STATUS_INVALID_LD,
     {"lda = 2", "n = 3", "row"}},
    {"lda_zero",
     [](Problem& p) {
       p.m = 0;
       p.lda = 0;
     },
     ONEPASS_STATUS_INVALID_LD,
     {"lda = 0"}},
    {"incx", [](Problem& p) { p.incx = 0; }, ONEPASS_STATUS_INVALID_INCREMENT, {"incx = 0"}},
    {"incy", [](Problem& p) { p.incy = 0; }, ONEPASS_STATUS_INVALID_INCREMENT, {"incy = 0"}},
    {"batch", [](Problem& p) { p.batch = -2; }, ONEPASS_STATUS_INVALID_BATCH, {"batch = -2"}},
    {"lda_huge", [](Problem& p) { p.lda = largest / 2; }, ONEPASS_STATUS_TOO_LARGE, {"lda = 4611686018427387903"}},
    {"batch_huge", [](Problem& p) { p.batch = largest; }, ONEPASS_STATUS_TOO_LARGE, {"batch = 92233", "2^40"}},
    {"batch_of_one_matrix",
     [](Problem& p) { p.batch = std::int64_t{1} << 52, p.stride_a = 0; },
     ONEPASS_STATUS_TOO_LARGE,
     {"batch = 4503599627370496", "2^40"}},
    {"lda_of_one_column",
     [](Problem& p) { p.n = 1, p.lda = largest; },
     ONEPASS_STATUS_TOO_LARGE,
     {"lda = 92233", "2^56"}},
    {"elements_of_all_products",
     [](Problem& p) { p.m = p.lda = 1 << 20, p.batch = std::int64_t{1} << 36, p.stride_a = 0; },
     ONEPASS_STATUS_TOO_LARGE,
     {"m = 1048576, n = 3, batch = 68719476736", "2^56 elements"}},
    {"incx_huge", [](Problem& p) { p.incx = smallest; }, ONEPASS_STATUS_TOO_LARGE, {"incx = -9223372036854775808"}},
    {"incy_huge", [](Problem& p) { p.incy = largest; }, ONEPASS_STATUS_TOO_LARGE, {"incy = 9223372036854775807"}},
    {"stride_a_huge", [](Problem& p) { p.stride_a = largest; }, ONEPASS_STATUS_TOO_LARGE, {"stride_a = 92233"}},
    {"stride_x_huge", [](Problem& p) { p.stride_x = -largest; }, ONEPASS_STATUS_TOO_LARGE, {"stride_x = -92233"}},
    {"stride_y_huge", [](Problem& p) { p.stride_y = smallest; }, ONEPASS_STATUS_TOO_LARGE, {"stride_y = -92233"}},
};

const Bad bad_triangles[] = {
    {"routine",
     [](Problem& p) { p.routine = static_cast<Routine>(99); },
     ONEPASS_STATUS_INVALID_ENUM,
     {"routine = 99", "hemv (2)"}},
    {"uplo",
     [](Problem& p) { p.uplo = static_cast<Uplo>(121); },
     ONEPASS_STATUS_INVALID_ENUM,
     {"uplo = 121", "lower (0)", "upper (1)"}},
    {"op", [](Problem& p) { p.op = Op::t; }, ONEPASS_STATUS_INVALID_ENUM, {"op = 1", "N (0) for symv"}},
    {"hermitian_reals",
     [](Problem& p) { p.routine = Routine::hemv; },
     ONEPASS_STATUS_INVALID_TYPES,
     {"types s", "hemv"}},
    {"types", [](Problem& p) { set_types(p, "ssd"); }, ONEPASS_STATUS_INVALID_TYPES, {"types ssd"}},
    {"not_square", [](Problem& p) { p.m = 4; }, ONEPASS_STATUS_INVALID_SIZE, {"m = 4", "n = 5 for symv"}},
    {"n", [](Problem& p) { p.m = p.n = -5; }, ONEPASS_STATUS_INVALID_SIZE, {"n = -5"}},
    {"lda", [](Problem& p) { p.lda = 4; }, ONEPASS_STATUS_INVALID_LD, {"lda = 4", "n = 5"}},
    {"lda_zero", [](Problem& p) { p.m = p.n = p.lda = 0; }, ONEPASS_STATUS_INVALID_LD, {"lda = 0"}},
    {"incx", [](Problem& p) { p.incx = 0; }, ONEPASS_STATUS_INVALID_INCREMENT, {"incx = 0"}},
    {"batch", [](Problem& p) { p.batch = -2; }, ONEPASS_STATUS_INVALID_BATCH, {"batch = -2"}},
    {"lda_huge", [](Problem& p) { p.lda = largest / 2; }, ONEPASS_STATUS_TOO_LARGE, {"lda = 4611686018427387903"}},
};

void expect_refused(Problem p, const Bad& bad) {
  ASSERT_TRUE(check(p).ok()) << check(p).text;

  bad.spoil(p);
  const Status status = check(p);

  EXPECT_EQ(status.code, bad.status);
  for (const char* word : bad.words) EXPECT_NE(status.text.find(word), std::string::npos) << status.text;
}

class CheckRefuses : public testing::TestWithParam<Bad> {};

TEST_P(CheckRefuses, WithItsStatusAndTheArgumentInTheText) { expect_refused(good(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Argument, CheckRefuses, testing::ValuesIn(bad_arguments),
                         [](const auto& info) { return info.param.name; });

class CheckRefusesTriangle : public testing::TestWithParam<Bad> {};

TEST_P(CheckRefusesTriangle, WithItsStatusAndTheArgumentInTheText) { expect_refused(good_triangle(), GetParam()); }

INSTANTIATE_TEST_SUITE_P(Argument, CheckRefusesTriangle, testing::ValuesIn(bad_triangles),
                         [](const auto& info) { return info.param.name; });

TEST(Check, AcceptsTrianglesOfEveryType) {
  for (const char* types : {"s", "d", "c", "z", "h", "b", "hhs", "bbs"}) {
    Problem p = good_triangle();
    ASSERT_TRUE(set_types(p, types));
    EXPECT_TRUE(check(p).ok()) << types << ": " << check(p).text;
    p.routine = Routine::hemv;
    EXPECT_EQ(check(p).ok(), is_complex_type(p.type_a)) << types;
  }
  EXPECT_TRUE(check(Problem{.routine = Routine::symv, .lda = 1}).ok());
}

TEST(Check, AcceptsEveryCombinationOfTypes) {
  for (const char* types : all_type_names) {
    Problem p = good();
    ASSERT_TRUE(set_types(p, types));
    EXPECT_TRUE(check(p).ok()) << types << ": " << check(p).text;
  }
}

TEST(Check, AcceptsEmptyProblems) {
  EXPECT_TRUE(check(Problem{.m = 0, .n = 0, .lda = 1}).ok());
  EXPECT_TRUE(check(Problem{.m = 0, .n = 9, .lda = 1}).ok());
  EXPECT_TRUE(check(Problem{.m = 9, .n = 0, .lda = 9}).ok());
  EXPECT_TRUE(check(Problem{.m = 9, .n = 2, .lda = 9, .batch = 0}).ok());
}

TEST(Check, AcceptsOffsetsPastTwoToThe31) {
  EXPECT_TRUE(check(Problem{.m = 3, .n = 100'000, .lda = 1'000'000'000}).ok());
  EXPECT_TRUE(check(Problem{.m = 100'000, .n = 100'000, .lda = 100'000}).ok());
}

TEST(Check, LookAtNoStrideOfPointerArrays) {
  Problem p = good();
  p.pointer_array = true;
  p.stride_a = largest;
  EXPECT_TRUE(check(p).ok());
}

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
