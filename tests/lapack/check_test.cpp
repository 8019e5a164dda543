// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The first bad argument of a reduction, by its place in LAPACK's interface and in words.
#include "lapack/check.hpp"

#include <gtest/gtest.h>

#include <string>

namespace onepass::test {
namespace {

using enum LapackRoutine;

struct Case {
  const char* name;
  LapackProblem problem;
  int position;
  onepassStatus_t code;
  const char* text;
};

constexpr auto bad_enum = ONEPASS_STATUS_INVALID_ENUM, bad_size = ONEPASS_STATUS_INVALID_SIZE,
               bad_ld = ONEPASS_STATUS_INVALID_LD;

// clang-format off
const Case cases[] = {
    {"SytrdUplo", {.routine = sytrd, .uplo = Uplo{7}, .n = 4, .lda = 4}, 1, bad_enum, "uplo = 7: must be lower (0) or upper (1)"},
    {"SytrdN", {.routine = sytrd, .n = -1, .lda = 4}, 2, bad_size, "n = -1: must be at least 0"},
    {"SytrdLda", {.routine = sytrd, .n = 4, .lda = 3}, 4, bad_ld, "lda = 3: must be at least 4"},
    {"SytrdLdaOfNothing", {.routine = sytrd, .n = 0, .lda = 0}, 4, bad_ld, "lda = 0: must be at least 1"},
    {"GebrdM", {.routine = gebrd, .m = -2, .n = 4, .lda = 4}, 1, bad_size, "m = -2: must be at least 0"},
    {"GebrdN", {.routine = gebrd, .m = 4, .n = -3, .lda = 4}, 2, bad_size, "n = -3: must be at least 0"},
    {"GebrdLda", {.routine = gebrd, .m = 5, .n = 4, .lda = 4}, 4, bad_ld, "lda = 4: must be at least 5"},
    {"GehrdN", {.routine = gehrd, .n = -1, .ilo = 1, .ihi = 0}, 1, bad_size, "n = -1: must be at least 0"},
    {"GehrdIlo", {.routine = gehrd, .n = 4, .ilo = 0, .ihi = 4, .lda = 4}, 2, bad_size, "ilo = 0: must be 1 to 4"},
    {"GehrdIloTooLarge", {.routine = gehrd, .n = 4, .ilo = 5, .ihi = 5, .lda = 4}, 2, bad_size, "ilo = 5: must be 1 to 4"},
    {"GehrdIhi", {.routine = gehrd, .n = 4, .ilo = 2, .ihi = 1, .lda = 4}, 3, bad_size, "ihi = 1: must be 2 to 4"},
    {"GehrdIhiTooLarge", {.routine = gehrd, .n = 4, .ilo = 2, .ihi = 5, .lda = 4}, 3, bad_size, "ihi = 5: must be 2 to 4"},
    {"GehrdIhiOfNothing", {.routine = gehrd, .n = 0, .ilo = 1, .ihi = 1}, 3, bad_size, "ihi = 1: must be 0"},
    {"GehrdLda", {.routine = gehrd, .n = 4, .ilo = 1, .ihi = 4, .lda = 3}, 5, bad_ld, "lda = 3: must be at least 4"},
    {"OrgtrUplo", {.routine = orgtr, .uplo = Uplo{-1}, .n = 4, .lda = 4}, 1, bad_enum, "uplo = -1: must be lower (0) or upper (1)"},
    {"OrgtrN", {.routine = orgtr, .n = -1}, 2, bad_size, "n = -1: must be at least 0"},
    {"OrgtrLda", {.routine = orgtr, .n = 4, .lda = 3}, 4, bad_ld, "lda = 3: must be at least 4"},
    {"OrgbrVect", {.routine = orgbr, .vect = Vect{2}, .m = 4, .n = 4, .k = 4, .lda = 4}, 1, bad_enum, "vect = 2: must be Q (0) or P (1)"},
    {"OrgbrM", {.routine = orgbr, .m = -1, .n = 0, .k = 0}, 2, bad_size, "m = -1: must be at least 0"},
    {"OrgbrN", {.routine = orgbr, .m = 4, .n = -1, .k = 4, .lda = 4}, 3, bad_size, "n = -1: must be at least 0"},
    {"OrgbrTooManyColumns", {.routine = orgbr, .m = 4, .n = 5, .k = 3, .lda = 4}, 3, bad_size, "n = 5: must be 3 to 4"},
    {"OrgbrTooFewColumns", {.routine = orgbr, .m = 4, .n = 2, .k = 3, .lda = 4}, 3, bad_size, "n = 2: must be 3 to 4"},
    {"OrgbrTooManyRows", {.routine = orgbr, .vect = Vect::p, .m = 5, .n = 4, .k = 3, .lda = 5}, 3, bad_size, "n = 4: must be at least 5"},
    {"OrgbrTooFewRows", {.routine = orgbr, .vect = Vect::p, .m = 2, .n = 4, .k = 3, .lda = 4}, 3, bad_size, "n = 4: must be 2"},
    {"OrgbrK", {.routine = orgbr, .m = 4, .n = 4, .k = -1, .lda = 4}, 4, bad_size, "k = -1: must be at least 0"},
    {"OrgbrLda", {.routine = orgbr, .m = 4, .n = 4, .k = 4, .lda = 3}, 6, bad_ld, "lda = 3: must be at least 4"},
    {"OrghrIlo", {.routine = orghr, .n = 4, .ilo = 9, .ihi = 4, .lda = 4}, 2, bad_size, "ilo = 9: must be 1 to 4"},
    {"OrghrIhi", {.routine = orghr, .n = 4, .ilo = 2, .ihi = 9, .lda = 4}, 3, bad_size, "ihi = 9: must be 2 to 4"},
    {"OrghrLda", {.routine = orghr, .n = 4, .ilo = 1, .ihi = 4, .lda = 2}, 5, bad_ld, "lda = 2: must be at least 4"},
    {"OrmtrSide", {.routine = ormtr, .side = Side{3}, .m = 4, .n = 2, .lda = 4, .ldc = 4}, 1, bad_enum, "side = 3: must be left (0) or right (1)"},
    {"OrmtrUplo", {.routine = ormtr, .uplo = Uplo{3}, .m = 4, .n = 2, .lda = 4, .ldc = 4}, 2, bad_enum, "uplo = 3: must be lower (0) or upper (1)"},
    {"OrmtrOp", {.routine = ormtr, .op = Op::c, .m = 4, .n = 2, .lda = 4, .ldc = 4}, 3, bad_enum, "op = 2: must be N (0) or T (1) for real types"},
    {"UnmtrOp", {.routine = ormtr, .type = Type::z, .op = Op::t, .m = 4, .n = 2, .lda = 4, .ldc = 4}, 3, bad_enum, "op = 1: must be N (0) or C (2) for complex types"},
    {"OrmtrM", {.routine = ormtr, .m = -1, .n = 2, .lda = 4, .ldc = 4}, 4, bad_size, "m = -1: must be at least 0"},
    {"OrmtrN", {.routine = ormtr, .m = 4, .n = -1, .lda = 4, .ldc = 4}, 5, bad_size, "n = -1: must be at least 0"},
    {"OrmtrLda", {.routine = ormtr, .m = 4, .n = 2, .lda = 3, .ldc = 4}, 7, bad_ld, "lda = 3: must be at least 4"},
    {"OrmtrLdaFromTheRight", {.routine = ormtr, .side = Side::right, .m = 2, .n = 4, .lda = 3, .ldc = 4}, 7, bad_ld, "lda = 3: must be at least 4"},
    {"OrmtrLdc", {.routine = ormtr, .m = 4, .n = 2, .lda = 4, .ldc = 3}, 10, bad_ld, "ldc = 3: must be at least 4"},
    {"OrmbrVect", {.routine = ormbr, .vect = Vect{-1}, .m = 4, .n = 2, .k = 4, .lda = 4, .ldc = 4}, 1, bad_enum, "vect = -1: must be Q (0) or P (1)"},
    {"OrmbrSide", {.routine = ormbr, .side = Side{3}, .m = 4, .n = 2, .k = 4, .lda = 4, .ldc = 4}, 2, bad_enum, "side = 3: must be left (0) or right (1)"},
    {"OrmbrOp", {.routine = ormbr, .op = Op{5}, .m = 4, .n = 2, .k = 4, .lda = 4, .ldc = 4}, 3, bad_enum, "op = 5: must be N (0) or T (1) for real types"},
    {"OrmbrM", {.routine = ormbr, .m = -1, .n = 2, .k = 4, .lda = 4, .ldc = 4}, 4, bad_size, "m = -1: must be at least 0"},
    {"OrmbrN", {.routine = ormbr, .m = 4, .n = -1, .k = 4, .lda = 4, .ldc = 4}, 5, bad_size, "n = -1: must be at least 0"},
    {"OrmbrK", {.routine = ormbr, .m = 4, .n = 2, .k = -1, .lda = 4, .ldc = 4}, 6, bad_size, "k = -1: must be at least 0"},
    {"OrmbrLda", {.routine = ormbr, .m = 4, .n = 2, .k = 3, .lda = 3, .ldc = 4}, 8, bad_ld, "lda = 3: must be at least 4"},
    {"OrmbrLdaOfP", {.routine = ormbr, .vect = Vect::p, .m = 4, .n = 2, .k = 3, .lda = 2, .ldc = 4}, 8, bad_ld, "lda = 2: must be at least 3"},
    {"OrmbrLdc", {.routine = ormbr, .m = 4, .n = 2, .k = 3, .lda = 4, .ldc = 2}, 11, bad_ld, "ldc = 2: must be at least 4"},
    {"OrmhrSide", {.routine = ormhr, .side = Side{3}, .m = 4, .n = 2, .ilo = 1, .ihi = 4, .lda = 4, .ldc = 4}, 1, bad_enum, "side = 3: must be left (0) or right (1)"},
    {"OrmhrOp", {.routine = ormhr, .op = Op{-1}, .m = 4, .n = 2, .ilo = 1, .ihi = 4, .lda = 4, .ldc = 4}, 2, bad_enum, "op = -1: must be N (0) or T (1) for real types"},
    {"OrmhrM", {.routine = ormhr, .m = -1, .n = 2, .ilo = 1, .ihi = 0}, 3, bad_size, "m = -1: must be at least 0"},
    {"OrmhrN", {.routine = ormhr, .m = 4, .n = -1, .ilo = 1, .ihi = 4, .lda = 4, .ldc = 4}, 4, bad_size, "n = -1: must be at least 0"},
    {"OrmhrIlo", {.routine = ormhr, .m = 4, .n = 2, .ilo = 5, .ihi = 4, .lda = 4, .ldc = 4}, 5, bad_size, "ilo = 5: must be 1 to 4"},
    {"OrmhrIhi", {.routine = ormhr, .side = Side::right, .m = 4, .n = 2, .ilo = 1, .ihi = 3, .lda = 4, .ldc = 4}, 6, bad_size, "ihi = 3: must be 1 to 2"},
    {"OrmhrLda", {.routine = ormhr, .m = 4, .n = 2, .ilo = 1, .ihi = 4, .lda = 3, .ldc = 4}, 8, bad_ld, "lda = 3: must be at least 4"},
    {"OrmhrLdc", {.routine = ormhr, .m = 4, .n = 2, .ilo = 1, .ihi = 4, .lda = 4, .ldc = 3}, 11, bad_ld, "ldc = 3: must be at least 4"},
    {"SyevdJobz", {.routine = syevd, .n = 4, .lda = 4, .job = Job{2}}, 1, bad_enum, "jobz = 2: must be values (0) or vectors (1)"},
    {"SyevdUplo", {.routine = syevd, .uplo = Uplo{7}, .n = 4, .lda = 4}, 2, bad_enum, "uplo = 7: must be lower (0) or upper (1)"},
    {"SyevdN", {.routine = syevd, .n = -1, .lda = 4}, 3, bad_size, "n = -1: must be at least 0"},
    {"SyevdxRange", {.routine = syevd, .n = 4, .lda = 4, .wanted = Wanted{3}}, 12, bad_enum, "range = 3: must be all (0), by index (1) or by value (2)"},
    {"SyevdxVectorsByValue", {.routine = syevd, .n = 4, .lda = 4, .job = Job::vectors, .wanted = Wanted::by_value, .vl = 0, .vu = 1}, 12, bad_enum, "range = 2: must be all (0) or by index (1) with eigenvectors: how many there are by value is known to the device alone"},
    {"SyevdxIl", {.routine = syevd, .n = 4, .lda = 4, .wanted = Wanted::by_index, .il = 0, .iu = 4}, 12, bad_size, "il = 0: must be 1 to 4"},
    {"SyevdxIu", {.routine = syevd, .n = 4, .lda = 4, .wanted = Wanted::by_index, .il = 3, .iu = 2}, 12, bad_size, "iu = 2: must be 3 to 4"},
    {"SyevdxBatch", {.routine = syevd, .n = 4, .lda = 4, .batch = Batch::strided, .batch_count = 2, .stride_a = 16, .stride_w = 4, .wanted = Wanted::by_index, .il = 1, .iu = 2}, 12, bad_enum, "range = 1: must be all (0) for a batch"},
    {"SyevdxVl", {.routine = syevd, .n = 4, .lda = 4, .wanted = Wanted::by_value, .vl = 2, .vu = 2}, 12, ONEPASS_STATUS_INVALID_ARGUMENT, "vl = 2.000000: must be less than vu = 2.000000"},
    {"SyevdLda", {.routine = syevd, .n = 4, .lda = 3}, 5, bad_ld, "lda = 3: must be at least 4"},
    {"GeqrfM", {.routine = geqrf, .m = -1, .n = 2}, 1, bad_size, "m = -1: must be at least 0"},
    {"GeqrfN", {.routine = geqrf, .m = 4, .n = -2, .lda = 4}, 2, bad_size, "n = -2: must be at least 0"},
    {"GeqrfLda", {.routine = geqrf, .m = 4, .n = 2, .lda = 3}, 4, bad_ld, "lda = 3: must be at least 4"},
    {"OrgqrM", {.routine = orgqr, .m = -1, .n = 0}, 1, bad_size, "m = -1: must be at least 0"},
    {"OrgqrN", {.routine = orgqr, .m = 4, .n = -1, .lda = 4}, 2, bad_size, "n = -1: must be at least 0"},
    {"OrgqrTooManyColumns", {.routine = orgqr, .m = 4, .n = 5, .k = 2, .lda = 4}, 2, bad_size, "n = 5: must be 0 to 4"},
    {"OrgqrK", {.routine = orgqr, .m = 4, .n = 3, .k = -1, .lda = 4}, 3, bad_size, "k = -1: must be at least 0"},
    {"OrgqrTooManyReflectors", {.routine = orgqr, .m = 4, .n = 3, .k = 4, .lda = 4}, 3, bad_size, "k = 4: must be 0 to 3"},
    {"OrgqrLda", {.routine = orgqr, .m = 4, .n = 3, .k = 3, .lda = 3}, 5, bad_ld, "lda = 3: must be at least 4"},
    {"OrmqrSide", {.routine = ormqr, .side = Side{3}, .m = 4, .n = 2, .k = 2, .lda = 4, .ldc = 4}, 1, bad_enum, "side = 3: must be left (0) or right (1)"},
    {"UnmqrOp", {.routine = ormqr, .type = Type::c, .op = Op::t, .m = 4, .n = 2, .k = 2, .lda = 4, .ldc = 4}, 2, bad_enum, "op = 1: must be N (0) or C (2) for complex types"},
    {"OrmqrM", {.routine = ormqr, .m = -1, .n = 2, .ldc = 4}, 3, bad_size, "m = -1: must be at least 0"},
    {"OrmqrN", {.routine = ormqr, .m = 4, .n = -1, .lda = 4, .ldc = 4}, 4, bad_size, "n = -1: must be at least 0"},
    {"OrmqrK", {.routine = ormqr, .side = Side::right, .m = 4, .n = 2, .k = 3, .lda = 4, .ldc = 4}, 5, bad_size, "k = 3: must be 0 to 2"},
    {"OrmqrLda", {.routine = ormqr, .m = 4, .n = 2, .k = 2, .lda = 3, .ldc = 4}, 7, bad_ld, "lda = 3: must be at least 4"},
    {"OrmqrLdc", {.routine = ormqr, .m = 4, .n = 2, .k = 2, .lda = 4, .ldc = 3}, 10, bad_ld, "ldc = 3: must be at least 4"},
    {"GesvdJob", {.routine = gesvd, .m = 4, .n = 4, .lda = 4, .job = Job{3}, .ldu = 4, .ldvt = 4}, 1, bad_enum, "jobz = 3: must be values (0), vectors (1) or all (2)"},
    {"GesvdM", {.routine = gesvd, .m = -1, .n = 4, .lda = 4}, 2, bad_size, "m = -1: must be at least 0"},
    {"GesvdN", {.routine = gesvd, .m = 4, .n = -1, .lda = 4}, 3, bad_size, "n = -1: must be at least 0"},
    {"GesvdLda", {.routine = gesvd, .m = 4, .n = 2, .lda = 3}, 5, bad_ld, "lda = 3: must be at least 4"},
    {"GesvdLdu", {.routine = gesvd, .m = 4, .n = 2, .lda = 4, .job = Job::vectors, .ldu = 3, .ldvt = 2}, 8, bad_ld, "ldu = 3: must be at least 4"},
    {"GesvdLdvt", {.routine = gesvd, .m = 4, .n = 6, .lda = 4, .job = Job::vectors, .ldu = 4, .ldvt = 3}, 10, bad_ld, "ldvt = 3: must be at least 4"},
    {"GesvdLdvtOfAll", {.routine = gesvd, .m = 4, .n = 6, .lda = 4, .job = Job::all, .ldu = 4, .ldvt = 5}, 10, bad_ld, "ldvt = 5: must be at least 6"},
    {"GesvdLduOfNothing", {.routine = gesvd, .m = 4, .n = 6, .lda = 4, .ldu = 0}, 8, bad_ld, "ldu = 0: must be at least 1"},
    {"SyevdJobAll", {.routine = syevd, .n = 4, .lda = 4, .job = Job::all}, 1, bad_enum, "jobz = 2: must be values (0) or vectors (1)"},
    {"Type", {.routine = sytrd, .type = Type::h, .n = 4, .lda = 4}, 1, ONEPASS_STATUS_INVALID_TYPES, "type 4: must be s (0), d (1), c (2) or z (3)"},
    {"Routine", {.routine = LapackRoutine{14}}, 1, bad_enum, "routine = 14: must be sytrd (0) to gesvd (13)"},
};
// clang-format on

class LapackCheck : public testing::TestWithParam<Case> {};

TEST_P(LapackCheck, NamesTheFirstBadArgument) {
  const BadArgument bad = check(GetParam().problem);
  EXPECT_EQ(bad.position, GetParam().position);
  EXPECT_EQ(bad.status.code, GetParam().code);
  EXPECT_EQ(bad.status.text, GetParam().text);
}

INSTANTIATE_TEST_SUITE_P(Arguments, LapackCheck, testing::ValuesIn(cases),
                         [](const testing::TestParamInfo<Case>& info) { return std::string(info.param.name); });

TEST(LapackCheck, RefusesWhatNoMemoryHolds) {
  const auto text = [](const LapackProblem& p) {
    const BadArgument bad = check(p);
    EXPECT_EQ(bad.status.code, ONEPASS_STATUS_TOO_LARGE);
    return std::to_string(bad.position) + " " + bad.status.text;
  };
  const std::int64_t int_max = 2147483647, order = std::int64_t{1} << 24;
  EXPECT_EQ(check({.routine = sytrd, .n = order, .lda = order}).position, 0);
  EXPECT_EQ(text({.routine = sytrd, .n = order + 1, .lda = order + 1}),
            "4 lda = 16777217: 16777217 columns must have at most 2^48 elements");
  EXPECT_EQ(text({.routine = sytrd, .n = int_max + 1, .lda = int_max + 1}),
            "2 n = 2147483648: must be at most 2147483647");
  EXPECT_EQ(text({.routine = geqrf, .m = int_max + 1, .n = 1, .lda = int_max + 1}),
            "1 m = 2147483648: must be at most 2147483647");
  EXPECT_EQ(text({.routine = ormbr, .m = 1, .n = 1, .k = int_max + 1, .lda = 1, .ldc = 1}),
            "6 k = 2147483648: must be at most 2147483647");
  EXPECT_EQ(check({.routine = geqrf, .m = 4, .n = 1, .lda = int_max}).position, 0);
  EXPECT_EQ(text({.routine = geqrf, .m = 4, .n = 1, .lda = int_max + 1}),
            "4 lda = 2147483648: must be at most 2147483647");
  EXPECT_EQ(text({.routine = ormqr, .m = 4, .n = int_max, .k = 4, .lda = 4, .ldc = 1 << 20}),
            "10 ldc = 1048576: 2147483647 columns must have at most 2^48 elements");
  EXPECT_EQ(text({.routine = gesvd, .m = order + 1, .n = 1, .lda = order + 1, .job = Job::all, .ldu = order + 1}),
            "8 ldu = 16777217: 16777217 columns must have at most 2^48 elements");
  EXPECT_EQ(text({.routine = gesvd, .m = 1, .n = order + 1, .lda = 1, .job = Job::all, .ldvt = order + 1}),
            "10 ldvt = 16777217: 16777217 columns must have at most 2^48 elements");
  EXPECT_EQ(text({.routine = syevd, .n = 1024, .lda = 1024, .batch = Batch::pointers, .batch_count = 1 << 29}),
            "5 lda = 1024: 1024 columns of 536870912 matrices must have at most 2^48 elements");
}

TEST(LapackCheck, LetsRightArgumentsPass) {
  for (const LapackProblem& p : {LapackProblem{.routine = sytrd, .n = 0}, LapackProblem{.routine = gehrd, .n = 0},
                                 LapackProblem{.routine = gehrd, .n = 3, .ilo = 2, .ihi = 2, .lda = 3},
                                 LapackProblem{.routine = orgbr, .m = 4, .n = 4, .k = 9, .lda = 4},
                                 LapackProblem{.routine = orgbr, .vect = Vect::p, .m = 3, .n = 4, .k = 3, .lda = 3}})
    EXPECT_EQ(check(p).status.text, "");
}

constexpr Alignment whole_element = Alignment::element;

TEST(LapackCheck, RefusesNullWhereThereIsSomethingBehindIt) {
  const LapackProblem p = {.routine = gebrd, .m = 3, .n = 2, .lda = 3};
  alignas(16) int there = 0;
  LapackOperands all = {.a = &there, .d = &there, .e = &there, .tau = &there, .taup = &there};
  EXPECT_EQ(check(p, all, whole_element).position, 0);
  const auto without = [&](void* LapackOperands::*operand) {
    LapackOperands some = all;
    some.*operand = nullptr;
    return check(p, some, whole_element);
  };
  EXPECT_EQ(without(&LapackOperands::a).status.text, "a is null, and must not be");
  EXPECT_EQ(without(&LapackOperands::a).position, 3);
  EXPECT_EQ(without(&LapackOperands::d).position, 5);
  EXPECT_EQ(without(&LapackOperands::e).position, 6);
  EXPECT_EQ(without(&LapackOperands::tau).status.text, "tauq is null, and must not be");
  EXPECT_EQ(without(&LapackOperands::taup).position, 8);
  EXPECT_EQ(check({.routine = gebrd, .m = 0, .n = 2}, {}, whole_element).position, 0);
  const LapackProblem solver = {.routine = syevd, .n = 2, .lda = 2};
  EXPECT_EQ(check(solver, {.a = &there, .w = &there, .info = &there}, whole_element).position, 0);
  EXPECT_EQ(check(solver, {.a = &there, .info = &there}, whole_element).status.text, "w is null, and must not be");
  EXPECT_EQ(check(solver, {.a = &there, .w = &there}, whole_element).status.text, "info is null, and must not be");
  EXPECT_EQ(check({.routine = syevd, .n = 0, .wanted = Wanted::by_value, .vu = 1}, {.info = &there}, whole_element)
                .status.text,
            "found is null, and must not be");
  EXPECT_EQ(check({.routine = syevd, .n = 0}, {}, whole_element).status.text, "info is null, and must not be");
  LapackProblem svd = {.routine = gesvd, .m = 3, .n = 2, .lda = 3};
  EXPECT_EQ(check(svd, {.a = &there, .w = &there, .info = &there}, whole_element).position, 0);
  EXPECT_EQ(check(svd, {.a = &there, .info = &there}, whole_element).status.text, "s is null, and must not be");
  svd.job = Job::vectors;
  EXPECT_EQ(check(svd, {.a = &there, .w = &there, .info = &there, .vt = &there}, whole_element).status.text,
            "u is null, and must not be");
  EXPECT_EQ(check(svd, {.a = &there, .w = &there, .info = &there, .u = &there}, whole_element).status.text,
            "vt is null, and must not be");
  EXPECT_EQ(check({.routine = gesvd, .m = 0, .n = 2}, {}, whole_element).status.text, "info is null, and must not be");
  EXPECT_EQ(check({.routine = sytrd, .n = 1, .lda = 1}, {.a = &there, .d = &there}, whole_element).position, 0);
}

TEST(LapackCheck, ComplexNumbersAreMultiplesOfThemselvesOnADevice) {
  alignas(16) std::byte memory[32];
  std::byte* const half = memory + 8;
  const LapackProblem p = {.routine = gehrd, .type = Type::z, .n = 2, .ilo = 1, .ihi = 2, .lda = 2};
  EXPECT_EQ(check(p, {.a = half, .tau = half}, Alignment::component).position, 0);
  BadArgument bad = check(p, {.a = half, .tau = memory}, whole_element);
  EXPECT_EQ(bad.position, 4);
  EXPECT_EQ(bad.status.code, ONEPASS_STATUS_INVALID_ALIGNMENT);
  EXPECT_EQ(bad.status.text, "a must be a multiple of 16 bytes, and is 8 past one");
  bad = check(p, {.a = memory, .tau = half}, whole_element);
  EXPECT_EQ(bad.position, 6);
  EXPECT_EQ(bad.status.text, "tau must be a multiple of 16 bytes, and is 8 past one");
  // d and e are real, an array of pointers has pointers.
  EXPECT_EQ(check({.routine = sytrd, .type = Type::z, .n = 2, .lda = 2},
                  {.a = memory, .d = half, .e = half, .tau = memory}, whole_element)
                .position,
            0);
  int info = 0;
  EXPECT_EQ(check({.routine = syevd, .type = Type::z, .n = 2, .lda = 2, .batch = Batch::pointers},
                  {.a = half, .w = half, .info = &info}, whole_element)
                .position,
            0);
}

TEST(LapackNames, AreThoseOfTheType) {
  EXPECT_EQ(lapack_name({.routine = sytrd, .type = Type::d}), "dsytrd");
  EXPECT_EQ(lapack_name({.routine = sytrd, .type = Type::z}), "zhetrd");
  EXPECT_EQ(lapack_name({.routine = ormbr, .type = Type::c}), "cunmbr");
  EXPECT_EQ(lapack_name({.routine = syevd, .type = Type::s}), "ssyevd");
  EXPECT_EQ(lapack_name({.routine = syevd, .type = Type::z}), "zheevd");
  EXPECT_EQ(lapack_name({.routine = gesvd, .type = Type::c}), "cgesvd");
  EXPECT_EQ(lapack_name({.routine = geqrf, .type = Type::z}), "zgeqrf");
  EXPECT_EQ(lapack_name({.routine = ormqr, .type = Type::c}), "cunmqr");
}

}  // namespace
}  // namespace onepass::test
