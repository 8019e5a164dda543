// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of routines: what its rows say is what checks, lengths, names and bytes go by.
#include "problem/routine.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "problem/check.hpp"
#include "problem/cost.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

Problem of(const RoutineRow& r, Type type, std::int64_t m, std::int64_t n) {
  return {.routine = r.routine, .type_a = type, .type_x = type, .type_y = type, .m = m, .n = n, .lda = m};
}

bool takes(const RoutineRow& r, Type type) { return r.types.find(name(type)) != std::string_view::npos; }

TEST(Routines, StandInTheOrderOfTheirEnum) {
  for (std::size_t i = 0; i < routines.size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(routines[i].routine), i);
    EXPECT_EQ(&row(routines[i].routine), &routines[i]);
  }
}

TEST(Routines, HaveNamesThatReadBack) {
  std::set<std::string> names;
  for (const RoutineRow& r : routines) {
    EXPECT_TRUE(names.insert(r.name).second) << r.name << " stands twice";
    EXPECT_EQ(parse_routine(r.name), r.routine);
    EXPECT_STREQ(name(r.routine), r.name);
    EXPECT_EQ(std::string(r.formula).find(r.a == Access::update ? "A =" : "y ="), 0u) << r.formula;
  }
}

TEST(Routines, HaveFamiliesThatAreNamedAfterOneOfThem) {
  std::set<Family> used;
  for (const RoutineRow& r : routines) used.insert(r.family);
  EXPECT_EQ(used, std::set<Family>(all_families.begin(), all_families.end()));
  for (const Family f : all_families) {
    const auto routine = parse_routine(name(f));
    ASSERT_TRUE(routine) << name(f);
    EXPECT_EQ(row(*routine).family, f);
  }
}

TEST(Routines, TakeTheTypesOfTheirRowAndNoOthers) {
  for (const RoutineRow& r : routines) {
    for (const char letter : r.types) EXPECT_TRUE(parse_type(std::string(1, letter))) << r.name << " " << letter;
    for (const Type type : all_types) {
      EXPECT_EQ(check(of(r, type, 4, 4)).ok(), takes(r, type)) << r.name << " " << name(type);
      if (scalar_type(type) == type) continue;
      Problem wide = of(r, type, 4, 4);
      wide.type_y = scalar_type(type);
      EXPECT_EQ(check(wide).ok(), takes(r, type) && r.wide_y) << r.name << " " << type_name(wide);
    }
  }
}

TEST(Routines, OfFullMatricesHaveVectorsAsLongAsOpSays) {
  for (const Layout layout : {Layout::column, Layout::row})
    for (const Op op : {Op::n, Op::t, Op::c}) {
      Problem p = of(row(Routine::gemv), Type::c, 3, 5);
      p.op = op, p.layout = layout;
      EXPECT_EQ(length_x(p), op == Op::n ? 5 : 3) << name(op);
      EXPECT_EQ(length_y(p), op == Op::n ? 3 : 5) << name(op);
    }
}

TEST(Routines, OfTrianglesHaveVectorsOfTheirOrder) {
  for (const RoutineRow& r : routines) {
    if (r.storage != Storage::triangle) continue;
    for (const Uplo uplo : {Uplo::lower, Uplo::upper}) {
      Problem p = of(r, Type::c, 7, 7);
      p.uplo = uplo;
      EXPECT_EQ(length_x(p), 7) << r.name;
      EXPECT_EQ(length_y(p), 7) << r.name;
    }
    EXPECT_FALSE(check(of(r, Type::c, 7, 6)).ok()) << r.name << " of a matrix that is not square";
  }
}

TEST(Routines, NameLengthsOfTheMatrixAndOfOp) {
  Problem p = of(row(Routine::gemv), Type::s, 3, 5);
  p.op = Op::t;
  EXPECT_EQ(length(p, Length::rows), 3);
  EXPECT_EQ(length(p, Length::columns), 5);
  EXPECT_EQ(length(p, Length::rows_of_op), 5);
  EXPECT_EQ(length(p, Length::columns_of_op), 3);
}

TEST(Routines, ReadWhatTheirStorageHolds) {
  for (const RoutineRow& r : routines) {
    const Problem p = of(r, Type::z, 6, 6);
    EXPECT_EQ(is_triangle(p), r.storage == Storage::triangle) << r.name;
    EXPECT_EQ(cost(p).matrix_bytes, (r.storage == Storage::full ? 36 : 21) * 16 * (r.a == Access::update ? 2 : 1))
        << r.name;
  }
}

TEST(Routines, AreToldApartByTheirSelector) {
  for (const RoutineRow& r : routines) {
    Problem p = of(r, Type::c, 4, 4);
    p.op = Op::t, p.uplo = Uplo::upper;
    EXPECT_STREQ(selected(p), r.selector == Selector::op ? "T" : r.selector == Selector::uplo ? "U" : "") << r.name;
  }
}

TEST(Routines, ThatAreHermitianConjugateForComplexNumbersAlone) {
  for (const RoutineRow& r : routines)
    if (r.hermitian) {
      for (const Type type : all_types) EXPECT_EQ(takes(r, type), is_complex_type(type)) << r.name;
    }
}

}  // namespace
}  // namespace onepass
