// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "reductions/random_matrix.hpp"

#include <cstring>

#include "lapack/problem.hpp"
#include "problem/names.hpp"

namespace onepass::tools {

std::vector<std::byte> random_matrix(Type type, std::int64_t rows, std::int64_t columns, bool hermitian,
                                     std::uint64_t seed) {
  const std::int64_t real = size_of_real(type), element = size_of(type);
  std::vector<std::byte> matrix(static_cast<std::size_t>(rows * columns * element));
  std::uint64_t state = 88172645463325252u ^ seed << 20;
  const auto next = [&] {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return static_cast<double>(state >> 11) * 0x1p-53 - 0.5;
  };
  const auto put = [&](std::int64_t i, std::int64_t j, std::int64_t part, double value) {
    std::byte* const at = matrix.data() + (j * rows + i) * element + part * real;
    const auto narrow = static_cast<float>(value);
    if (real == 8)
      std::memcpy(at, &value, 8);
    else
      std::memcpy(at, &narrow, 4);
  };
  const bool is_complex = element != real;
  for (std::int64_t j = 0; j < columns; ++j)
    for (std::int64_t i = hermitian ? j : 0; i < rows; ++i) {
      const double re = next(), im = is_complex && !(hermitian && i == j) ? next() : 0;
      put(i, j, 0, re);
      if (hermitian) put(j, i, 0, re);
      if (is_complex) put(i, j, 1, im);
      if (is_complex && hermitian) put(j, i, 1, -im);
    }
  return matrix;
}

}  // namespace onepass::tools
