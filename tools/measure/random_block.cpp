// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/random_block.hpp"

#include "check/random_case.hpp"
#include "check/value.hpp"

namespace onepass::tools {

std::vector<std::byte> random_block(Type type) {
  constexpr std::size_t elements = 65521;  // prime
  const auto size = static_cast<std::size_t>(size_of(type));
  std::vector<std::byte> block(elements * size);
  Random random(1);
  const auto number = [&] { return (random.one_in(2) ? -0.5 : 0.5) * (1 + random.unit()); };
  for (std::size_t i = 0; i < elements; ++i) write_value(type, &block[i * size], {number(), number()});
  return block;
}

}  // namespace onepass::tools
