// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The compiled shapes of the kernels that keep a matrix on the chip, and which of them takes a matrix. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>

#include "kernels/lapack/reductions/chip_shared.hpp"
#include "plan/device_traits.hpp"
#include "problem/problem.hpp"

namespace onepass::lapack {

// Elements of a line that a thread holds, lines of a block that are in registers, and the blocks that do best.
struct ChipShape {
  int rows_of_thread, columns_in_registers, rows_in_registers, most_blocks;
  constexpr int rows() const { return kernels::chip_threads * rows_of_thread; }
};

// Those of a routine, the smallest first, and those for elements of 16 bytes, of which registers hold half as many.
struct ChipShapes {
  static constexpr int count = 4;
  ChipShape all[count], of_16_bytes[count];

  constexpr std::span<const ChipShape, count> of(int element) const { return element == 16 ? of_16_bytes : all; }
  constexpr std::span<const ChipShape, count> of(Type type) const { return of(static_cast<int>(size_of(type))); }
};
// The matrix once, by columns.
inline constexpr ChipShapes tridiagonal_shapes = {{{1, 4, 0, 64}, {2, 4, 0, 128}, {4, 8, 0, 128}, {8, 8, 0, 132}},
                                                  {{1, 4, 0, 64}, {2, 4, 0, 128}, {4, 8, 0, 128}, {6, 6, 0, 132}}};
// Twice, by columns and by rows.
inline constexpr ChipShapes bidiagonal_shapes = {{{1, 4, 4, 64}, {2, 4, 4, 128}, {4, 8, 8, 128}, {6, 8, 4, 132}},
                                                 {{1, 4, 4, 64}, {2, 4, 4, 128}, {3, 8, 0, 128}, {4, 8, 0, 128}}};
inline constexpr ChipShapes hessenberg_shapes = {{{1, 4, 4, 64}, {2, 4, 4, 128}, {4, 8, 8, 128}, {6, 8, 4, 132}},
                                                 {{1, 4, 4, 64}, {2, 4, 4, 128}, {3, 8, 0, 128}, {4, 8, 0, 128}}};

inline constexpr int all_that_fit = kernels::chip_threads * 64;

struct ChipLaunch {
  int shape = -1;  // -1: not on the chip
  int blocks = 0;  // on the device at once
  int lines = 0;   // columns, or rows, of a block, at most
  std::size_t shared_bytes = 0;
  int kept_sixteenths = 0;  // of what a panel streams, in the L2

  bool operator==(const ChipLaunch&) const = default;
};

// The smallest shape that takes `rows` rows and no more columns. `bytes(shape, lines)`: shared memory of a block.
template <class Bytes>
std::optional<ChipLaunch> fit_on_chip(std::span<const ChipShape> shapes, int rows, const DeviceTraits& traits,
                                      Bytes bytes) {
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    const ChipShape& shape = shapes[i];
    if (rows > shape.rows()) continue;
    // Fewer blocks meet faster; a small matrix needs no more than its lines fill.
    const int filled = (rows + shape.columns_in_registers - 1) / shape.columns_in_registers;
    ChipLaunch launch = {.shape = static_cast<int>(i)};
    launch.blocks = std::min({shape.most_blocks, traits.sm_count, filled});
    launch.lines = (rows + launch.blocks - 1) / launch.blocks;
    launch.shared_bytes = bytes(shape, launch.lines);
    if (launch.lines <= kernels::chip_threads / 2 &&
        launch.shared_bytes + reserved_shared_bytes <= static_cast<std::size_t>(traits.shared_bytes_per_sm))
      return launch;
  }
  return {};
}

// Of a stream that is read once for each column of a panel, the part that half of the L2 holds.
inline int kept_sixteenths(double bytes, const DeviceTraits& traits) {
  return static_cast<int>(std::min(16.0, 8 * static_cast<double>(traits.l2_bytes) / bytes));
}

// Columns that are reduced in this shape, if what is left then fits into the next smaller one.
constexpr int steps_in_shape(std::span<const ChipShape> shapes, int shape, int rows) {
  const int smaller = shape > 0 ? shapes[static_cast<std::size_t>(shape) - 1].rows() : 0;
  return smaller > 0 && rows > smaller ? rows - smaller : rows;
}

}  // namespace onepass::lapack
