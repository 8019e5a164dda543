// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Random problems: seed and index -> one case, the same on every machine.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "check/case.hpp"

namespace onepass::tools {

// SplitMix64: the same numbers everywhere, which <random>'s distributions do not promise.
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t bits();
  std::int64_t below(std::int64_t count) {
    return static_cast<std::int64_t>(bits() % static_cast<std::uint64_t>(count));
  }
  bool one_in(std::int64_t count) { return below(count) == 0; }
  double unit() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  double symmetric() { return unit() * 2 - 1; }                          // [-1, 1)

 private:
  std::uint64_t state_;
};

struct CaseLimits {
  std::vector<Routine> routines;
  std::vector<std::string> types;
  std::int64_t max_size = 0;  // of a square matrix; longer ones are as much thinner
};

// Empty, or the routine that none of the types can have.
std::string why_impossible(const CaseLimits& limits);

Case random_case(std::uint64_t seed, std::uint64_t index, const CaseLimits& limits);

}  // namespace onepass::tools
