// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the host must know of the tridiagonalisation by one block.
#pragma once

#include <cstddef>

namespace onepass::kernels {

inline constexpr int one_block_threads = 256;
// Elements of a column that a lane has: as many as registers hold the matrix of.
constexpr int one_block_rows_of_lane(int element) { return element == 16 ? 2 : 4; }
constexpr int one_block_most_rows(int element) { return 32 * one_block_rows_of_lane(element); }
// v, w, x, p and c.
constexpr std::size_t one_block_shared_bytes(int rows_of_lane, std::size_t element) {
  return 5 * 32 * static_cast<std::size_t>(rows_of_lane) * element;
}

}  // namespace onepass::kernels
