// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The boxes of a launch, through which one thread hands a number to one thread of a later block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/sim/lattice.hpp"

namespace onepass::sim {

// Who accesses: the block's number in the grid, the thread, and whether it has waited for earlier launches.
struct Agent {
  std::uint32_t block = 0;
  int thread = 0;
  bool waited = false;
};

class Letters {
 public:
  // `cells` of the workspace; a box takes one or several of them.
  void start(std::size_t cells);

  // Each throws a Hazard; what the box holds now is for the caller to say.
  void send(Lattice::Elements cells, const Agent& agent, bool empty);
  // Whether a letter is received by that, for the first time.
  bool peek(Lattice::Elements cells, const Agent& agent, bool empty);
  void clear(Lattice::Elements cells, const Agent& agent, bool empty);

  struct Party {
    std::int64_t block = -1;  // nobody
    int thread = 0;
    bool operator==(const Party&) const = default;
  };
  struct Box {
    Lattice::Elements cells = {};
    Party sender, receiver;
    bool received = false, cleared = false;
  };
  // One that still holds its letter, or null.
  const Box* left() const;

 private:
  Box& box(Lattice::Elements cells);

  std::vector<Box> boxes_;             // in the order of their first use
  std::vector<std::uint32_t> box_of_;  // of each cell: its box + 1, or 0
};

}  // namespace onepass::sim
