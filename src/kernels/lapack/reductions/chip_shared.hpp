// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The shared memory of the kernels that keep a matrix on the chip: what the host must know of them.
#pragma once

#include <cstddef>

namespace onepass::kernels {

inline constexpr int chip_threads = 256;

// Elements for the lines of a block, of which `in_registers` take none: of each the parts of the warps and one element.
constexpr int chip_lines_elements(int rows, int lines, int in_registers) {
  return (chip_threads / 32 + 1) * lines + (lines > in_registers ? lines - in_registers : 0) * rows;
}
// `sums` over a block at a time, twice.
constexpr std::size_t chip_bytes(int elements, int sums, int element, int real) {
  return static_cast<std::size_t>(elements) * static_cast<std::size_t>(element) +
         static_cast<std::size_t>(2 * sums * (chip_threads / 32)) * static_cast<std::size_t>(real);
}

// v, w and x; columns.
constexpr std::size_t tridiagonal_shared_bytes(int rows, int lines, int in_registers, int element, int real) {
  return chip_bytes(3 * rows + chip_lines_elements(rows, lines, in_registers), 4, element, real);
}
// u, y, z and x, and z of the block's rows; columns; rows.
constexpr std::size_t hessenberg_chip_bytes(int rows, int lines, int columns_in_registers, int rows_in_registers,
                                            int element, int real) {
  return chip_bytes(4 * rows + lines + chip_lines_elements(rows, lines, columns_in_registers) +
                        chip_lines_elements(rows, lines, rows_in_registers),
                    8, element, real);
}
// u and v, of this step and the one before, x and y; columns; rows.
constexpr std::size_t bidiagonal_chip_bytes(int rows, int lines, int columns_in_registers, int rows_in_registers,
                                            int element, int real) {
  return chip_bytes(6 * rows + chip_lines_elements(rows, lines, columns_in_registers) +
                        chip_lines_elements(rows, lines, rows_in_registers),
                    1, element, real);
}

}  // namespace onepass::kernels
