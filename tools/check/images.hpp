// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The operands of a case as bytes: values where an element lies, canaries everywhere else.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "check/case.hpp"

namespace onepass::tools {

// NaN in every type: a canary that is read by mistake shows in the result.
inline constexpr std::byte canary{0xff};
inline constexpr std::size_t guard_bytes = 256;

// One operand: where each product's begins, and how its elements lie behind that.
struct Image {
  Type type = Type::s;
  std::int64_t rows = 0, cols = 1;      // elements (r, c) of a product ...
  std::int64_t step_r = 1, step_c = 0;  // ... lie r * step_r + c * step_c past `first`
  std::int64_t first = 0;
  std::vector<std::size_t> product_bytes = {};  // offset of each product's pointer
  std::vector<std::byte> bytes = {};

  std::size_t at(std::size_t product, std::int64_t r, std::int64_t c) const {
    return product_bytes[product] + static_cast<std::size_t>((first + r * step_r + c * step_c) * size_of(type));
  }
};

struct Images {
  Image a, x, y;
};

// The same bytes for the same case, on every machine.
Images make_images(const Case& c);

}  // namespace onepass::tools
