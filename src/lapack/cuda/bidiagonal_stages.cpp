// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "lapack/cuda/bidiagonal_stages.hpp"

#include "lapack/cuda/stages.hpp"

namespace onepass::lapack {

std::vector<BidiagonalStage> bidiagonal_stages(Type type, std::int64_t m, std::int64_t n, const DeviceTraits& traits,
                                               std::string* why) {
  const int element = static_cast<int>(size_of(type));
  const std::size_t shared_bytes = kernels::stream_shared_bytes(element, static_cast<int>(size_of_real(type)));
  if (n == 0) return {};
  if (kernels::stream_vectors_of_column(m, element) == 0) {
    *why = "a matrix with " + std::to_string(m) + " rows or columns: at most " +
           std::to_string(bidiagonal_most_rows(type)) + " of this type on the cuda backend";
    return {};
  }
  if (shared_bytes + reserved_shared_bytes > static_cast<std::size_t>(traits.shared_bytes_per_sm)) {
    *why = "panels need " + std::to_string(shared_bytes) + " bytes of shared memory for a block: this device has " +
           std::to_string(traits.shared_bytes_per_sm);
    return {};
  }
  std::vector<BidiagonalStage> stages;
  int rows = static_cast<int>(m), columns = static_cast<int>(n);
  while (columns > 0) {
    const BidiagonalStage stage = {.m = rows,
                                   .n = columns,
                                   .columns = std::min(columns, kernels::stream_columns),
                                   .vectors = kernels::stream_vectors_of_column(rows, element),
                                   .blocks = bidiagonal_blocks(rows, traits.sm_count)};
    rows -= stage.columns;
    columns -= stage.columns;
    stages.push_back(stage);
  }
  return stages;
}

}  // namespace onepass::lapack
