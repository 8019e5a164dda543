// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many singular value decompositions on the host: residuals of each, the same bits whatever the place, and bad
// arguments.
#include <gtest/gtest.h>

#include "svdbatch.hpp"

namespace onepass::test {
namespace {

using verify::Pattern;

template <class T>
class GesvdBatch : public testing::Test {};
TYPED_TEST_SUITE(GesvdBatch, Types);

TYPED_TEST(GesvdBatch, HasSmallResidualsWhateverTheNeighbours) {
  for (const LapackBackend* backend : {&lapack_cpu(), &lapack_reference()}) {
    SvdBatch<TypeParam>(*backend, Batch::strided, 7, 5, 1, all_svd_patterns).expect_right();
    SvdBatch<TypeParam>(*backend, Batch::pointers, 4, 11, 0, all_svd_patterns).expect_right();
    SvdBatch<TypeParam>(*backend, Batch::pointers, 1, 1, 2, std::vector<Pattern>(3, Pattern::random)).expect_right();
    SvdBatch<TypeParam>(*backend, Batch::strided, 0, 3, 0, std::vector<Pattern>(3, Pattern::random)).expect_right();
  }
}

TYPED_TEST(GesvdBatch, MakesVInThePlaceOfItsAdjoint) {
  for (const LapackBackend* backend : {&lapack_cpu(), &lapack_reference()})
    for (const std::int64_t m : {3, 6})
      SvdBatch<TypeParam>(*backend, Batch::strided, m, 5, 1, {Pattern::random, Pattern::nan, Pattern::random}, 17, 2,
                          true)
          .expect_right();
}

TYPED_TEST(GesvdBatch, GivesTheSameBitsWhateverThePlaceAndTheThreads) {
  SvdBatch<TypeParam> many(lapack_cpu(), Batch::strided, 12, 9, 0, std::vector<Pattern>(5, Pattern::random), 17, 3);
  SvdBatch<TypeParam> alone(lapack_cpu(), Batch::pointers, 12, 9, 0, {Pattern::random}, 20);
  EXPECT_TRUE(many.same_bits(3, alone, 0));
}

TEST(GesvdBatchCheck, NamesTheArgumentThatIsWrong) {
  const LapackProblem good = {.routine = LapackRoutine::gesvd,
                              .m = 6,
                              .n = 4,
                              .lda = 7,
                              .job = Job::vectors,
                              .ldu = 6,
                              .ldvt = 5,
                              .batch = Batch::strided,
                              .batch_count = 3,
                              .stride_a = 27,
                              .stride_w = 4,
                              .stride_u = 24,
                              .stride_vt = 19};
  const auto text = [&](auto change) {
    LapackProblem p = good;
    change(p);
    return check(p).status.text;
  };
  EXPECT_EQ(text([](LapackProblem&) {}), "");
  EXPECT_EQ(text([](LapackProblem& p) { p.stride_a = 26; }), "stride_a = 26: must be at least 27");
  EXPECT_EQ(text([](LapackProblem& p) { p.stride_w = 3; }), "stride_s = 3: must be at least 4");
  EXPECT_EQ(text([](LapackProblem& p) { p.stride_u = 23; }), "stride_u = 23: must be at least 24");
  EXPECT_EQ(text([](LapackProblem& p) { p.stride_vt = 18; }), "stride_vt = 18: must be at least 19");
  EXPECT_EQ(text([](LapackProblem& p) { p.job = Job::all; }), "jobz = 2: must be values (0) or vectors (1)");
  EXPECT_EQ(text([](LapackProblem& p) { p.job = Job::values, p.stride_u = p.stride_vt = 0; }), "");
  EXPECT_EQ(text([](LapackProblem& p) { p.batch = Batch::pointers, p.stride_a = p.stride_u = p.stride_vt = 0; }), "");
  EXPECT_EQ(text([](LapackProblem& p) { p.m = 3, p.plain_v = true, p.ldvt = 3; }), "ldvt = 3: must be at least 4");
  EXPECT_EQ(text([](LapackProblem& p) { p.batch = Batch::none, p.plain_v = true; }),
            "plain_v = 1: must be 0: gesvd of a batch alone makes V");
  int info = 0;
  double one = 0;
  EXPECT_EQ(check(good, {.a = &one, .w = &one, .info = &info, .vt = &one}, Alignment::component).status.text,
            "u is null, and must not be");
  EXPECT_EQ(check(good, {.a = &one, .info = &info, .u = &one, .vt = &one}, Alignment::component).status.text,
            "s is null, and must not be");
}

}  // namespace
}  // namespace onepass::test
