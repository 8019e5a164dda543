// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "problem/names.hpp"
#include "verify/bound.hpp"

namespace onepass::tools {

std::string why_different(const Problem& p, std::span<const std::byte> y, std::span<const std::byte> expected,
                          const std::string& what) {
  constexpr std::int64_t most = 1 << 16;  // elements that are looked at; more would take longer than the launch
  const std::int64_t length = p.batch * length_y(p), step = std::max<std::int64_t>(length / most, 1);
  for (std::int64_t i = length - 1; i >= 0; i -= step) {
    const auto got = verify::get(p.type_y, y.data(), i), wanted = verify::get(p.type_y, expected.data(), i);
    if (std::abs(verify::difference(p.type_y, got, wanted)) <= verify::likely_error_bound(p, std::abs(wanted)))
      continue;
    return fmt::format("{}: {}: y[{}] is {:.9g}, not {:.9g}", describe(p), what, i, got.real(), wanted.real());
  }
  return "";
}

}  // namespace onepass::tools
