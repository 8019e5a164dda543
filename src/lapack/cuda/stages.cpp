// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/stages.hpp"

#include <algorithm>
#include <optional>

#include "kernels/lapack/tridiagonal_shared.hpp"

namespace onepass::lapack {
namespace {

std::optional<TridiagonalStage> on_chip(Type type, int index, int n, const DeviceTraits& traits) {
  const OnChipShape& shape = on_chip_shape(type, index);
  if (n > shape.rows()) return {};
  TridiagonalStage stage = {.shape = index, .n = n, .steps = n - 1};
  // Fewer blocks meet faster; a small matrix needs no more than its columns fill.
  const int filled = (n + shape.columns_of_thread - 1) / shape.columns_of_thread;
  stage.blocks = std::min({shape.most_blocks, traits.sm_count, filled});
  const int columns = (n + stage.blocks - 1) / stage.blocks;
  stage.shared_columns = std::max(columns - shape.columns_of_thread, 0);
  stage.shared_bytes =
      kernels::tridiagonal_shared_bytes(shape.rows(), shape.columns_of_thread, stage.shared_columns,
                                        static_cast<int>(size_of(type)), static_cast<int>(size_of_real(type)));
  if (stage.shared_bytes + reserved_shared_bytes > static_cast<std::size_t>(traits.shared_bytes_per_sm)) return {};
  return stage;
}

// The smallest shape that takes a matrix.
std::optional<TridiagonalStage> on_chip(Type type, int n, const DeviceTraits& traits) {
  for (int index = 0; index < on_chip_shape_count; ++index)
    if (const auto stage = on_chip(type, index, n, traits)) return stage;
  return {};
}

}  // namespace

std::vector<TridiagonalStage> tridiagonal_stages(Type type, std::int64_t n, const DeviceTraits& traits,
                                                 std::string* why) {
  std::vector<TridiagonalStage> stages;
  const std::size_t panel_bytes =
      kernels::panel_shared_bytes(static_cast<int>(size_of(type)), static_cast<int>(size_of_real(type)));
  if (n > kernels::panel_most_rows) {
    *why = "n = " + std::to_string(n) + ": at most " + std::to_string(kernels::panel_most_rows) + " on this backend";
    return {};
  }
  int left = static_cast<int>(n);
  while (left > 0) {
    std::optional<TridiagonalStage> stage = on_chip(type, left, traits);
    if (stage) {
      // Once it fits, the rest goes on in the next smaller shape.
      const int smaller = stage->shape > 0 ? on_chip_shape(type, stage->shape - 1).rows() : 0;
      if (smaller > 0 && left > smaller) stage->steps = left - smaller;
    } else if (panel_bytes + reserved_shared_bytes <= static_cast<std::size_t>(traits.shared_bytes_per_sm)) {
      stage = {.shape = -1,
               .n = left,
               .steps = kernels::panel_columns,
               .blocks = traits.sm_count,
               .shared_bytes = panel_bytes};
    } else {
      *why = "n = " + std::to_string(n) + " does not fit on the chip, and panels need " + std::to_string(panel_bytes) +
             " bytes of shared memory for a block: this device has " + std::to_string(traits.shared_bytes_per_sm);
      return {};
    }
    left = stage->steps == left - 1 ? 0 : left - stage->steps;
    if (stage->n == 1) left = 0;
    stages.push_back(*stage);
  }
  return stages;
}

}  // namespace onepass::lapack
