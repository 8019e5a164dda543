// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/family/cases.hpp"

#include <map>
#include <set>
#include <span>
#include <string_view>
#include <tuple>

#include "plan/gemv.hpp"
#include "plan/registry.hpp"
#include "problem/combinations.hpp"
#include "problem/names.hpp"
#include "support/twists.hpp"

namespace onepass::test {
namespace {

// The matrix as it lies in memory: `rows` contiguous elements, `cols` of those runs, and gaps of
// `padding` elements between them.
struct Shape {
  std::int64_t rows, cols, padding = 0;
};

struct View {
  Op op;
  Layout layout;
};

struct Group {
  Variant variant;
  bool transposed;                          // outputs across the contiguous dimension
  std::vector<Shape> shapes;                // taken in all types, and in all views that differ, as they are
  std::vector<Shape> twisted;               // taken in all types with every twist that the variant can serve
  bool batches_only = false;                // of many products without gaps
  std::vector<Shape> canonical = {};        // likewise, in the canonical order alone
  std::vector<Shape> canonical_alone = {};  // likewise, without twists
  std::vector<Shape> accurate = {};         // with more digits alone, as they are
};

// The views that put the outputs along or across the contiguous dimension.
std::vector<View> views(bool transposed) {
  if (transposed) return {{Op::t, Layout::column}, {Op::c, Layout::column}, {Op::n, Layout::row}};
  return {{Op::n, Layout::column}, {Op::t, Layout::row}, {Op::c, Layout::row}};
}

const std::vector<Group>& groups() {
  static const std::vector<Group> list = {
      {.variant = Variant::gemv_n,
       .transposed = false,
       .shapes = {{1, 1},     {1, 1, 1},    {1, 5},       {1, 5, 1},  {5, 1},        {5, 1, 2},    {3, 2},
                  {3, 2, 1},  {5, 5},       {5, 5, 3},    {2, 300},   {2, 300, 1},   {7, 31},      {31, 7, 1},
                  {16, 65},   {33, 65, 1},  {64, 64, 1},  {144, 32},  {160, 160},    {257, 129},   {1000, 3},
                  {513, 40},  {2050, 9},    {5000, 1},    {256, 200}, {16, 1100, 8}, {7, 2000, 1}, {1, 3000},
                  {13, 1100}, {50, 700, 4}, {20, 4000, 4}},
       .twisted = {{5, 19}, {137, 19}, {160, 32}, {11, 900}, {3, 8000}, {5000, 2}},
       .canonical = {{12'003, 9, 1}},
       .canonical_alone = {{12'160, 37}, {16'000, 100}},
       .accurate = {{64, 250}, {40, 1500}, {39, 1501, 2}}},
      {.variant = Variant::gemv_t,
       .transposed = true,
       .shapes = {{1, 1},       {1, 1, 1},   {5, 1},     {5, 1, 1},  {1, 5},        {1, 5, 2},    {2, 3, 1},
                  {5, 5},       {5, 5, 3},   {300, 2},   {2, 300},   {7, 31},       {7, 31, 1},   {16, 65},
                  {65, 33, 1},  {64, 64, 1}, {160, 16},  {257, 129}, {1, 3000},     {3, 1000, 1}, {160, 160},
                  {9, 2050, 3}, {9000, 1},   {1100, 16}, {2000, 7},  {300, 100},    {20'000, 3},  {133, 200},
                  {18, 2471},   {35, 701},   {110, 430}, {210, 213}, {300, 212, 1}, {700, 70},    {4100, 7}},
       .twisted = {{5, 19}, {137, 19}, {160, 32}, {11, 900}, {2400, 3}, {40, 61}, {24, 850}, {150, 200}, {660, 31}},
       .canonical = {{300, 17}, {1300, 65}, {410, 450, 1}},
       .accurate = {{120, 750}, {9216, 12}, {9301, 9, 3}}},
      {.variant = Variant::gemv_flat,
       .transposed = false,
       .shapes = {},
       .twisted = {{1, 1}, {1, 5}, {3, 2}, {4, 4}, {7, 9}},
       .batches_only = true},
      {.variant = Variant::gemv_flat,
       .transposed = true,
       .shapes = {},
       .twisted = {{1, 1}, {5, 1}, {3, 2}, {4, 4}, {7, 9}},
       .batches_only = true},
  };
  return list;
}

// Others have the same numbers in every view.
bool has_conjugates(const char* types) {
  Problem p;
  set_types(p, types);
  return is_complex_type(p.type_a);
}

// Of many tiny matrices that lie one behind the other.
const Twist batches[] = {
    {.name = "batch2048", .batch = 2048},
    {.name = "batch2100_beta0", .offset_a = 1, .batch = 2100, .beta = 0.0},
    {.name = "batch2050_inc_2_3", .offset_x = 1, .offset_y = 3, .incx = 2, .incy = 3, .batch = 2050},
    {.name = "batch2049_minus", .offset_a = 3, .incx = -1, .incy = -2, .batch = 2049},
};

Case make(const Group& group, const Shape& shape, const View& view, const char* types, const Twist& t) {
  const bool row_major = view.layout == Layout::row;
  Problem p{.op = view.op,
            .layout = view.layout,
            .m = row_major ? shape.cols : shape.rows,
            .n = row_major ? shape.rows : shape.cols,
            .lda = shape.rows + shape.padding};
  set_types(p, types);
  return twisted(std::string(name(group.variant)) + "_" + types + "_" + name(view.op) + "_" + name(view.layout) + "_" +
                     std::to_string(shape.rows) + "x" + std::to_string(shape.cols) +
                     (shape.padding > 0 ? "_gap" + std::to_string(shape.padding) : ""),
                 p, t);
}

// Sums with more digits: each twist once in every type, and some shapes as they are.
void add_accurate(std::vector<GroupedCase>& list) {
  for (const CombinationRow& row : combinations) {
    if (row.accumulate == Accumulate::standard) continue;
    for (const Group& group : groups()) {
      if (group.variant != Variant::gemv_n && group.variant != Variant::gemv_t) continue;
      const std::vector<View> all = views(group.transposed);
      std::size_t turn = 0;
      const auto add = [&](const Shape& shape, const Twist& twist) {
        Case c = make(group, shape, all[turn++ % all.size()], name(row.a), twist);
        c.problem.accumulate = row.accumulate;
        c.name += std::string("_") + name(row.accumulate);
        if (row.tails) {
          c.problem.tails = turn % 2 == 0 ? Tails::x : Tails::xy;
          c.name += std::string("_tails_") + name(c.problem.tails);
        }
        list.push_back({group.variant, c});
      };
      for (const Twist& twist : twists())
        if (!row.tails || (twist.batch == 1 && !twist.pointer_array))
          add(group.twisted[turn % group.twisted.size()], twist);
      for (const Shape& shape : group.accurate) add(shape, twists()[0]);
    }
  }
}

// The canonical order, in the types that have it: every shape once, every twist with every shape.
void add_canonical(std::vector<GroupedCase>& list) {
  for (const Group& group : groups()) {
    if (group.variant != Variant::gemv_n && group.variant != Variant::gemv_t) continue;
    const Variant variant = group.transposed ? Variant::gemv_t_canonical : Variant::gemv_n_canonical;
    const std::vector<View> all = views(group.transposed);
    for (const char* types : {"s", "d", "c", "z"}) {
      std::size_t turn = 0;
      const auto add = [&](const Shape& shape, const Twist& twist) {
        Case c = make(group, shape, all[turn++ % all.size()], types, twist);
        c.problem.order = Order::canonical;
        c.name += "_canonical";
        list.push_back({variant, c});
      };
      for (const std::vector<Shape>* shapes : {&group.shapes, &group.canonical_alone})
        for (const Shape& shape : *shapes) add(shape, twists()[0]);
      for (const std::vector<Shape>* shapes : {&group.twisted, &group.canonical})
        for (const Shape& shape : *shapes)
          for (const Twist& twist : twists()) add(shape, twist);
    }
  }
}

// Of each kernel that can serve a case the launch that the model likes best; the kernel that the cases before have had
// least. Every fourth case is left to the planner.
void spread_over_kernels(std::vector<GroupedCase>& list) {
  const DeviceTraits traits = h200_traits();
  std::map<std::tuple<Variant, Loads, bool, ElementsId>, int> hits;
  int turn = 0;
  for (GroupedCase& g : list) {
    Problem p = g.c.problem;
    if (p.order == Order::canonical || ++turn % 4 == 0) continue;
    p.alignment_a = alignment_of(p, reinterpret_cast<const void*>(256 + g.c.offset_a * size_of(p.type_a)));
    std::set<std::pair<Variant, Loads>> seen;
    int least = -1;
    for (const ModelledChoice& c : all_choices(p, traits)) {
      if (!seen.insert({c.choice.variant, c.choice.loads}).second) continue;
      const int count = hits[{c.choice.variant, c.choice.loads, is_plain(p), elements_of(p)}];
      if (least >= 0 && count >= least) continue;
      least = count;
      g.c.choice = c.choice;
    }
    if (!g.c.choice) continue;
    ++hits[{g.c.choice->variant, g.c.choice->loads, is_plain(p), elements_of(p)}];
    g.variant = g.c.choice->variant;
  }
}

std::vector<GroupedCase> make_all() {
  std::vector<GroupedCase> list;
  add_accurate(list);
  add_canonical(list);
  for (const Group& group : groups()) {
    const std::vector<View> all = views(group.transposed);
    for (const char* types : all_type_names) {
      std::size_t turn = 0;
      for (const Shape& shape : group.shapes) {
        if (has_conjugates(types)) {
          for (const View& view : all) list.push_back({group.variant, make(group, shape, view, types, twists()[0])});
        } else {
          list.push_back({group.variant, make(group, shape, all[turn++ % all.size()], types, twists()[0])});
        }
      }
      for (const Shape& shape : group.twisted)
        for (const Twist& twist :
             group.batches_only ? std::span<const Twist>(batches) : std::span<const Twist>(twists()))
          list.push_back({group.variant, make(group, shape, all[turn++ % all.size()], types, twist)});
    }
  }
  spread_over_kernels(list);
  return list;
}

}  // namespace

const std::vector<GroupedCase>& all_cases() {
  static const std::vector<GroupedCase> list = make_all();
  return list;
}

std::vector<GroupedCase> small_cases() {
  const Twist odd{.name = "odd", .offset_a = 1, .incx = -2, .incy = 3};
  std::vector<GroupedCase> list;
  for (const Group& group : groups())
    for (const char* types : all_type_names)
      for (const Twist& twist : {twists()[0], odd})
        if (!group.batches_only)
          list.push_back({group.variant, make(group, group.twisted[0], views(group.transposed)[1], types, twist)});
  spread_over_kernels(list);
  return list;
}

std::vector<Case> split_cases() {
  std::vector<Case> list;
  for (const char* types : {"s", "d", "c", "h"})
    for (const Op op : {Op::n, Op::t}) {
      Problem p{.op = op};
      set_types(p, types);
      for (std::int64_t length = 1000; length < 1'000'000; length *= 2) {
        p.m = op == Op::n ? 24 : length, p.n = op == Op::n ? length : 3, p.lda = p.m + 1;
        if (params<GemvParams>(plan_on_device(p, h200_traits(), BackendId::sim)).splits > 1) break;
      }
      list.push_back({.name = types, .problem = p, .alpha = 0.3, .beta = 0.7, .fill = Fill::reals});
    }
  return list;
}

std::vector<Problem> forms() {
  std::vector<Problem> list;
  for (const bool transposed : {false, true})
    for (const View& view : views(transposed)) list.push_back({.op = view.op, .layout = view.layout});
  return list;
}

std::vector<const Backend*> family_backends() { return available_backends(); }

}  // namespace onepass::test
