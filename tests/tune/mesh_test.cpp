// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The shapes of a mesh are those that a table means by its cells.
#include "tune/mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "problem/check.hpp"
#include "tuning/lookup.hpp"

namespace onepass::tools {
namespace {

TEST(Logarithmic, GrowsByEqualRatios) {
  EXPECT_EQ(logarithmic(16, 1048576, 3), (std::vector<std::int64_t>{16, 4096, 1048576}));
  EXPECT_EQ(logarithmic(16, 1048576, 24)[9], 1227);
}

TEST(Finer, HasOneSizeMoreBetweenNeighboursInside) {
  EXPECT_EQ(finer({16, 400, 900, 1600, 20000}, 400, 10000),
            (std::vector<std::int64_t>{16, 400, 600, 900, 1200, 1600, 20000}));
  EXPECT_EQ(finer({16, 1048576}, 400, 10000), (std::vector<std::int64_t>{16, 1048576}));
  const auto axis = finer(logarithmic(16, 1048576, 24), 400, 10000);
  EXPECT_EQ(axis.size(), 30);
  EXPECT_TRUE(std::ranges::is_sorted(axis));
}

TEST(Mesh, HasTheNameOfItsTable) {
  EXPECT_EQ(name(Mesh{.type = Type::d, .second = true, .aligned = true}), "d T aligned");
  EXPECT_EQ(name(Mesh{.routine = Routine::symv, .type = Type::s}), "s L any");
  EXPECT_EQ(name(Mesh{.routine = Routine::symv, .type = Type::z, .second = true}), "z U any");
}

TEST(Mesh, HasLongAlignedColumnsAtTwoDistances) {
  Mesh mesh{.type = Type::b, .second = true, .aligned = true, .rows = {1000, 2048, 5213}, .cols = {100}};
  EXPECT_FALSE(problem_at_other_distance(mesh, 0, 0));
  for (const std::size_t row : {1, 2}) {
    const auto other = problem_at_other_distance(mesh, row, 0);
    ASSERT_TRUE(other);
    EXPECT_TRUE(check(*other).ok());
    EXPECT_EQ(other->lda * 2 % 2048, 0);
    EXPECT_EQ(other->lda, problem_at(mesh, row, 0).lda + 1024);
  }
  mesh.aligned = false;
  EXPECT_FALSE(problem_at_other_distance(mesh, 2, 0));
  EXPECT_FALSE(
      problem_at_other_distance({.routine = Routine::symv, .aligned = true, .rows = {5213}, .cols = {1}}, 0, 0));
}

TEST(Mesh, MayBeOneShapeAsItIs) {
  for (const std::int64_t rows : {4096, 4095}) {
    const Mesh mesh = exact_mesh(Type::b, true, rows, 28672);
    EXPECT_EQ(name(mesh), rows == 4096 ? "b T aligned" : "b T any");
    EXPECT_EQ(mesh.size(), 1u);
    const Problem p = problem_at(mesh, 0, 0);
    EXPECT_TRUE(check(p).ok());
    EXPECT_EQ(p.m, rows);
    EXPECT_EQ(p.n, 28672);
    EXPECT_EQ(p.lda, rows);
    EXPECT_TRUE(stored(p).transposed);
    EXPECT_EQ(Tuning::is_aligned(p), mesh.aligned);
    EXPECT_FALSE(problem_at_other_distance(mesh, 0, 0));
  }
}

TEST(Mesh, HasProblemsOfItsKind) {
  for (const Routine routine : {Routine::gemv, Routine::symv})
    for (const Type type : {Type::s, Type::d, Type::c, Type::z, Type::b})
      for (const bool second : {false, true})
        for (const bool aligned : {false, true}) {
          const Mesh mesh{.routine = routine,
                          .type = type,
                          .second = second,
                          .aligned = aligned,
                          .rows = {16, 26, 42},
                          .cols = {100, 101}};
          for (std::size_t row = 0; row < 3; ++row) {
            const Problem p = problem_at(mesh, row, 1);
            EXPECT_TRUE(check(p).ok());
            EXPECT_EQ(Tuning::is_aligned(p), aligned);
            EXPECT_EQ(p.m, mesh.rows[row]);
            EXPECT_EQ(p.n, routine == Routine::gemv ? 101 : p.m);
            EXPECT_EQ(stored(p).transposed, second && routine == Routine::gemv);
            EXPECT_EQ(stored(p).uplo == Uplo::upper, second && routine == Routine::symv);
          }
        }
}

}  // namespace
}  // namespace onepass::tools
