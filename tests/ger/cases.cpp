// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The cases of rank-1 updates: shapes in all types and forms, and some of them with every twist.
#include "support/family/cases.hpp"

#include "problem/names.hpp"
#include "support/twists.hpp"

namespace onepass::test {
namespace {

// The matrix as it lies in memory: `rows` contiguous elements, `cols` of those runs, and gaps of `padding` elements
// between them.
struct Shape {
  std::int64_t rows, cols, padding = 0;
};

// Without gaps ger_flat serves, with gaps ger, or ger_aligned where columns begin on 32 bytes. Around lines of 128
// bytes (8 to 32 elements), around what a block has (256 to 1024 elements of ger_flat, 128 or 256 rows of ger), rows
// and columns alone.
constexpr Shape shapes[] = {
    {1, 1},       {1, 1, 1},     {1, 5},       {1, 5, 3},     {5, 1},       {5, 1, 2},   {2, 3},
    {3, 2, 1},    {5, 5},        {5, 5, 3},    {7, 31},       {7, 31, 1},   {8, 9},      {15, 3, 1},
    {16, 16},     {16, 16, 16},  {17, 9},      {17, 9, 15},   {31, 33},     {31, 33, 1}, {32, 8},
    {32, 8, 32},  {33, 7, 31},   {63, 5},      {64, 4, 1},    {65, 33, 63}, {127, 2},    {127, 2, 1},
    {128, 8},     {128, 8, 128}, {129, 3},     {129, 3, 127}, {1, 1025},    {1, 300, 1}, {2, 513},
    {1025, 1},    {1023, 1, 2},  {512, 2, 2},  {1024, 1},     {255, 17},    {257, 9, 7}, {300, 2, 212},
    {1030, 3, 5}, {100, 100},    {90, 101, 6}, {3, 700, 1},   {4, 129},     {700, 5},    {1100, 3},
};
constexpr Shape twisted_shapes[] = {{5, 19},  {37, 21},    {29, 9, 4}, {64, 16},
                                    {261, 3}, {130, 6, 1}, {3, 150},   {38, 9, 26}};

constexpr const char* type_names[] = {"s", "d", "c", "z"};

Case make(const Problem& form, const Shape& shape, const char* types, const Twist& twist) {
  const bool row_major = form.layout == Layout::row;
  Problem p = sized(form, types, row_major ? shape.cols : shape.rows, row_major ? shape.rows : shape.cols);
  p.lda += shape.padding;
  return twisted(std::string(name(p.routine)) + "_" + types + "_" + name(p.layout) + "_" + std::to_string(shape.rows) +
                     "x" + std::to_string(shape.cols) +
                     (shape.padding > 0 ? "_gap" + std::to_string(shape.padding) : ""),
                 p, twist);
}

void each_form(const auto& visit) {
  for (const char* types : type_names)
    for (const Problem& form : forms())
      if (takes_types(sized(form, types, 1, 1))) visit(form, types);
}

// Matrices begin on lines of memory, but for the offset of a case; behind pointers that is not known.
Variant variant_of(const Case& c) {
  const Problem& p = c.problem;
  if (p.lda == stored(p).rows) return Variant::ger_flat;
  const auto on_sectors = [&](std::int64_t elements) { return elements * size_of(p.type_a) % 32 == 0; };
  const bool aligned = !p.pointer_array && on_sectors(p.lda) && on_sectors(c.offset_a) && !c.half_element &&
                       (p.batch <= 1 || on_sectors(p.stride_a));
  return aligned ? Variant::ger_aligned : Variant::ger;
}

GroupedCase grouped(const Case& c) { return {variant_of(c), c}; }

std::vector<GroupedCase> make_all() {
  std::vector<GroupedCase> list;
  each_form([&](const Problem& form, const char* types) {
    for (const Shape& shape : shapes) list.push_back(grouped(make(form, shape, types, twists()[0])));
  });
  // Each twist in every type and with every shape, in the forms by turns; no two products may write one matrix.
  std::size_t turn = 0;
  for (const char* types : type_names)
    for (const Shape& shape : twisted_shapes)
      for (const Twist& twist : twists().subspan(1)) {
        if (twist.shared_a) continue;
        const std::vector<Problem> all = forms();
        while (!takes_types(sized(all[turn % all.size()], types, 1, 1))) ++turn;
        list.push_back(grouped(make(all[turn++ % all.size()], shape, types, twist)));
        if (twist.batch == 1 || twist.pointer_array) continue;
        Case shared = list.back().c;
        shared.name += "_shared_" + std::string(turn % 2 == 0 ? "x" : "y");
        (turn % 2 == 0 ? shared.problem.stride_x : shared.problem.stride_y) = 0;
        list.push_back(grouped(shared));
      }
  // Backwards through y, with columns that begin on 32 bytes.
  each_form([&](const Problem& form, const char* types) {
    Case c = make(form, {38, 9, 26}, types, twists()[0]);
    c.problem.incy = -2;
    c.name += "_incy_minus2";
    list.push_back(grouped(c));
  });
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
  each_form([&](const Problem& form, const char* types) {
    for (const Twist& twist : {twists()[0], odd})
      for (const Shape& shape : {Shape{11, 7}, {11, 7, 2}}) list.push_back(grouped(make(form, shape, types, twist)));
  });
  return list;
}

// Several blocks, and shares for several threads.
std::vector<Case> split_cases() {
  std::vector<Case> list;
  each_form([&](const Problem& form, const char* types) {
    for (const std::int64_t padding : {0, 1}) {
      Problem p = sized(form, types, 301, 203);
      p.lda += padding;
      list.push_back({.name = types, .problem = p, .alpha = 0.3, .fill = Fill::reals});
    }
  });
  return list;
}

std::vector<Problem> forms() {
  std::vector<Problem> list;
  for (const Layout layout : {Layout::column, Layout::row})
    for (const RoutineRow& r : routines)
      if (r.family == Family::ger) list.push_back({.routine = r.routine, .layout = layout});
  return list;
}

}  // namespace onepass::test
