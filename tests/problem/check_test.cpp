// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Every bad argument of a problem has a status of its own and a text that names it and its value.
#include "problem/check.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include "problem/names.hpp"

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

}  // namespace
}  // namespace onepass
