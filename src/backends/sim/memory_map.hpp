// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The global memory of a launch: which elements exist, who read and wrote them, and what was wrong with that.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "backends/sim/counters.hpp"
#include "backends/sim/lattice.hpp"

namespace onepass::sim {

enum class Role : std::uint8_t { matrix, x, y, workspace, alpha, beta, a_pointers, x_pointers, y_pointers };
inline constexpr std::size_t role_count = 9;

// The words of the kernels that touch global memory. Each may reach only certain roles.
enum class Word : std::uint8_t { read_once, read_cached, read_own, read_fresh, write, ticket };

// Who accesses: the block's number in the grid, the thread, and the count of barriers passed so far
// in the whole launch, which tells accesses apart that a barrier orders.
struct Agent {
  std::uint32_t block = 0;
  std::uint32_t interval = 0;
  int thread = 0;
};

class MemoryMap {
 public:
  // The elements of an operand: of one, or of each product. A role that was not added does not exist.
  void add(Role role, Pattern pattern, const void* base) { add_batch(role, pattern, std::span(&base, 1)); }
  void add_batch(Role role, Pattern pattern, std::span<const void* const> bases);
  // beta == 0: y is written, never read.
  void forbid_reading_y() { y_readable_ = false; }

  // To be called once all is added, with the number of blocks of the launch.
  void start(std::int64_t blocks);
  // Each throws a Hazard; the memory itself is touched by the caller, afterwards.
  Role load(std::uintptr_t address, int bytes, Word word, const Agent& agent, Counters& counters);
  void store(std::uintptr_t address, int bytes, const Agent& agent, Counters& counters);
  void ticket(std::uintptr_t address, unsigned count, const Agent& agent, Counters& counters);
  // What can be said of the matrix and of y only after the last block.
  void finish(Counters& counters) const;

 private:
  // Four bytes of the workspace: a partial sum, or a counter, in this launch.
  struct Cell {
    enum class Use : std::uint8_t { none, data, counter } use = Use::none;
    std::uint32_t block = 0, interval = 0;
    int thread = 0;
  };
  struct Ticket {
    std::uint32_t interval = 0;
    int thread = -1;
  };

  const Lattice& operator[](Role role) const { return regions_[static_cast<std::size_t>(role)]; }
  void check_alignment(std::uintptr_t address, int bytes, Word word) const;
  [[noreturn]] void fail_bounds(std::uintptr_t address, int bytes, Word word, Counters& counters) const;
  std::string place(std::uintptr_t address, int bytes, Word word) const;
  void load_y(Lattice::Elements e, std::uintptr_t address, int bytes) const;
  void load_workspace(Lattice::Elements e, std::uintptr_t address, int bytes, const Agent& agent) const;

  std::array<Lattice, role_count> regions_;
  bool y_readable_ = true;
  std::vector<std::uint32_t> reads_;    // of each element of A
  std::vector<std::uint32_t> writers_;  // of each element of y: block + 1
  std::vector<Cell> cells_;             // of the workspace
  std::vector<Ticket> tickets_;         // the last one of each block
};

}  // namespace onepass::sim
