// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The shapes at which launches are timed: logarithmic axes, one mesh per type, orientation and alignment; or single
// ones.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "problem/problem.hpp"

namespace onepass::tools {

// round(from * (to / from)^(i / (points - 1)))
std::vector<std::int64_t> logarithmic(std::int64_t from, std::int64_t to, std::int64_t points);

// The axis with the geometric mean of each two neighbours in [from, to] between them.
std::vector<std::int64_t> finer(const std::vector<std::int64_t>& axis, std::int64_t from, std::int64_t to);

struct Mesh {
  Routine routine = Routine::gemv;
  Type type = Type::s;
  bool second = false;                             // T of N and T, U of L and U
  bool aligned = false;                            // columns on 64 bytes, or an odd lda
  std::vector<std::int64_t> rows = {}, cols = {};  // of triangles, the orders and a single 1
  bool exact = false;                              // one shape, whose columns follow each other

  std::size_t size() const { return rows.size() * cols.size(); }
};

// "s N aligned", as a table names it.
std::string name(const Mesh& mesh);

// Of one shape of gemv, given as it is stored.
Mesh exact_mesh(Type type, bool transposed, std::int64_t rows, std::int64_t cols);

// The problem of a cell.
Problem problem_at(const Mesh& mesh, std::size_t row, std::size_t col);

// With its columns another multiple of 2 KiB apart; nothing where they are short or lie anywhere.
std::optional<Problem> problem_at_other_distance(const Mesh& mesh, std::size_t row, std::size_t col);

}  // namespace onepass::tools
