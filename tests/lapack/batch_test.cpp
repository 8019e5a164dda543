// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Many Hermitian eigenproblems on the host: residuals of each, the same bits whatever the place, and bad arguments.
#include <gtest/gtest.h>

#include "eigenbatch.hpp"

namespace onepass::test {
namespace {

template <class T>
class SyevdBatch : public testing::Test {};
TYPED_TEST_SUITE(SyevdBatch, Types);

constexpr Batch both_kinds[] = {Batch::strided, Batch::pointers};

TYPED_TEST(SyevdBatch, HasSmallResidualsWhateverTheNeighbours) {
  for (const LapackBackend* backend : {&lapack_cpu(), &lapack_reference()})
    for (const Batch batch : both_kinds)
      for (const std::int64_t n : {1, 2, 7, 16})
        EigenBatch<TypeParam>(*backend, batch, n == 7 ? Uplo::upper : Uplo::lower, n, n % 3,
                              n > 2 ? all_patterns : std::vector<Pattern>(3, Pattern::random))
            .expect_right();
}

TYPED_TEST(SyevdBatch, OfNothingWritesInfoAlone) {
  for (const LapackBackend* backend : {&lapack_cpu(), &lapack_reference()})
    EigenBatch<TypeParam>(*backend, Batch::strided, Uplo::lower, 0, 0, std::vector<Pattern>(3, Pattern::random))
        .expect_right();
}

TYPED_TEST(SyevdBatch, GivesTheSameBitsWhateverThePlaceAndTheThreads) {
  const std::int64_t n = 19;
  const std::vector<Pattern> patterns(7, Pattern::random);
  EigenBatch<TypeParam> many(lapack_cpu(), Batch::strided, Uplo::lower, n, 0, patterns, 17, 3);
  for (const std::int64_t i : {0, 4, 6}) {
    EigenBatch<TypeParam> alone(lapack_cpu(), Batch::pointers, Uplo::lower, n, 0, {Pattern::random},
                                17 + static_cast<std::uint64_t>(i));
    EXPECT_TRUE(many.same_bits(i, alone, 0)) << i;
  }
}

TEST(SyevdBatchCheck, NamesTheArgumentThatIsWrong) {
  const LapackProblem good = {.routine = LapackRoutine::syevd,
                              .n = 4,
                              .lda = 5,
                              .batch = Batch::strided,
                              .batch_count = 3,
                              .stride_a = 19,
                              .stride_w = 4};
  const auto text = [&](auto change) {
    LapackProblem p = good;
    change(p);
    return check(p).status.text;
  };
  EXPECT_EQ(text([](LapackProblem&) {}), "");
  EXPECT_EQ(text([](LapackProblem& p) { p.stride_a = 18; }), "stride_a = 18: must be at least 19");
  EXPECT_EQ(text([](LapackProblem& p) { p.stride_w = 3; }), "stride_w = 3: must be at least 4");
  EXPECT_EQ(text([](LapackProblem& p) { p.batch_count = -1; }), "batch_count = -1: must be 0 to 2147483648");
  EXPECT_EQ(text([](LapackProblem& p) { p.batch = static_cast<Batch>(3); }),
            "batch = 3: must be none (0), strided (1) or pointers (2)");
  EXPECT_EQ(text([](LapackProblem& p) { p.routine = LapackRoutine::sytrd; }),
            "batch = 1: must be none (0): of all routines syevd and gesvd alone take many matrices");
  EXPECT_EQ(text([](LapackProblem& p) { p.stride_a = std::int64_t{1} << 62; }),
            "stride_a = 4611686018427387904: 3 of them must be at most 2^48 elements");
  EXPECT_EQ(text([](LapackProblem& p) { p.batch = Batch::pointers, p.stride_a = 0; }), "");
  EXPECT_EQ(text([](LapackProblem& p) { p.batch_count = 1, p.stride_a = 0, p.stride_w = 0; }), "");
  int info = 0;
  double one = 0;
  EXPECT_EQ(check(good, {.a = &one, .info = &info}, Alignment::component).status.text, "w is null, and must not be");
  EXPECT_EQ(check(good, {.a = &one, .w = &one}, Alignment::component).status.text, "info is null, and must not be");
  LapackProblem none = good;
  none.batch_count = 0;
  EXPECT_TRUE(check(none, {}, Alignment::component).status.ok());
}

}  // namespace
}  // namespace onepass::test
