// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/memory/shared_memory.hpp"

#include <bit>
#include <cstring>
#include <string>
#include <utility>

#include "backends/sim/memory/hazard.hpp"

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
  constexpr std::size_t largest_access = 16;
  data_.assign(bytes, 0);
  log2_cell_ = std::countr_zero(largest_access);
  cells_.assign((bytes + largest_access - 1) / largest_access, {});
}

// Into cells of fewer bytes, each of which has the past of the one that it was a part of.
void SharedMemory::split_cells(int log2_bytes) {
  const int log2_parts = log2_cell_ - log2_bytes;
  std::vector<Cell> split(cells_.size() << log2_parts);
  for (std::size_t i = 0; i < split.size(); ++i) split[i] = cells_[i >> log2_parts];
  cells_ = std::move(split);
  log2_cell_ = log2_bytes;
}

// The cells of an access that is in bounds and aligned. Accesses are powers of two: shifts, since a division takes as
// long as all the rest.
std::span<SharedMemory::Cell> SharedMemory::check(std::int64_t offset, int bytes, const char* access) {
  if (offset < 0 || offset + bytes > static_cast<std::int64_t>(data_.size()))
    throw Hazard{HazardKind::shared_out_of_bounds,
                 place(access, offset, bytes) + ", of " + std::to_string(data_.size())};
  const int log2_bytes = std::countr_zero(static_cast<unsigned>(bytes));
  if ((offset & (bytes - 1)) != 0)
    throw Hazard{HazardKind::misaligned, place(access, offset, bytes) + " is not a multiple of its size"};
  if (log2_bytes < log2_cell_) split_cells(log2_bytes);
  return {cells_.data() + (offset >> log2_cell_), std::size_t{1} << (log2_bytes - log2_cell_)};
}

// The warp of a thread, or of several; no warp where these are of more than one.
int SharedMemory::warp_of(int user) {
  constexpr int lanes = 32;
  return user >= 0 ? user / lanes : several - 1 - user;
}

// Whether a barrier lies between what others did and what this thread does, in the same interval.
bool SharedMemory::is_apart(int others, std::uint32_t after, const SharedUser& user) {
  return others == user.thread || (warp_of(others) == warp_of(user.thread) && after < user.warp_barriers);
}

void SharedMemory::get(std::int64_t offset, int bytes, const SharedUser& user, void* to) {
  for (Cell& cell : check(offset, bytes, "get")) {
    if (cell.written_in < block_interval_) throw Hazard{HazardKind::unwritten_shared, place("get", offset, bytes)};
    if (cell.written_in == user.interval && !is_apart(cell.writer, cell.written_after, user))
      fail_race("get", offset, bytes, "written", cell.writer);
    const bool with_others = cell.read_in == user.interval && !is_apart(cell.reader, cell.read_after, user);
    const bool in_warp = warp_of(cell.reader) == warp_of(user.thread);
    cell.reader = static_cast<std::int16_t>(!with_others ? user.thread
                                            : in_warp    ? several - 1 - warp_of(user.thread)
                                                         : several);
    cell.read_in = user.interval;
    cell.read_after = user.warp_barriers;
  }
  std::memcpy(to, data_.data() + offset, static_cast<std::size_t>(bytes));
}

// The cells, if this thread may write them.
std::span<SharedMemory::Cell> SharedMemory::claim(std::int64_t offset, int bytes, const SharedUser& user,
                                                  const char* access) {
  const std::span<Cell> cells = check(offset, bytes, access);
  for (const Cell& cell : cells) {
    if (cell.written_in == user.interval && !is_apart(cell.writer, cell.written_after, user))
      fail_race(access, offset, bytes, "written", cell.writer);
    if (cell.read_in == user.interval && !is_apart(cell.reader, cell.read_after, user))
      fail_race(access, offset, bytes, "read", cell.reader);
  }
  return cells;
}

void SharedMemory::put(std::int64_t offset, int bytes, const SharedUser& user, const void* from) {
  for (Cell& cell : claim(offset, bytes, user, "put")) {
    cell.written_in = user.interval;
    cell.written_after = user.warp_barriers;
    cell.writer = static_cast<std::int16_t>(user.thread);
  }
  std::memcpy(data_.data() + offset, from, static_cast<std::size_t>(bytes));
}

void SharedMemory::expect(std::int64_t offset, int bytes, const SharedUser& user) {
  for (Cell& cell : claim(offset, bytes, user, "copy")) cell.written_in = 0;
}

}  // namespace onepass::sim
