// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Which combinations of element types and sums there are, as values: a combination is a row here, and one of Elements
// in problem/elements.hpp for its kernels.
#pragma once

#include <cstddef>
#include <iterator>

#include "problem/problem.hpp"

namespace onepass {

// What a kernel is compiled for.
enum class ElementsId : std::uint8_t {
  s,
  d,
  c,
  z,
  h,
  b,
  w,
  s_wider,
  c_wider,
  h_wider,
  b_wider,
  d_twice,
  z_twice,
  s_tails,
  d_tails,
  c_tails,
  z_tails
};
inline constexpr ElementsId all_ids[] = {
    ElementsId::s,       ElementsId::d,       ElementsId::c,       ElementsId::z,       ElementsId::h,
    ElementsId::b,       ElementsId::w,       ElementsId::s_wider, ElementsId::c_wider, ElementsId::h_wider,
    ElementsId::b_wider, ElementsId::d_twice, ElementsId::z_twice, ElementsId::s_tails, ElementsId::d_tails,
    ElementsId::c_tails, ElementsId::z_tails};

// y has the type of A, or that of the scalars where the routine allows it (wide_y).
struct CombinationRow {
  Type a, x;
  Accumulate accumulate;
  ElementsId elements;
  bool tails = false;  // x, and perhaps y, as head and tail
};
// Products of single precision are exact in double: a sum there has more than twice the digits.
inline constexpr CombinationRow combinations[] = {
    {Type::s, Type::s, Accumulate::standard, ElementsId::s},
    {Type::d, Type::d, Accumulate::standard, ElementsId::d},
    {Type::c, Type::c, Accumulate::standard, ElementsId::c},
    {Type::z, Type::z, Accumulate::standard, ElementsId::z},
    {Type::h, Type::h, Accumulate::standard, ElementsId::h},
    {Type::b, Type::b, Accumulate::standard, ElementsId::b},
    {Type::w, Type::w, Accumulate::standard, ElementsId::w},
    {Type::s, Type::s, Accumulate::wider, ElementsId::s_wider},
    {Type::c, Type::c, Accumulate::wider, ElementsId::c_wider},
    {Type::h, Type::h, Accumulate::wider, ElementsId::h_wider},
    {Type::b, Type::b, Accumulate::wider, ElementsId::b_wider},
    {Type::s, Type::s, Accumulate::twice, ElementsId::s_wider},
    {Type::c, Type::c, Accumulate::twice, ElementsId::c_wider},
    {Type::d, Type::d, Accumulate::twice, ElementsId::d_twice},
    {Type::z, Type::z, Accumulate::twice, ElementsId::z_twice},
    {Type::s, Type::s, Accumulate::twice, ElementsId::s_tails, true},
    {Type::d, Type::d, Accumulate::twice, ElementsId::d_tails, true},
    {Type::c, Type::c, Accumulate::twice, ElementsId::c_tails, true},
    {Type::z, Type::z, Accumulate::twice, ElementsId::z_tails, true},
};

// Null if there is none.
constexpr const CombinationRow* find_combination(const Problem& p) {
  for (const CombinationRow& row : combinations)
    if (row.a == p.type_a && row.x == p.type_x && row.accumulate == p.accumulate &&
        row.tails == (p.tails != Tails::none))
      return &row;
  return nullptr;
}

// Whether sums of such elements have a canonical order (numbers/canonical_order.hpp).
constexpr bool has_canonical_order(const Problem& p) {
  return p.accumulate == Accumulate::standard && p.tails == Tails::none && p.type_a == p.type_y &&
         (p.type_a == Type::s || p.type_a == Type::d || p.type_a == Type::c || p.type_a == Type::z);
}

// The types that a kernel with these elements is for: its first row.
constexpr const CombinationRow& combination_of(ElementsId id) {
  for (const CombinationRow& row : combinations)
    if (row.elements == id) return row;
  return combinations[0];
}

// Of a problem that check() accepts; of another what its matrix would have.
constexpr ElementsId elements_of(const Problem& p) {
  if (const CombinationRow* const found = find_combination(p); found != nullptr) return found->elements;
  for (const CombinationRow& row : combinations)
    if (row.a == p.type_a) return row.elements;
  return ElementsId::s;
}

}  // namespace onepass
