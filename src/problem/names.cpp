// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "problem/names.hpp"

#include <algorithm>

namespace onepass {

const char* name(Routine routine) { return row(routine).name; }

const char* name(Family family) {
  return std::ranges::find(routines, family, &RoutineRow::family)->name;  // that of its first routine
}

const char* name(Type t) {
  const auto i = static_cast<std::size_t>(t);
  return i < std::size(type_names) ? type_names[i] : "?";
}

const char* name(Op op) {
  switch (op) {
    case Op::n: return "N";
    case Op::t: return "T";
    case Op::c: return "C";
  }
  return "?";
}

const char* name(Uplo uplo) { return uplo == Uplo::upper ? "U" : "L"; }
const char* name(Layout layout) { return layout == Layout::row ? "row" : "column"; }
const char* name(Scalars scalars) { return scalars == Scalars::device ? "device" : "host"; }

std::optional<Routine> parse_routine(std::string_view text) {
  for (const RoutineRow& r : routines)
    if (text == r.name) return r.routine;
  return std::nullopt;
}

std::optional<Type> parse_type(std::string_view text) {
  for (const Type t : all_types)
    if (text == name(t)) return t;
  return std::nullopt;
}

std::optional<Op> parse_op(std::string_view text) {
  if (text == "N" || text == "n") return Op::n;
  if (text == "T" || text == "t") return Op::t;
  if (text == "C" || text == "c") return Op::c;
  return std::nullopt;
}

std::optional<Uplo> parse_uplo(std::string_view text) {
  if (text == "L" || text == "l") return Uplo::lower;
  if (text == "U" || text == "u") return Uplo::upper;
  return std::nullopt;
}

std::optional<Layout> parse_layout(std::string_view text) {
  if (text == "column") return Layout::column;
  if (text == "row") return Layout::row;
  return std::nullopt;
}

std::optional<Scalars> parse_scalars(std::string_view text) {
  if (text == "host") return Scalars::host;
  if (text == "device") return Scalars::device;
  return std::nullopt;
}

const char* name(Accumulate accumulate) {
  switch (accumulate) {
    case Accumulate::standard: return "default";
    case Accumulate::wider: return "wider";
    case Accumulate::twice: return "twice";
  }
  return "?";
}

std::optional<Accumulate> parse_accumulate(std::string_view text) {
  for (const Accumulate a : {Accumulate::standard, Accumulate::wider, Accumulate::twice})
    if (text == name(a)) return a;
  return std::nullopt;
}

const char* name(Order order) { return order == Order::canonical ? "canonical" : "default"; }

std::optional<Order> parse_order(std::string_view text) {
  for (const Order order : {Order::standard, Order::canonical})
    if (text == name(order)) return order;
  return std::nullopt;
}

const char* name(Tails tails) {
  switch (tails) {
    case Tails::none: return "none";
    case Tails::x: return "x";
    case Tails::xy: return "xy";
  }
  return "?";
}

std::optional<Tails> parse_tails(std::string_view text) {
  for (const Tails t : {Tails::none, Tails::x, Tails::xy})
    if (text == name(t)) return t;
  return std::nullopt;
}

std::string type_name(const Problem& p) {
  if (p.type_a == p.type_x && p.type_a == p.type_y) return name(p.type_a);
  return std::string(name(p.type_a)) + name(p.type_x) + name(p.type_y);
}

bool set_types(Problem& p, std::string_view text) {
  if (text.size() != 1 && text.size() != 3) return false;
  const auto a = parse_type(text.substr(0, 1));
  const auto x = parse_type(text.substr(text.size() / 2, 1));
  const auto y = parse_type(text.substr(text.size() - 1, 1));
  if (!a || !x || !y) return false;
  p.type_a = *a, p.type_x = *x, p.type_y = *y;
  return true;
}

std::string name(ElementsId elements) {
  const CombinationRow& row = combination_of(elements);
  const std::string type = name(row.a);
  return row.accumulate == Accumulate::standard ? type : type + " " + name(row.accumulate);
}

const char* selected(const Problem& p) {
  switch (row(p).selector) {
    case Selector::op: return name(p.op);
    case Selector::uplo: return name(p.uplo);
    case Selector::none: break;
  }
  return "";
}

std::string full_kind(const Problem& p) {
  std::string text = std::string(name(p.routine)) + " " + type_name(p);
  if (row(p).selector != Selector::none) text += std::string(" ") + selected(p);
  return text;
}

std::string describe(const Problem& p) {
  const auto number = [](std::int64_t v) { return std::to_string(v); };
  std::string text = full_kind(p) + " " + name(p.layout) + " " + number(p.m) + "x" + number(p.n) + " lda " +
                     number(p.lda) + " incx " + number(p.incx) + " incy " + number(p.incy);
  if (p.pointer_array) {
    text += " batch " + number(p.batch) + " pointers";
  } else if (p.batch != 1) {
    text += " batch " + number(p.batch) + " strides " + number(p.stride_a) + " " + number(p.stride_x) + " " +
            number(p.stride_y);
  }
  if (p.accumulate != Accumulate::standard) text += std::string(" accumulate ") + name(p.accumulate);
  if (p.order != Order::standard) text += std::string(" order ") + name(p.order);
  if (p.tails != Tails::none) text += std::string(" tails ") + name(p.tails);
  return text;
}

}  // namespace onepass
