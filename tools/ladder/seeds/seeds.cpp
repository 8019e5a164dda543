// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "ladder/seeds/seeds.hpp"

#include <algorithm>

namespace onepass::tools::ladder {
namespace {

constexpr std::int64_t pieces(std::int64_t all, std::int64_t size) { return (all + size - 1) / size; }

constexpr std::string_view space_names[][triangle_orders] = {
    {"32, 8, 64, down", "32, 8, 64, up", "32, 8, 64, rotated"},
    {"64, 4, 32, down", "64, 4, 32, up", "64, 4, 32, rotated"},
    {"64, 4, 64, down", "64, 4, 64, up", "64, 4, 64, rotated"},
    {"128, 2, 32, down", "128, 2, 32, up", "128, 2, 32, rotated"},
    {"256, 1, 16, down", "256, 1, 16, up", "256, 1, 16, rotated"},
};
static_assert(std::size(space_names) + 1 == std::size(triangle_shapes));

}  // namespace

const std::vector<Seed>& seeds() {
  static const std::vector<Seed> all = [] {
    std::vector<Seed> list = {
        {"thread per row", SeedRung::thread_per_row},
        {"several threads per row", SeedRung::threads_per_row},
        {"several rows per thread", SeedRung::rows_per_thread},
        {"block occupancy", SeedRung::block_occupancy},
        {"64 x 64 blocks", SeedRung::march},
        {"64 x 64 blocks", SeedRung::march, Routine::gemv, Op::t},
        {"temporary set", SeedRung::set, Routine::symv},
        {"atomics", SeedRung::atomics, Routine::symv},
        {"ordered ticket", SeedRung::ticket, Routine::symv},
    };
    for (int shape = 1; shape < static_cast<int>(std::size(triangle_shapes)); ++shape)
      for (int order = 0; order < triangle_orders; ++order)
        list.push_back({space_names[shape - 1][order], SeedRung::space, Routine::symv, Op::n, shape, order});
    return list;
  }();
  return all;
}

std::string_view document_of(SeedRung rung) {
  switch (rung) {
    case SeedRung::thread_per_row:
    case SeedRung::threads_per_row:
    case SeedRung::rows_per_thread: return "High-Performance Matrix-Vector Multiplication on the GPU";
    case SeedRung::block_occupancy:
    case SeedRung::ticket:
    case SeedRung::space: return "ASPEN.K2 and MUBLAS";
    case SeedRung::march: return "KBLAS GEMV";
    case SeedRung::set:
    case SeedRung::atomics: return "KBLAS SYMV";
  }
  return "";
}

std::string_view idea_of(SeedRung rung) {
  switch (rung) {
    case SeedRung::thread_per_row: return "a thread computes a row, with x in shared memory";
    case SeedRung::threads_per_row: return "a grid of two dimensions: blocks share the columns of a row, and add to y";
    case SeedRung::rows_per_thread: return "a thread has four rows, and uses each element of x four times";
    case SeedRung::block_occupancy: return "threads of a block, by how well the blocks fill the last wave";
    case SeedRung::march: return "a block marches through blocks of 64 x 64, half of one ahead in registers";
    case SeedRung::set: return "each panel stores its rows, and a second launch adds them";
    case SeedRung::atomics: return "each panel adds its rows to y, in any order";
    case SeedRung::ticket: return "panels add to a row one after the other, in a fixed order";
    case SeedRung::space: return "Tx x Ty threads, panels of U columns, the order M of their rows";
  }
  return "";
}

bool serves(const Seed& seed, const Problem& p) {
  return p.routine == seed.routine && p.op == seed.op && p.type_a == p.type_x && p.type_a == p.type_y &&
         (p.type_a == Type::s || p.type_a == Type::d) && p.uplo == Uplo::lower && p.layout == Layout::column &&
         p.lda == p.m && p.incx == 1 && p.incy == 1 && p.batch == 1 && p.accumulate == Accumulate::standard;
}

std::int64_t partial_numbers(const Seed& seed, const Problem& p) {
  if (seed.rung != SeedRung::set && seed.rung != SeedRung::ticket) return 0;
  return pieces(p.n, triangle_shapes[seed.shape].u) * p.n;
}

double block_occupancy(std::int64_t blocks, std::int64_t blocks_of_wave) {
  return static_cast<double>(blocks) / static_cast<double>(pieces(blocks, blocks_of_wave) * blocks_of_wave);
}

RowsLaunch rows_launch(SeedRung rung, std::int64_t rows, std::int64_t cols, const SeedDevice& device) {
  RowsLaunch found{.columns = cols};
  found.blocks = pieces(rows, found.lanes * (rung == SeedRung::rows_per_thread ? 4 : 1));
  if (rung == SeedRung::threads_per_row) {
    // The longest share of at most eight chunks of x that gives each SM eight blocks.
    constexpr std::int64_t most_chunks = 8;
    for (std::int64_t chunks = most_chunks; chunks >= 1; --chunks) {
      found.columns = chunks * found.lanes;
      found.splits = pieces(cols, found.columns);
      if (found.blocks * found.splits >= 8 * device.multiprocessors) break;
    }
  }
  if (rung == SeedRung::block_occupancy) {
    double best = 0;
    for (const int lanes : {32, 64, 128, 256})
      for (int groups = 256 / lanes; groups >= 1; --groups) {
        const std::int64_t blocks = pieces(rows, lanes);
        const double filled =
            block_occupancy(blocks, std::int64_t{device.multiprocessors} * device.resident_blocks(lanes * groups));
        if (filled <= best) continue;
        best = filled;
        found = {.lanes = lanes, .groups = groups, .blocks = blocks, .columns = cols};
      }
  }
  return found;
}

}  // namespace onepass::tools::ladder
