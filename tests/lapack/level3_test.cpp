// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Products of level 3 that the library's threads share, and who has threads meanwhile.
#include "lapack/cpu/level3.hpp"

#include <gtest/gtest.h>

#include "integers.hpp"
#include "types.hpp"

extern "C" {
[[gnu::weak]] void openblas_set_num_threads(int threads);
[[gnu::weak]] int openblas_get_num_threads();
[[gnu::weak]] int openblas_get_parallel();
}

namespace onepass::test {
namespace {

// What run(C) makes of C, by teams of one to five: the same.
template <class T, class Run>
void expect_same_by_teams(std::int64_t rows, std::int64_t columns, Run run) {
  Integers<T> alone(rows, columns, 2);
  run(alone.matrix());
  for (const int threads : {2, 3, 5}) {
    const lapack::Level3Team team(threads);
    Integers<T> shared(rows, columns, 2);
    run(shared.matrix());
    EXPECT_TRUE(shared.data == alone.data) << rows << " x " << columns << ", " << threads << " threads";
  }
}

template <class T>
class Level3Products : public testing::Test {};
TYPED_TEST_SUITE(Level3Products, Types);

TYPED_TEST(Level3Products, OfATeamIsThatOfOneThread) {
  using T = TypeParam;
  struct Shape {
    std::int64_t m, n, k;
  };
  for (const Shape& s : {Shape{90, 130, 40}, Shape{333, 70, 33}, Shape{32, 400, 100}, Shape{17, 5, 3}, Shape{0, 9, 4}})
    for (const lapack::As as_a : {lapack::As::is, lapack::As::adjoint})
      for (const lapack::As as_b : {lapack::As::is, lapack::As::adjoint}) {
        Integers<T> a(as_a == lapack::As::is ? s.m : s.k, as_a == lapack::As::is ? s.k : s.m, 0),
            b(as_b == lapack::As::is ? s.k : s.n, as_b == lapack::As::is ? s.n : s.k, 1);
        expect_same_by_teams<T>(s.m, s.n, [&](lapack::Matrix<T> c) {
          lapack::gemm<T>(as_a, as_b, s.m, s.n, s.k, T{-1}, a.matrix(), b.matrix(), T{1}, c);
        });
      }
}

TYPED_TEST(Level3Products, OfATriangleAndATeamIsThatOfOneThread) {
  using T = TypeParam;
  for (const std::int64_t n : {1, 30, 100, 257})
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      Integers<T> t(n, n, 3);
      expect_same_by_teams<T>(n, 90, [&](lapack::Matrix<T> b) {
        lapack::multiply_by_triangle<T>(Side::left, uplo, lapack::As::adjoint, n, 90, t.matrix(), b);
      });
      expect_same_by_teams<T>(90, n, [&](lapack::Matrix<T> b) {
        lapack::multiply_by_triangle<T>(Side::right, uplo, lapack::As::is, 90, n, t.matrix(), b);
      });
    }
}

TEST(Level3Threads, AreThoseOfTheInnermostTeam) {
  EXPECT_EQ(lapack::Level3Team::threads(), 1);
  const lapack::Level3Team outer(3);
  EXPECT_EQ(lapack::Level3Team::threads(), 3);
  {
    const lapack::Level3Team inner(1);
    EXPECT_EQ(lapack::Level3Team::threads(), 1);
  }
  EXPECT_EQ(lapack::Level3Team::threads(), 3);
}

TEST(Level3Threads, OfOpenblasComeBackBehindTheLastTeam) {
  if (openblas_set_num_threads == nullptr || openblas_get_num_threads == nullptr || openblas_get_parallel == nullptr)
    GTEST_SKIP() << "the host's BLAS is not OpenBLAS";
  constexpr int by_pthreads = 1;
  if (openblas_get_parallel() != by_pthreads) GTEST_SKIP() << "OpenBLAS has no threads of its own";
  const int before = openblas_get_num_threads();
  openblas_set_num_threads(2);
  {
    const lapack::Level3Team outer(2);
    EXPECT_EQ(openblas_get_num_threads(), 1);
    {
      const lapack::Level3Team inner(4);
      EXPECT_EQ(openblas_get_num_threads(), 1);
    }
    EXPECT_EQ(openblas_get_num_threads(), 1);
  }
  EXPECT_EQ(openblas_get_num_threads(), 2);
  const lapack::Level3Team alone(1);
  EXPECT_EQ(openblas_get_num_threads(), 2);
  openblas_set_num_threads(before);
}

}  // namespace
}  // namespace onepass::test
