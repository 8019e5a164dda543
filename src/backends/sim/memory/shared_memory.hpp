// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The shared memory of a block: its bytes, and who wrote and read them last.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace onepass::sim {

// A thread, and how often it has met the others of its block and those of its warp.
struct SharedUser {
  int thread = 0;
  std::uint32_t interval = 0, warp_barriers = 0;
};

class SharedMemory {
 public:
  void start_launch(std::size_t bytes);
  // What blocks before this interval wrote is forgotten.
  void start_block(std::uint32_t interval) { block_interval_ = interval; }

  // Each throws a Hazard. `bytes` is a power of two.
  void get(std::int64_t offset, int bytes, const SharedUser& user, void* to);
  void put(std::int64_t offset, int bytes, const SharedUser& user, const void* from);
  // As a put whose data comes later: until then nobody may get it.
  void expect(std::int64_t offset, int bytes, const SharedUser& user);

 private:
  // As many aligned bytes as the smallest access of the launch so far, so that an access is of whole cells.
  // Within one interval between barriers, what one thread writes no other may touch, but lanes of its warp behind a
  // barrier of the warp.
  struct Cell {
    std::uint32_t written_in = 0, read_in = 0;
    std::uint32_t written_after = 0, read_after = 0;  // barriers of the warp
    std::int16_t writer = 0, reader = 0;
  };
  static constexpr std::int16_t several = -1;  // and several - 1 - w where they are all of warp w

  static int warp_of(int user);
  static bool is_apart(int others, std::uint32_t after, const SharedUser& user);
  std::span<Cell> claim(std::int64_t offset, int bytes, const SharedUser& user, const char* access);
  std::span<Cell> check(std::int64_t offset, int bytes, const char* access);
  void split_cells(int log2_bytes);

  std::vector<unsigned char> data_;
  std::vector<Cell> cells_;
  int log2_cell_ = 0;
  std::uint32_t block_interval_ = 1;
};

}  // namespace onepass::sim
