// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The ideas that the library grew from, as rungs: where each comes from, which products it serves, and its launch.
#pragma once

#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "problem/problem.hpp"

namespace onepass::tools::ladder {

enum class SeedRung {
  thread_per_row,
  threads_per_row,
  rows_per_thread,
  block_occupancy,
  march,
  set,
  atomics,
  ticket,
  space
};

struct Seed {
  std::string_view name;
  SeedRung rung;
  Routine routine = Routine::gemv;
  Op op = Op::n;
  // Of the space of symmetric products: the place of (Tx, Ty, U) in `triangle_shapes`, and the order M.
  int shape = 0, order = 0;
};

// In one list: those of y = A x, of y = A^T x, of symmetric A; the points of the space are the last.
const std::vector<Seed>& seeds();
std::string_view document_of(SeedRung rung);
std::string_view idea_of(SeedRung rung);

// A column-major product without gaps, real, of the routine and op of the rung.
bool serves(const Seed& seed, const Problem& p);

// Threads along the rows, threads along the columns, columns of a panel. The first has the blocks of 64 x 64, by
// halves.
struct TriangleShape {
  int tx, ty, u;
};
inline constexpr TriangleShape triangle_shapes[] = {{32, 16, 64}, {32, 8, 64},  {64, 4, 32},
                                                    {64, 4, 64},  {128, 2, 32}, {256, 1, 16}};
inline constexpr int triangle_orders = 3;
// Numbers of the temporary set, or mailboxes, of the rungs that have one.
std::int64_t partial_numbers(const Seed& seed, const Problem& p);

// What a launch of a kernel with a thread per row may know of its device.
struct SeedDevice {
  int multiprocessors = 132;
  std::function<int(int threads)> resident_blocks = [](int threads) { return 2048 / threads; };  // of an SM
};

struct RowsLaunch {
  int lanes = 128, groups = 1;
  std::int64_t blocks = 1, splits = 1, columns = 0;  // columns of a split
};

// The blocks of a launch over those that its waves have room for: 1 where the last wave is as full as the others.
double block_occupancy(std::int64_t blocks, std::int64_t blocks_of_wave);
// By the rule of the rung: one, several or part of a row for a thread, or the most block occupancy.
RowsLaunch rows_launch(SeedRung rung, std::int64_t rows, std::int64_t cols, const SeedDevice& device);

}  // namespace onepass::tools::ladder
