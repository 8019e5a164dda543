// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/random_block.hpp"

#include "verify/element.hpp"
#include "verify/random.hpp"

namespace onepass::tools {

std::vector<std::byte> random_block(Type type) {
  constexpr std::int64_t elements = 65521;  // prime
  std::vector<std::byte> block(static_cast<std::size_t>(elements * size_of(type)));
  verify::Random random(1);
  const auto number = [&] { return (random.one_in(2) ? -0.5 : 0.5) * (1 + random.unit()); };
  for (std::int64_t i = 0; i < elements; ++i) {
    const double first = number();
    verify::put(type, block.data(), i, verify::random_element(type, first, number()));
  }
  return block;
}

}  // namespace onepass::tools
