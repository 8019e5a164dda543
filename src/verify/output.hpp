// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Where the elements of a problem's operands lie, and which of them a call writes: y, or A where it is updated.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string>

#include "problem/problem.hpp"

namespace onepass::verify {

constexpr bool writes_a(const Problem& p) { return row(p).a == Access::update; }
constexpr Type output_type(const Problem& p) { return writes_a(p) ? p.type_a : p.type_y; }
constexpr const char* output_name(const Problem& p) { return writes_a(p) ? "A" : "y"; }

// Index, within a product's operand, of stored element (row, column) of A, of x(k) and of y(i).
constexpr std::int64_t index_a(const Problem& p, std::int64_t row, std::int64_t column) { return row + column * p.lda; }
constexpr std::int64_t index_x(const Problem& p, std::int64_t k) {
  return first_element(length_x(p), p.incx) + k * p.incx;
}
constexpr std::int64_t index_y(const Problem& p, std::int64_t i) {
  return first_element(length_y(p), p.incy) + i * p.incy;
}
// Of the stored element that op(A)(i, k) comes from.
constexpr std::int64_t index_of(const Problem& p, std::int64_t i, std::int64_t k) {
  return is_mirrored(p, i, k) ? index_a(p, k, i) : index_a(p, i, k);
}

// Elements from the first to the last one of a product's operand.
constexpr std::int64_t span_a(const Problem& p) {
  const Stored s = stored(p);
  return s.rows == 0 || s.cols == 0 ? 0 : (s.cols - 1) * p.lda + s.rows;
}
constexpr std::int64_t span_vector(std::int64_t length, std::int64_t inc) {
  return length == 0 ? 0 : (length - 1) * (inc < 0 ? -inc : inc) + 1;
}
constexpr std::int64_t span_x(const Problem& p) { return span_vector(length_x(p), p.incx); }
constexpr std::int64_t span_y(const Problem& p) { return span_vector(length_y(p), p.incy); }

// One element that a product writes: y(i), or A(i, j).
struct Output {
  std::int64_t i = 0, j = 0;
  std::int64_t index = 0;  // within the product's operand
};

inline std::string name(const Problem& p, const Output& o) {
  return writes_a(p) ? "A(" + std::to_string(o.i) + ", " + std::to_string(o.j) + ")" : "y(" + std::to_string(o.i) + ")";
}

// visit(output) for each output of a product.
template <class Visit>
void each_output(const Problem& p, Visit visit) {
  if (!writes_a(p)) {
    for (std::int64_t i = 0; i < length_y(p); ++i) visit(Output{.i = i, .index = index_y(p, i)});
    return;
  }
  const Stored s = stored(p);
  const bool row_major = p.layout == Layout::row;
  for (std::int64_t column = 0; column < s.cols; ++column)
    for (std::int64_t row = 0; row < s.rows; ++row) {
      if (!is_stored(p, row, column)) continue;
      visit(Output{.i = row_major ? column : row, .j = row_major ? row : column, .index = index_a(p, row, column)});
    }
}

}  // namespace onepass::verify
