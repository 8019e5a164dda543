// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How a device reduces a matrix to tridiagonal form: panels while it is large, then whole on the chip, in ever smaller
// shapes. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "plan/device_traits.hpp"
#include "problem/problem.hpp"

namespace onepass::lapack {

inline constexpr int reserved_shared_bytes = 1024;  // that CUDA takes for each block

// A compiled shape of the on-chip kernel: rows and columns of a thread, and the blocks that do best.
struct OnChipShape {
  int rows_of_thread, columns_of_thread, most_blocks;
  constexpr int rows() const { return 256 * rows_of_thread; }
};
inline constexpr OnChipShape on_chip_shapes[] = {{1, 4, 64}, {2, 4, 128}, {4, 8, 128}, {8, 8, 132}};
// Elements of 16 bytes have half as many in registers.
inline constexpr OnChipShape on_chip_shapes_z[] = {{1, 4, 64}, {2, 4, 128}, {4, 8, 128}, {5, 4, 132}};
inline constexpr int on_chip_shape_count = 4;

constexpr const OnChipShape& on_chip_shape(Type type, int index) {
  return type == Type::z ? on_chip_shapes_z[index] : on_chip_shapes[index];
}

struct TridiagonalStage {
  int shape = -1;          // of the on-chip kernel; -1: a panel and its level-3 update
  int n = 0;               // order of the matrix that is left
  int steps = 0;           // columns that are reduced
  int blocks = 0;          // on the device at once
  int shared_columns = 0;  // of a block, beside those in registers
  std::size_t shared_bytes = 0;

  bool operator==(const TridiagonalStage&) const = default;
};

// Empty for n = 0. `why` says why a device cannot.
std::vector<TridiagonalStage> tridiagonal_stages(Type type, std::int64_t n, const DeviceTraits& traits,
                                                 std::string* why);

}  // namespace onepass::lapack
