// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How a device reduces a matrix to tridiagonal form: panels while it is large, then whole on the chip, in ever smaller
// shapes, and at last by one block. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "lapack/gpu/reductions/chip_shapes.hpp"

namespace onepass::lapack {

enum class TridiagonalKind {
  panel,  // and its level-3 update
  on_chip,
  one_block,
};

struct TridiagonalStage : ChipLaunch {
  TridiagonalKind kind = TridiagonalKind::panel;
  int n = 0;           // order of the matrix that is left
  int steps = 0;       // columns that are reduced
  bool begun = false;  // of a panel: the update before it makes its first product

  bool is_panel() const { return kind == TridiagonalKind::panel; }
  bool operator==(const TridiagonalStage&) const = default;
};

// Empty for n = 0. `why` says why a device cannot.
std::vector<TridiagonalStage> tridiagonal_stages(Type type, std::int64_t n, const DeviceTraits& traits,
                                                 std::string* why);

}  // namespace onepass::lapack
