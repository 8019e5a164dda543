// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cases of SYMV and HEMV: orders in all types and forms, and some of them with every twist.
#include "support/family/cases.hpp"

#include "problem/combinations.hpp"
#include "problem/names.hpp"
#include "support/twists.hpp"

namespace onepass::test {
namespace {

struct Order {
  std::int64_t n, padding = 0;
};

// Around multiples of vectors, of groups of columns and of tiles.
constexpr Order orders[] = {{1},   {1, 1},   {2},     {2, 1},   {3},      {4},     {5, 3},   {7},
                            {8},   {9, 1},   {15},    {16},     {17, 1},  {31, 2}, {32},     {33, 1},
                            {63},  {64},     {65, 1}, {66, 4},  {96},     {100},   {127, 1}, {128},
                            {129}, {130, 2}, {191},   {257, 1}, {300, 4}, {384},   {513}};
constexpr Order twisted_orders[] = {{5}, {37}, {64}, {130}, {261}};

bool offered(const Problem& form, const char* types) {
  Problem p = form;
  set_types(p, types);
  return takes_types(p);
}

Case make(const Problem& form, const Order& order, const char* types, const Twist& twist) {
  Problem p = sized(form, types, order.n, order.n);
  p.lda += order.padding;
  return twisted(std::string(name(p.routine)) + "_" + types + "_" + name(p.uplo) + "_" + name(p.layout) + "_" +
                     std::to_string(order.n) + (order.padding > 0 ? "_gap" + std::to_string(order.padding) : ""),
                 p, twist);
}

void each_offered(const auto& visit) {
  for (const char* types : all_type_names)
    for (const Problem& form : forms())
      if (offered(form, types)) visit(form, types);
}

std::vector<GroupedCase> make_all() {
  std::vector<GroupedCase> list;
  const auto add = [&](const Case& c) { list.push_back({Variant::symv_squares, c}); };
  each_offered([&](const Problem& form, const char* types) {
    // A triangle of real numbers by rows is the other one by columns, to all but the call.
    const bool known = form.layout == Layout::row && !is_complex_type(sized(form, types, 1, 1).type_a);
    for (std::size_t i = 0; i < std::size(orders); i += known ? 4 : 1) add(make(form, orders[i], types, twists()[0]));
  });
  // Once in every type what is too large for blocks that own outputs.
  std::size_t form = 0;
  for (const char* types : all_type_names) {
    const std::vector<Problem> all = forms();
    while (!offered(all[form % all.size()], types)) ++form;
    const Problem p = sized(all[form % all.size()], types, 1, 1);
    add(make(all[form++ % all.size()], {size_of(p.type_a) > 4 ? 1025 : 901}, types, twists()[0]));
  }
  // And what is large enough for steps of twice the columns, once with columns that start anywhere.
  for (const auto& [types, order] :
       {std::pair<const char*, Order>("s", {2901}), {"s", {2944}}, {"d", {3901}}, {"c", {3904}}, {"z", {2301}}}) {
    const std::vector<Problem> all = forms();
    while (!offered(all[form % all.size()], types)) ++form;
    add(make(all[form++ % all.size()], order, types, twists()[0]));
  }
  // Each twist in every type and with every order, in the forms by turns.
  std::size_t turn = 0;
  for (const char* types : all_type_names)
    for (const Order& order : twisted_orders)
      for (const Twist& twist : twists().subspan(1)) {
        const std::vector<Problem> all = forms();
        while (!offered(all[turn % all.size()], types)) ++turn;
        add(make(all[turn++ % all.size()], order, types, twist));
      }
  // Sums with more digits: each twist once in every type.
  for (const CombinationRow& row : combinations) {
    if (row.accumulate == Accumulate::standard) continue;
    for (const Twist& twist : twists()) {
      if (row.tails && (twist.batch != 1 || twist.pointer_array)) continue;
      const std::vector<Problem> all = forms();
      while (!offered(all[turn % all.size()], name(row.a))) ++turn;
      Case c = make(all[turn % all.size()], twisted_orders[turn % std::size(twisted_orders)], name(row.a), twist);
      ++turn;
      c.problem.accumulate = row.accumulate;
      c.name += std::string("_") + name(row.accumulate);
      if (row.tails) {
        c.problem.tails = turn % 2 == 0 ? Tails::x : Tails::xy;
        c.name += std::string("_tails_") + name(c.problem.tails);
      }
      add(c);
    }
  }
  // And what is large enough for tiles.
  for (const CombinationRow& row : combinations) {
    if (row.accumulate == Accumulate::standard || row.tails) continue;
    const std::vector<Problem> all = forms();
    while (!offered(all[turn % all.size()], name(row.a))) ++turn;
    Case c = make(all[turn++ % all.size()], {1032}, name(row.a), twists()[0]);
    c.problem.accumulate = row.accumulate;
    c.name += std::string("_") + name(row.accumulate);
    add(c);
  }
  // The canonical order: each twist in every type that has it.
  for (const char* types : {"s", "d", "c", "z"})
    for (const Twist& twist : twists())
      for (const std::int64_t n : {5, 70, 300}) {
        const std::vector<Problem> all = forms();
        while (!offered(all[turn % all.size()], types)) ++turn;
        Case c = make(all[turn++ % all.size()], {n}, types, twist);
        c.problem.order = onepass::Order::canonical;
        c.name += "_canonical";
        add(c);
      }
  // Beyond what a block of the canonical order takes in whole sums.
  for (const char* types : {"s", "d", "c", "z"}) {
    const std::vector<Problem> all = forms();
    while (!offered(all[turn % all.size()], types)) ++turn;
    Case c = make(all[turn++ % all.size()], {1540}, types, twists()[0]);
    c.problem.order = onepass::Order::canonical;
    c.name += "_canonical";
    add(c);
  }
  return list;
}

}  // namespace

std::vector<const Backend*> family_backends() { return available_backends(); }

const std::vector<GroupedCase>& all_cases() {
  static const std::vector<GroupedCase> list = make_all();
  return list;
}

std::vector<GroupedCase> small_cases() {
  const Twist odd{.name = "odd", .offset_a = 1, .incx = -2, .incy = 3};
  std::vector<GroupedCase> list;
  each_offered([&](const Problem& form, const char* types) {
    for (const Twist& twist : {twists()[0], odd})
      list.push_back({Variant::symv_squares, make(form, {11}, types, twist)});
  });
  return list;
}

std::vector<Case> split_cases() {
  std::vector<Case> list;
  for (const char* types : {"s", "d", "c", "h"})
    for (const Problem& form : forms()) {
      if (!offered(form, types)) continue;
      Problem p = sized(form, types, 601, 601);
      p.lda += 1;
      list.push_back({.name = types, .problem = p, .alpha = 0.3, .beta = 0.7, .fill = Fill::reals});
    }
  return list;
}

std::vector<Problem> forms() {
  std::vector<Problem> list;
  for (const Routine routine : {Routine::symv, Routine::hemv})
    for (const Layout layout : {Layout::column, Layout::row})
      for (const Uplo uplo : {Uplo::lower, Uplo::upper})
        list.push_back({.routine = routine, .uplo = uplo, .layout = layout});
  return list;
}

}  // namespace onepass::test
