// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The table of routines: what each one computes, reads and writes. A routine is a row here.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace onepass {

// As wide as the enums of the C interface, so that a value that does not exist can be named.
enum class Routine : int { gemv, symv, hemv, ger, gerc };

// Routines that share their kernels, and the name of their files in every folder.
enum class Family : std::uint8_t { gemv, symv, ger };
inline constexpr std::array all_families = {Family::gemv, Family::symv, Family::ger};

// What of A lies in memory: all m x n elements, or one triangle of a square.
enum class Storage : std::uint8_t { full, triangle };

// What happens to an operand; `update`: read and written.
enum class Access : std::uint8_t { read, update };

// How long a vector is: as A, m x n, or op(A) has rows or columns.
enum class Length : std::uint8_t { rows, columns, rows_of_op, columns_of_op };

// The field of a problem by which problems of one routine differ, beside their types and sizes.
enum class Selector : std::uint8_t { none, op, uplo };

struct RoutineRow {
  Routine routine;
  const char* name;
  const char* formula;
  Family family;
  std::string_view types;  // of A, by their names
  bool wide_y;             // y may have the type of the scalars, where A is narrower
  bool accumulates;        // products are summed, in more digits if wanted
  Storage storage;
  Selector selector;
  bool hermitian;  // what is mirrored or multiplied is conjugated
  Length x_length, y_length;
  Access a, y;
  bool has_beta;
};

inline constexpr std::array routines = {
    RoutineRow{.routine = Routine::gemv,
               .name = "gemv",
               .formula = "y = alpha op(A) x + beta y",
               .family = Family::gemv,
               .types = "sdczhbw",
               .wide_y = true,
               .accumulates = true,
               .storage = Storage::full,
               .selector = Selector::op,
               .hermitian = false,
               .x_length = Length::columns_of_op,
               .y_length = Length::rows_of_op,
               .a = Access::read,
               .y = Access::update,
               .has_beta = true},
    RoutineRow{.routine = Routine::symv,
               .name = "symv",
               .formula = "y = alpha A x + beta y, A symmetric",
               .family = Family::symv,
               .types = "sdczhbw",
               .wide_y = true,
               .accumulates = true,
               .storage = Storage::triangle,
               .selector = Selector::uplo,
               .hermitian = false,
               .x_length = Length::columns_of_op,
               .y_length = Length::rows_of_op,
               .a = Access::read,
               .y = Access::update,
               .has_beta = true},
    RoutineRow{.routine = Routine::hemv,
               .name = "hemv",
               .formula = "y = alpha A x + beta y, A Hermitian",
               .family = Family::symv,
               .types = "cz",
               .wide_y = true,
               .accumulates = true,
               .storage = Storage::triangle,
               .selector = Selector::uplo,
               .hermitian = true,
               .x_length = Length::columns_of_op,
               .y_length = Length::rows_of_op,
               .a = Access::read,
               .y = Access::update,
               .has_beta = true},
    RoutineRow{.routine = Routine::ger,
               .name = "ger",
               .formula = "A = alpha x y^T + A",
               .family = Family::ger,
               .types = "sdcz",
               .wide_y = false,
               .accumulates = false,
               .storage = Storage::full,
               .selector = Selector::none,
               .hermitian = false,
               .x_length = Length::rows,
               .y_length = Length::columns,
               .a = Access::update,
               .y = Access::read,
               .has_beta = false},
    RoutineRow{.routine = Routine::gerc,
               .name = "gerc",
               .formula = "A = alpha x y^H + A",
               .family = Family::ger,
               .types = "cz",
               .wide_y = false,
               .accumulates = false,
               .storage = Storage::full,
               .selector = Selector::none,
               .hermitian = true,
               .x_length = Length::rows,
               .y_length = Length::columns,
               .a = Access::update,
               .y = Access::read,
               .has_beta = false},
};

// Of a routine that exists.
constexpr const RoutineRow& row(Routine routine) { return routines[static_cast<std::size_t>(routine)]; }

constexpr bool rows_stand_in_the_order_of_the_enum() {
  for (std::size_t i = 0; i < routines.size(); ++i)
    if (static_cast<std::size_t>(routines[i].routine) != i) return false;
  return true;
}
static_assert(rows_stand_in_the_order_of_the_enum());

}  // namespace onepass
