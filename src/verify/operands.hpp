// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The operands of a case laid out on the host: poison wherever no element belongs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "verify/case.hpp"
#include "verify/element.hpp"
#include "verify/output.hpp"

namespace onepass::verify {

// One operand of all products of the batch: the bytes, and where each product's share begins.
struct Operand {
  Type type = Type::s;
  std::vector<std::byte> bytes;
  std::vector<std::int64_t> start;  // in elements; start[0] is where a strided pointer points

  Value at(std::int64_t product, std::int64_t index) const { return get(type, bytes.data(), place(product, index)); }
  void set(std::int64_t product, std::int64_t index, Value value) {
    put(type, bytes.data(), place(product, index), value);
  }
  // Within all of the operand, of an element of a product.
  std::int64_t place(std::int64_t product, std::int64_t index) const {
    return start[static_cast<std::size_t>(product)] + index;
  }
};

struct HostOperands {
  Operand a, x, y;
  Operand x_tail = {}, y_tail = {};  // empty where the problem has none

  Operand& output(const Problem& p) { return writes_a(p) ? a : y; }
  const Operand& output(const Problem& p) const { return writes_a(p) ? a : y; }
};

// The same bytes for the same case, on every machine. With alpha = 0 what is only read stays poison.
HostOperands lay_out(const Case& c);

// Poison in all that a call only reads.
void poison_inputs(const Problem& p, HostOperands& operands);

// op(A)(i, k).
Value element(const Problem& p, const Operand& a, std::int64_t product, std::int64_t i, std::int64_t k);

}  // namespace onepass::verify
