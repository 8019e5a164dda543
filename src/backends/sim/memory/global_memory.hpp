// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a simulated thread asks of the global memory of its launch.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "backends/sim/counters.hpp"
#include "backends/sim/memory/access.hpp"
#include "backends/sim/memory/lattice.hpp"

namespace onepass::sim {

// Each function throws a Hazard; the memory itself is touched by the caller, afterwards. What a kind of launch has no
// use for is out of bounds.
class GlobalMemory {
 public:
  virtual ~GlobalMemory() = default;
  // To be called once all is added.
  virtual void start() = 0;
  // What can be said only after the last block.
  virtual void finish(Counters& counters) const = 0;

  // Whether it is of the matrix.
  virtual bool load(std::uintptr_t address, int bytes, Access access, const Agent& agent, Counters& counters) = 0;
  // A vector of 16 bytes of the matrix, of which the bytes from `first` on are wanted.
  virtual void load_vector(std::uintptr_t address, int first, int bytes, const Agent& agent, Counters& counters);
  virtual void store(std::uintptr_t address, int bytes, const Agent& agent) = 0;
  // Atomically, to an element of the output.
  virtual void add(std::uintptr_t address, int bytes, const Agent& agent, Counters& counters);
  virtual void prefetch(std::uintptr_t address, Counters& counters) const;
  virtual void publish(std::uintptr_t mailbox, int bytes, const Agent& agent, Counters& counters);
  virtual void poll(std::uintptr_t mailbox, int bytes, const Agent& agent, Counters& counters);
  virtual void reset(std::uintptr_t mailbox, int bytes, const Agent& agent, Counters& counters);

  // An element that is copied to shared memory is read at any time from the load, with Access::copy_element, until the
  // thread has waited for it. `stores_before`: those of the launch when it was loaded.
  virtual std::uint64_t stores() const { return 0; }
  virtual void finish_copy(std::uintptr_t, int, std::uint64_t /* stores_before */, const Agent&) {}
  // A block is at a grid barrier.
  virtual void arrive(std::uintptr_t counter, const Agent& agent);

 protected:
  GlobalMemory() = default;
  GlobalMemory(const GlobalMemory&) = default;
  GlobalMemory& operator=(const GlobalMemory&) = default;
};

struct NamedRegion {
  const char* name;
  const Lattice* elements;
};
// "store of 4 bytes at 0x7f00 (y + 12 bytes, of 40)", by the region that the address is in or nearest to.
std::string place(std::uintptr_t address, int bytes, Access access, std::span<const NamedRegion> regions);

}  // namespace onepass::sim
