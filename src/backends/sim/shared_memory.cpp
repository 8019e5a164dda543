// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/shared_memory.hpp"

#include <cstring>
#include <string>

#include "backends/sim/hazard.hpp"

namespace onepass::sim {
namespace {

std::string place(const char* access, std::int64_t offset, int bytes) {
  return std::string(access) + " of " + std::to_string(bytes) + " bytes at shared + " + std::to_string(offset);
}

[[noreturn]] void fail_race(const char* access, std::int64_t offset, int bytes, const char* earlier, int thread) {
  const std::string who = thread < 0 ? "several threads" : "thread " + std::to_string(thread);
  throw Hazard{HazardKind::shared_race,
               place(access, offset, bytes) + ", " + earlier + " by " + who + " with no barrier between"};
}

}  // namespace

void SharedMemory::start_launch(std::size_t bytes) {
  data_.assign(bytes, 0);
  cells_.assign(bytes, {});
}

SharedMemory::Cell* SharedMemory::check(std::int64_t offset, int bytes, const char* access) {
  if (offset < 0 || offset + bytes > static_cast<std::int64_t>(cells_.size()))
    throw Hazard{HazardKind::shared_out_of_bounds,
                 place(access, offset, bytes) + ", of " + std::to_string(cells_.size())};
  if (offset % bytes != 0)
    throw Hazard{HazardKind::misaligned, place(access, offset, bytes) + " is not a multiple of its size"};
  return cells_.data() + offset;
}

void SharedMemory::get(std::int64_t offset, int bytes, int thread, std::uint32_t interval, void* to) {
  Cell* cells = check(offset, bytes, "get");
  for (Cell* cell = cells; cell < cells + bytes; ++cell) {
    if (cell->written_in < block_interval_) throw Hazard{HazardKind::unwritten_shared, place("get", offset, bytes)};
    if (cell->written_in == interval && cell->writer != thread)
      fail_race("get", offset, bytes, "written", cell->writer);
    cell->reader = cell->read_in == interval && cell->reader != thread ? several : static_cast<std::int16_t>(thread);
    cell->read_in = interval;
  }
  std::memcpy(to, data_.data() + offset, static_cast<std::size_t>(bytes));
}

// The bytes, if this thread may write them.
SharedMemory::Cell* SharedMemory::claim(std::int64_t offset, int bytes, int thread, std::uint32_t interval,
                                        const char* access) {
  Cell* cells = check(offset, bytes, access);
  for (Cell* cell = cells; cell < cells + bytes; ++cell) {
    if (cell->written_in == interval && cell->writer != thread)
      fail_race(access, offset, bytes, "written", cell->writer);
    if (cell->read_in == interval && cell->reader != thread) fail_race(access, offset, bytes, "read", cell->reader);
  }
  return cells;
}

void SharedMemory::put(std::int64_t offset, int bytes, int thread, std::uint32_t interval, const void* from) {
  Cell* cells = claim(offset, bytes, thread, interval, "put");
  for (Cell* cell = cells; cell < cells + bytes; ++cell) {
    cell->written_in = interval;
    cell->writer = static_cast<std::int16_t>(thread);
  }
  std::memcpy(data_.data() + offset, from, static_cast<std::size_t>(bytes));
}

void SharedMemory::expect(std::int64_t offset, int bytes, int thread, std::uint32_t interval) {
  Cell* cells = claim(offset, bytes, thread, interval, "copy");
  for (Cell* cell = cells; cell < cells + bytes; ++cell) cell->written_in = 0;
}

}  // namespace onepass::sim
