// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Matrices of small integers, whose sums are exact whatever their order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "lapack/element.hpp"

namespace onepass::test {

// Its columns have gaps of three elements.
template <class T>
struct Integers {
  std::int64_t ld;
  std::vector<T> data;

  Integers(std::int64_t rows, std::int64_t columns, int seed)
      : ld(rows + 3), data(static_cast<std::size_t>(ld * columns)) {
    for (std::size_t i = 0; i < data.size(); ++i) {
      const auto number = [&](std::size_t more) {
        return static_cast<lapack::Real<T>>(static_cast<int>((i * 7 + more + static_cast<std::size_t>(seed)) % 9) - 4);
      };
      if constexpr (lapack::is_complex<T>)
        data[i] = {number(0), number(5)};
      else
        data[i] = number(0);
    }
  }
  lapack::Matrix<T> matrix() { return {data.data(), ld}; }
};

}  // namespace onepass::test
