// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/gpu/reductions/bidiagonal_stages.hpp"

#include <limits>

namespace onepass::lapack {

namespace {

std::optional<BidiagonalStage> on_chip(Type type, int m, int n, const DeviceTraits& traits) {
  const int element = static_cast<int>(size_of(type)), real = static_cast<int>(size_of_real(type));
  const auto shapes = bidiagonal_shapes.of(type);
  const auto fit = fit_on_chip(shapes, m, traits, [&](const ChipShape& shape, int lines) {
    return kernels::bidiagonal_chip_bytes(shape.rows(), lines, shape.columns_in_registers, shape.rows_in_registers,
                                          element, real);
  });
  if (!fit) return {};
  return BidiagonalStage{*fit, m, n, std::min(steps_in_shape(shapes, fit->shape, m), n)};
}

std::optional<BidiagonalStage> panel(Type type, int m, int n, bool aligned, const DeviceTraits& traits,
                                     std::string* why) {
  const int element = static_cast<int>(size_of(type));
  const kernels::StreamShape shape = kernels::stream_shape(m, element, aligned, true);
  const std::size_t bytes = kernels::stream_shared_bytes(element, static_cast<int>(size_of_real(type)));
  if (shape.parts == 0) {
    *why = "a matrix with " + std::to_string(m) + " rows or columns: at most " +
           std::to_string(bidiagonal_most_rows(type)) + " of this type on the cuda backend";
    return {};
  }
  if (bytes + reserved_shared_bytes > static_cast<std::size_t>(traits.shared_bytes_per_sm)) {
    *why = "panels need " + std::to_string(bytes) + " bytes of shared memory for a block: this device has " +
           std::to_string(traits.shared_bytes_per_sm);
    return {};
  }
  // Of a larger stream the passes to and fro find as much in the L2, and keeping a part of it costs 2 to 5 %.
  const int kept = kept_sixteenths(1.0 * m * n * element, traits);
  const int blocks = shape.parts == 1 ? bidiagonal_blocks(m, traits.sm_count) : clustered_blocks(shape.parts, traits);
  return BidiagonalStage{{.blocks = blocks, .shared_bytes = bytes, .kept_sixteenths = kept < 3 ? 0 : kept},
                         m,
                         n,
                         std::min(n, kernels::stream_columns),
                         shape.vectors,
                         shape.parts};
}

}  // namespace

std::vector<BidiagonalStage> bidiagonal_stages(Type type, std::int64_t m, std::int64_t n, bool aligned,
                                               const DeviceTraits& traits, std::string* why, int most_on_chip) {
  std::vector<BidiagonalStage> stages;
  if (n == 0) return stages;
  if (m > std::numeric_limits<int>::max()) m = std::numeric_limits<int>::max();  // which is too large, too
  for (int rows = static_cast<int>(m), columns = static_cast<int>(n); columns > 0;) {
    std::optional<BidiagonalStage> stage;
    if (rows <= most_on_chip) stage = on_chip(type, rows, columns, traits);
    if (!stage) stage = panel(type, rows, columns, aligned, traits, why);
    if (!stage) return {};
    rows -= stage->columns;
    columns -= stage->columns;
    stages.push_back(*stage);
  }
  return stages;
}

}  // namespace onepass::lapack
