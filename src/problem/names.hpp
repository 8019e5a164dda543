// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The names of routines, types, ops, triangles and layouts, as the program, plans and messages spell them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "problem/combinations.hpp"
#include "problem/problem.hpp"

namespace onepass {

const char* name(Routine routine);
const char* name(Family family);
const char* name(Type t);
const char* name(Op op);
const char* name(Uplo uplo);
const char* name(Layout layout);
const char* name(Scalars scalars);
const char* name(Accumulate accumulate);
const char* name(Order order);
const char* name(Tails tails);

std::optional<Routine> parse_routine(std::string_view text);
std::optional<Type> parse_type(std::string_view text);
std::optional<Op> parse_op(std::string_view text);
std::optional<Uplo> parse_uplo(std::string_view text);
std::optional<Layout> parse_layout(std::string_view text);
std::optional<Scalars> parse_scalars(std::string_view text);
std::optional<Accumulate> parse_accumulate(std::string_view text);
std::optional<Order> parse_order(std::string_view text);
std::optional<Tails> parse_tails(std::string_view text);

// The types of A, x and y as one name, and all that some routine takes.
inline constexpr const char* all_type_names[] = {"s", "d", "c", "z", "h", "b", "hhs", "bbs", "w"};
std::string type_name(const Problem& p);
bool set_types(Problem& p, std::string_view name);
// "s", "s wider", "d twice": the type of A, and how it is summed.
std::string name(ElementsId elements);

// What the selector of its routine says of a problem: the op of gemv, the triangle of symv and hemv; empty without one.
const char* selected(const Problem& p);

// Routine, types and what is selected: "gemv s N".
std::string full_kind(const Problem& p);

// One line: "gemv s N column 4096x512 lda 4096 incx 1 incy 1", with the batch if there is one.
std::string describe(const Problem& p);

}  // namespace onepass
