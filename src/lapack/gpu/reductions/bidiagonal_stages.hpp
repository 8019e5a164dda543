// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How a device reduces a matrix with at least as many rows as columns to bidiagonal form: panels while it is large,
// then whole on the chip, in ever smaller shapes. Pure.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/lapack/reductions/stream_shared.hpp"
#include "lapack/gpu/reductions/chip_shapes.hpp"

namespace onepass::lapack {

// On the chip, or a panel and its level-3 update.
struct BidiagonalStage : ChipLaunch {
  int m = 0, n = 0;  // of the matrix that is left
  int columns = 0;   // that are reduced, with as many rows
  int vectors = 0;   // of a thread in a column of a panel
  int parts = 1;     // of a column of a panel: so many blocks are a cluster

  bool is_panel() const { return shape < 0; }
  // Whether there is a rest, which a panel's level-3 update changes.
  bool has_rest() const { return columns < n; }
  bool operator==(const BidiagonalStage&) const = default;
};

// What blocks, or teams of them, publish is loaded 32 at a time: few beyond a multiple of 32 cost more than they do (z
// 4096: 70.3 us a column on 132 SMs, 69.8 on 128; z 8192, in two parts: 262 and 259).
constexpr int without_few_beyond_32(int count) {
  const int beyond = count % 32;
  return beyond <= count / 32 ? count - beyond : count;
}
// Fewer blocks meet faster: one for four rows, as long as that is less than one on each SM.
constexpr int bidiagonal_blocks(int m, int sm_count) { return without_few_beyond_32(std::min((m + 3) / 4, sm_count)); }
// Of columns in parts. Clusters lie within groups of SMs, which pairs fill; fours do not, and how large the groups are
// differs from device to device.
inline int clustered_blocks(int parts, const DeviceTraits& traits) {
  if (parts == 2) return without_few_beyond_32(traits.sm_count / parts) * parts;
  return parts * (traits.clusters_of_four > 0 ? traits.clusters_of_four : traits.sm_count * 3 / 4 / parts);
}

// Panels of long columns may have fewer blocks than later ones.
template <class Stage>
int most_blocks_of_panels(const std::vector<Stage>& stages) {
  int most = 0;
  for (const Stage& stage : stages)
    if (stage.is_panel()) most = std::max(most, stage.blocks);
  return most;
}

// Rows of the longest column that a cluster can hold.
constexpr std::int64_t bidiagonal_most_rows(Type type) {
  return std::int64_t{kernels::stream_most_parts} *
         kernels::stream_rows(kernels::stream_vectors, static_cast<int>(size_of(type)));
}

// Streams of columns that are no multiple of so many bytes apart are slower than a copy of the matrix.
inline constexpr int stream_alignment = 128;

// m >= n; empty for n = 0. `aligned`: the matrix begins on 16 bytes. `why` says why a device cannot.
std::vector<BidiagonalStage> bidiagonal_stages(Type type, std::int64_t m, std::int64_t n, bool aligned,
                                               const DeviceTraits& traits, std::string* why,
                                               int most_on_chip = all_that_fit);

}  // namespace onepass::lapack
