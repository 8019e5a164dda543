// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a SYMV launch whose columns come through a ring (kernels/blocks/column_ring.hpp): strips along
// lines of memory, whatever the leading dimension. It chooses nothing.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/blocks/strips.hpp"
#include "kernels/symv_args.hpp"

namespace onepass {

struct SymvRingShape {
  int threads = 256, blocks = 264;            // those that multiply, at most
  int gathered = 256, gathered_of_two = 128;  // outputs of a block that gathers
  int rows = 16;                              // of a lane
  int tile = 0;                               // rows of a strip, or 0: of equal height, as high as they can be
  bool by_bytes = true;                       // shares
  int run = 128;                              // bytes of the aligned runs that strips begin with: a line, or less
  std::size_t shared_limit = std::size_t{112} << 10;
};

struct SymvRingLaunch {
  kernels::SymvArgs args;
  int blocks = 0;              // of the grid
  std::int64_t mailboxes = 0;  // of the workspace
};

// Units of a block whose sums of columns wait at a time: of strips that it keeps the sums of, and of the one behind
// them. Shares by bytes are rounded on the device, so that one of them may have a unit more.
inline int most_units_held(const kernels::SymvArgs& args) {
  const int margin = args.light + args.light_of_longest > 0 ? 2 : 0;
  int index = args.strips - 1, listed = kernels::Strip(args, index).listed(args), most = 0;
  for (int block = 0; block < args.splits; ++block)
    for (int mine = static_cast<int>(args.chunk), held = 0, segments = 0; mine > 0 && index >= 0;) {
      const kernels::Strip strip(args, index);
      const int taken = std::min(mine, listed);
      held += strip.units_left(args, listed) - strip.units_left(args, listed - taken) + margin;
      most = std::max(most, held);
      mine -= taken;
      listed -= taken;
      if (listed > 0) break;
      if (--index >= 0) listed = kernels::Strip(args, index).listed(args);
      if (segments++ == kernels::symv_kept) held = segments = 0;
    }
  return most;
}

// args: those of the product, with rows, lda and `upper`. size: bytes of an element, and of a sum. aligned: all columns
// begin with a run. fits(args): bytes of shared memory.
template <class Shared>
SymvRingLaunch shape_ring(kernels::SymvArgs args, int size, bool aligned, const SymvRingShape& shape, Shared fits) {
  const auto up = [](int v, int unit) { return (v + unit - 1) / unit * unit; };
  const int n = static_cast<int>(args.rows), line = shape.run / size, warps = shape.threads / kernels::symv_lanes;
  const int most = shape.rows * kernels::symv_lanes - (aligned ? 0 : line), unit = line > warps ? line : warps;
  args.above = aligned ? 0 : line - 1;
  args.align_mask = line - 1;
  args.lead = args.upper ? up(args.above, warps) : 0;
  // Strips of equal height.
  const int rows = n + args.above, wished = (rows + most / unit * unit - 1) / (most / unit * unit);
  args.tile = shape.tile > 0 ? shape.tile : up((rows + wished - 1) / wished, unit);
  args.tile = std::max(args.tile, up(kernels::symv_lanes * (shape.rows - kernels::symv_ring_loose), unit));
  args.strips = (rows + args.tile - 1) / args.tile;
  args.panels = 1;
  args.panel_rows = args.tile;
  args.log2_lanes = 5;
  args.log2_groups = std::countr_zero(static_cast<unsigned>(warps));
  const int all = (n + args.lead + warps - 1) / warps, strips = args.strips;
  args.tile_units = args.tile / warps;
  const int least = args.upper ? all - (strips - 1) * args.tile_units : args.tile_units;
  args.most_units = args.upper ? (strips - 1) * args.tile_units + least : all;
  args.least_units = strips == 1 ? args.most_units : least;
  if (shape.by_bytes && strips > 1) {
    const auto light = [&](int near) {
      const double j = near;
      return near - static_cast<int>(std::ceil(j / 4 + 0.75 * j * j / (2.0 * args.tile_units)));
    };
    args.near = std::min(args.tile_units, args.least_units);
    args.near_of_longest = args.upper ? args.near : args.most_units - (strips - 1) * args.tile_units;
    if (args.near_of_longest < 0) args.near_of_longest = 0;
    args.light = light(args.near);
    args.light_of_longest = light(args.near_of_longest);
  }
  args.units = (strips - 1) * (strips - 2) / 2 * args.tile_units + (strips - 1) * (args.least_units - args.light) +
               args.most_units - args.light_of_longest;
  args.chunk = (args.units + shape.blocks - 1) / shape.blocks;
  args.splits = static_cast<int>((args.units + args.chunk - 1) / args.chunk);
  args.log2_gathered = std::countr_zero(static_cast<unsigned>(shape.gathered));
  args.log2_gathered_of_two = std::countr_zero(static_cast<unsigned>(shape.gathered_of_two));
  const bool alone = strips == 1 && args.splits == 1;
  const int columns = most_units_held(args);
  args.held =
      up(columns * warps, 4) + (alone ? 0 : kernels::symv_kept * kernels::symv_kept_rows(args.tile, args.above));
  if (!alone && fits(args) > shape.shared_limit) args.held = 0;
  SymvRingLaunch launch;
  if (!alone)
    launch.mailboxes = std::int64_t{strips} * (strips + 1) / 2 * args.tile + std::int64_t{strips} * args.lead +
                       std::int64_t{args.splits + strips - 1} * (args.tile + args.above);
  args.mailboxes_per_product = launch.mailboxes;
  const int of_two = (strips - 1) * args.above;
  launch.blocks = args.splits;
  if (!alone)
    launch.blocks +=
        (n + shape.gathered - 1) / shape.gathered + (of_two + shape.gathered_of_two - 1) / shape.gathered_of_two;
  launch.args = args;
  return launch;
}

// What the block with the most to do takes, in bytes: those of its columns, 256 more for each, and 16 KB for a strip
// that it leaves for the next one.
inline double longest_share(const kernels::SymvArgs& args, int size) {
  const int n = static_cast<int>(args.rows), warps = 1 << args.log2_groups;
  int index = args.strips - 1, listed = kernels::Strip(args, index).listed(args);
  double most = 0;
  for (int block = 0; block < args.splits; ++block) {
    double share = 0;
    for (int mine = static_cast<int>(args.chunk); mine > 0 && index >= 0;) {
      const kernels::Strip strip(args, index);
      const int taken = std::min(mine, listed), rows = std::min(args.tile, n - strip.row0);
      const int first = strip.units_left(args, listed), end = strip.units_left(args, listed - taken);
      for (int unit = end; unit < first; ++unit) {
        const int near = unit - (strip.units - args.tile_units);  // of the units on the diagonal
        const double part = near < 0 ? 1 : 1 - (near + 0.5) / args.tile_units;
        share += warps * (256.0 + size * part * std::max(rows, 0));
      }
      mine -= taken;
      listed -= taken;
      if (listed > 0) break;
      if (--index >= 0) listed = kernels::Strip(args, index).listed(args);
      if (mine > 0) share += 16384;
    }
    most = std::max(most, share);
  }
  return most;
}

// The heights of strips, and shares by units or by bytes, with which the last block is done first.
template <class Shared>
SymvRingLaunch shape_best_ring(const kernels::SymvArgs& args, int size, bool aligned, SymvRingShape shape,
                               Shared fits) {
  const int line = shape.run / size, unit = std::max(line, shape.threads / kernels::symv_lanes);
  const int most = (shape.rows * kernels::symv_lanes - (aligned ? 0 : line)) / unit * unit;
  SymvRingLaunch best;
  double least = 0;
  const int lowest = kernels::symv_lanes * (shape.rows - kernels::symv_ring_loose);
  for (int tile = most; tile >= std::max(lowest, most * 3 / 4); tile -= unit)
    for (const bool by_bytes : {false, true}) {
      shape.tile = tile;
      shape.by_bytes = by_bytes;
      const SymvRingLaunch launch = shape_ring(args, size, aligned, shape, fits);
      // A sum of a column travels for each strip: three times its bytes.
      const double time = longest_share(launch.args, size) * (1 + 3.0 / tile);
      if (best.blocks > 0 && time >= least) continue;
      best = launch;
      least = time;
    }
  return best;
}

}  // namespace onepass
