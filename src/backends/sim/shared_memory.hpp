// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The shared memory of a block: its bytes, and for each of them who wrote and read it last.
#pragma once

#include <cstdint>
#include <vector>

namespace onepass::sim {

class SharedMemory {
 public:
  void start_launch(std::size_t bytes);
  // What blocks before this interval wrote is forgotten.
  void start_block(std::uint32_t interval) { block_interval_ = interval; }

  // Each throws a Hazard.
  void get(std::int64_t offset, int bytes, int thread, std::uint32_t interval, void* to);
  void put(std::int64_t offset, int bytes, int thread, std::uint32_t interval, const void* from);
  // As a put whose data comes later: until then nobody may get it.
  void expect(std::int64_t offset, int bytes, int thread, std::uint32_t interval);

 private:
  // One byte. Within one interval between barriers, what one thread writes no other may touch.
  struct Cell {
    std::uint32_t written_in = 0, read_in = 0;
    std::int16_t writer = 0, reader = 0;
  };
  static constexpr std::int16_t several = -1;

  Cell* claim(std::int64_t offset, int bytes, int thread, std::uint32_t interval, const char* access);
  Cell* check(std::int64_t offset, int bytes, const char* access);

  std::vector<unsigned char> data_;
  std::vector<Cell> cells_;
  std::uint32_t block_interval_ = 1;
};

}  // namespace onepass::sim
