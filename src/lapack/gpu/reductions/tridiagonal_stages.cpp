// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/reductions/tridiagonal_stages.hpp"

#include <algorithm>
#include <optional>

#include "kernels/lapack/reductions/tridiagonal_shared.hpp"

namespace onepass::lapack {
namespace {

std::optional<TridiagonalStage> on_chip(Type type, int n, const DeviceTraits& traits) {
  const int element = static_cast<int>(size_of(type)), real = static_cast<int>(size_of_real(type));
  const auto shapes = tridiagonal_shapes.of(type);
  const auto fit = fit_on_chip(shapes, n, traits, [&](const ChipShape& shape, int lines) {
    return kernels::tridiagonal_shared_bytes(shape.rows(), lines, shape.columns_in_registers, element, real);
  });
  if (!fit) return {};
  const int steps = std::min(steps_in_shape(shapes, fit->shape, n), n - kernels::one_block_most_rows(element));
  return TridiagonalStage{*fit, TridiagonalKind::on_chip, n, steps};
}

TridiagonalStage one_block(Type type, int n) {
  const int element = static_cast<int>(size_of(type));
  return {{.blocks = 1,
           .shared_bytes = kernels::one_block_shared_bytes(kernels::one_block_rows_of_lane(element), size_of(type))},
          TridiagonalKind::one_block,
          n,
          n - 1};
}

TridiagonalStage panel(Type type, int n, std::size_t shared_bytes, const DeviceTraits& traits) {
  const double triangle = 0.5 * n * n * static_cast<double>(size_of(type));
  return {
      {.blocks = traits.sm_count, .shared_bytes = shared_bytes, .kept_sixteenths = kept_sixteenths(triangle, traits)},
      TridiagonalKind::panel,
      n,
      kernels::panel_columns};
}

// Whether the update between two panels, which is ours, makes the first product of the second one: that saves it one
// pass in 32, and costs some microseconds.
bool begins_in_update(Type type, int n, const DeviceTraits& traits) {
  return real_type(type) == Type::d &&
         0.5 * n * n * static_cast<double>(size_of(type)) > 2.0 * static_cast<double>(traits.l2_bytes);
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
    std::optional<TridiagonalStage> stage = left <= kernels::one_block_most_rows(static_cast<int>(size_of(type)))
                                                ? one_block(type, left)
                                                : on_chip(type, left, traits);
    if (!stage && panel_bytes + reserved_shared_bytes <= static_cast<std::size_t>(traits.shared_bytes_per_sm)) {
      stage = panel(type, left, panel_bytes, traits);
      stage->begun = !stages.empty() && begins_in_update(type, left, traits);
    }
    if (!stage) {
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
