// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The global memory of a launch whose blocks meet at grid barriers: named regions, and what orders their accesses.
//
// What one block writes, another may touch only after a grid barrier, and the other way round; within a block, what one
// thread writes another may touch after a barrier of the block.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "backends/sim/memory/global_memory.hpp"
#include "backends/sim/memory/hazard.hpp"

namespace onepass::sim {

class GridMemory final : public GlobalMemory {
 public:
  void add(const onepass::Region& region);
  void add_matrix(const onepass::Region& region);
  void add(std::string name, Pattern pattern, const void* base, Holds holds);
  // Data, the loads of which are counted.
  void add_matrix(Pattern pattern, const void* base);
  // The word of the grid barriers, which nobody else may touch.
  void add_barrier(const std::uint32_t* counter) { counter_ = reinterpret_cast<std::uintptr_t>(counter); }

  void start() override;
  void finish(Counters& counters) const override;
  bool load(std::uintptr_t address, int bytes, Access access, const Agent& agent, Counters& counters) override;
  // Of any region, whoever writes it: the L2 is coherent.
  void prefetch(std::uintptr_t address, Counters& counters) const override;
  void store(std::uintptr_t address, int bytes, const Agent& agent) override;
  std::uint64_t stores() const override { return stores_; }
  void finish_copy(std::uintptr_t address, int bytes, std::uint64_t stores_before, const Agent& agent) override;
  void arrive(std::uintptr_t counter, const Agent& agent) override;

  // How often threads loaded an element of the matrix between two grid barriers: before the first is number 0. A copy
  // counts where it was waited for.
  int loads(const void* element, std::size_t interval) const;
  int loads(const void* element) const;

 private:
  struct Element {
    std::uint64_t store = 0;  // its number, if this launch has written the element
    std::uint32_t written_by = 0, written_in = 0, written_after = 0;  // block, its interval, grid barriers
    std::int32_t read_by = none;
    std::uint32_t read_in = 0, read_after = 0;
    std::int16_t writer = 0, reader = 0;  // threads
  };
  static constexpr std::int16_t none = -2, several = -1;
  struct Region {
    std::string name;
    Lattice lattice;
    Holds holds = Holds::data;
    std::vector<Element> elements = {};
  };
  struct Found {
    Region& region;
    Lattice::Elements elements;
  };

  Found find(std::uintptr_t address, int bytes, Access access);
  std::string place(std::uintptr_t address, int bytes, Access access) const;
  [[noreturn]] void fail(HazardKind kind, std::uintptr_t address, int bytes, Access access,
                         const std::string& why) const;
  // Throws if another thread, of this block or of another, has written or read with no barrier between.
  void check_writer(const Element& element, const Agent& agent, std::uintptr_t address, int bytes, Access access) const;
  void check_reader(const Element& element, const Agent& agent, std::uintptr_t address, int bytes) const;
  void read(const Found& found, std::uintptr_t address, int bytes, Access access, const Agent& agent);
  void count(const Found& found, const Agent& agent);

  std::vector<Region> regions_;  // the matrix, if there is one, is the first
  bool has_matrix_ = false;
  std::uintptr_t counter_ = 0;
  std::uint64_t stores_ = 0;
  std::vector<std::vector<std::uint32_t>> loads_;  // of each interval and each element of the matrix
};

}  // namespace onepass::sim
