// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "measure/agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check/value.hpp"
#include "problem/names.hpp"

namespace onepass::tools {
namespace {

// Terms are at most 1 in size (2 if complex) and of either sign, so that partial sums of n of them grow as sqrt(n), and
// n roundings of those as sqrt(n) again: eps n, on each side. Eight times that is never reached by chance, and is less
// than one term as long as n < 1 / (16 eps).
double allowed(const Problem& p, double size) {
  const double terms = static_cast<double>(length_x(p)) * (is_complex_type(p.type_a) ? 4 : 1);
  return 8 * epsilon(sum_type(p.type_a)) * (terms + 8) + 2 * epsilon(p.type_y) * size;
}

}  // namespace

std::string why_different(const Problem& p, std::span<const std::byte> y, std::span<const std::byte> expected,
                          const std::string& what) {
  constexpr std::int64_t most = 1 << 16;  // elements that are looked at; more would take longer than the launch
  const std::int64_t length = length_y(p), step = std::max<std::int64_t>(length / most, 1);
  const auto size = static_cast<std::size_t>(size_of(p.type_y));
  for (std::int64_t i = length - 1; i >= 0; i -= step) {
    const auto at = static_cast<std::size_t>(i) * size;
    const auto got = read_value(p.type_y, &y[at]), wanted = read_value(p.type_y, &expected[at]);
    if (std::abs(got - wanted) <= allowed(p, std::abs(wanted))) continue;
    return fmt::format("{}: {}: y[{}] is {:.9g}, not {:.9g}", describe(p), what, i, got.real(), wanted.real());
  }
  return "";
}

}  // namespace onepass::tools
