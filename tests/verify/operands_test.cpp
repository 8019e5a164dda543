// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Operands have numbers where elements lie and poison elsewhere; outputs are what the table of routines says.
#include "verify/operands.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "problem/names.hpp"

namespace onepass::verify {
namespace {

Problem problem_of(Routine routine, const char* types) {
  Problem p{.routine = routine, .m = 5, .n = 5, .lda = 7, .incx = -2, .incy = 3};
  set_types(p, types);
  return p;
}

bool is_number(Value v) { return !std::isnan(v.real()); }

TEST(Elements, OfEveryTypeKeepWhatFits) {
  for (const Type type : all_types) {
    std::byte bytes[3 * 16];
    poison(bytes, sizeof bytes);
    EXPECT_FALSE(is_number(get(type, bytes, 1))) << name(type);
    put(type, bytes, 1, {-1.5, 0.25});
    // Of w the second part is a tail, and the sum of both is meant.
    EXPECT_EQ(get(type, bytes, 1), type == Type::w ? -1.25 : Value(-1.5, is_complex_type(type) ? 0.25 : 0.0))
        << name(type);
    EXPECT_FALSE(is_number(get(type, bytes, 0)));
    EXPECT_FALSE(is_number(get(type, bytes, 2)));
    EXPECT_EQ(static_cast<float>(1 + epsilon(type)) > 1 || size_of_real(type) >= 8, true);
    const Value next = type == Type::w ? Value(1, epsilon(type)) : 1 + epsilon(type);
    put(type, bytes, 1, next);
    EXPECT_EQ(get(type, bytes, 1), next) << name(type);
    put(type, bytes, 1, smallest(type));
    EXPECT_EQ(get(type, bytes, 1), smallest(type)) << name(type);
    put(type, bytes, 1, smallest(type) / 4);
    EXPECT_EQ(get(type, bytes, 1), 0.0) << name(type);
  }
}

TEST(Operands, HaveNumbersWhereElementsLieAndPoisonElsewhere) {
  for (const RoutineRow& routine : routines) {
    const Case c{.problem = problem_of(routine.routine, "z")};
    const Problem& p = c.problem;
    const HostOperands o = lay_out(c);
    std::set<std::int64_t> elements;
    for (std::int64_t column = 0; column < 5; ++column)
      for (std::int64_t row = 0; row < 5; ++row)
        if (is_stored(p, row, column)) elements.insert(index_a(p, row, column));
    for (std::int64_t i = 0; i < span_a(p); ++i)
      EXPECT_EQ(is_number(o.a.at(0, i)), elements.contains(i)) << routine.name << " " << i;
    for (std::int64_t i = 0; i < span_x(p); ++i) EXPECT_EQ(is_number(o.x.at(0, i)), i % 2 == 0) << routine.name;
    for (std::int64_t i = 0; i < span_y(p); ++i) EXPECT_EQ(is_number(o.y.at(0, i)), i % 3 == 0) << routine.name;
  }
}

TEST(Operands, WithoutAlphaAreOnlyTheOutput) {
  for (const RoutineRow& routine : routines) {
    const Case c{.problem = problem_of(routine.routine, "z"), .alpha = 0.0};
    const HostOperands o = lay_out(c);
    EXPECT_EQ(is_number(o.a.at(0, 0)), routine.a == Access::update) << routine.name;
    EXPECT_FALSE(is_number(o.x.at(0, 0))) << routine.name;
    EXPECT_EQ(is_number(o.y.at(0, 0)), routine.y == Access::update) << routine.name;
  }
}

TEST(Outputs, AreThoseOfTheTableOfRoutines) {
  for (const RoutineRow& routine : routines)
    for (const Layout layout : {Layout::column, Layout::row}) {
      Problem p = problem_of(routine.routine, "z");
      p.layout = layout;
      std::set<std::int64_t> indices;
      each_output(p, [&](const Output& out) {
        indices.insert(out.index);
        EXPECT_EQ(out.index, routine.a == Access::update ? index_of(p, out.i, out.j) : index_y(p, out.i));
      });
      EXPECT_EQ(indices.size(), routine.a == Access::update ? 25u : 5u) << routine.name;
      EXPECT_STREQ(output_name(p), routine.a == Access::update ? "A" : "y");
    }
}

}  // namespace
}  // namespace onepass::verify
