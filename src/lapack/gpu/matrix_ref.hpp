// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A column-major matrix of the device, of elements whose type is a size here.
#pragma once

#include <cstddef>
#include <cstdint>

namespace onepass::lapack {

struct MatrixRef {
  std::byte* data;
  std::int64_t ld, element;

  void* at(std::int64_t row, std::int64_t column) const { return data + (row + column * ld) * element; }
};
inline MatrixRef matrix_ref(const void* data, std::int64_t ld, std::int64_t element) {
  return {static_cast<std::byte*>(const_cast<void*>(data)), ld, element};
}

// Columns of these lengths begin on multiples of 128 bytes or more.
constexpr std::int64_t aligned_rows(std::int64_t rows) { return (rows + 31) / 32 * 32; }

}  // namespace onepass::lapack
