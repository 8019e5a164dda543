// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The one-letter names of types, ops and layouts, as the program, plans and messages spell them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "problem/problem.hpp"

namespace onepass {

const char* name(Type t);
const char* name(Op op);
const char* name(Layout layout);
const char* name(Scalars scalars);

std::optional<Type> parse_type(std::string_view text);
std::optional<Op> parse_op(std::string_view text);
std::optional<Layout> parse_layout(std::string_view text);
std::optional<Scalars> parse_scalars(std::string_view text);

// The types of A, x and y as one name: "s", "d", "c", "z", "h", "b", "hhs", "bbs".
std::string type_name(const Problem& p);
bool set_types(Problem& p, std::string_view name);

// One line: "s N column 4096x512 lda 4096 incx 1 incy 1", with the batch if there is one.
std::string describe(const Problem& p);

}  // namespace onepass
