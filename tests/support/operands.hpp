// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A test case, and its operands laid out on the host: poison wherever no element belongs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "problem/problem.hpp"
#include "support/element.hpp"

namespace onepass::test {

enum class Fill {
  integers,  // so small that every sum is exact, in any order: results must be equal
  reals,     // in [-1, 1): results may differ by the error bound
};

struct Case {
  std::string name;
  Problem problem;
  Value alpha = 2.0, beta = -1.0;
  int offset_a = 0, offset_x = 0, offset_y = 0;  // elements past a multiple of 256 bytes
  bool half_element = false;                     // and one component of a complex number more
  Fill fill = Fill::integers;
};

// One operand of all products of the batch: the bytes, and where each product's share begins.
struct Operand {
  Type type = Type::s;
  std::vector<std::byte> bytes;
  std::vector<std::int64_t> start;  // in elements; start[0] is where a strided pointer points

  Value at(std::int64_t product, std::int64_t index) const;
  void set(std::int64_t product, std::int64_t index, Value value);
};

struct HostOperands {
  Operand a, x, y;
};

HostOperands lay_out(const Case& c);

// Index, within a product's operand, of stored element (row, column) of A, of x(k) and of y(i).
std::int64_t index_a(const Problem& p, std::int64_t row, std::int64_t column);
std::int64_t index_x(const Problem& p, std::int64_t k);
std::int64_t index_y(const Problem& p, std::int64_t i);

// Index of the stored element that op(A)(i, k) comes from, and op(A)(i, k) itself.
std::int64_t index_of(const Problem& p, std::int64_t i, std::int64_t k);
Value element(const Problem& p, const Operand& a, std::int64_t product, std::int64_t i, std::int64_t k);

}  // namespace onepass::test
