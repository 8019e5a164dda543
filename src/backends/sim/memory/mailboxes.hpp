// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The mailboxes of a launch, through which one thread hands a partial sum to one thread of a later block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "backends/sim/memory/access.hpp"
#include "backends/sim/memory/lattice.hpp"

namespace onepass::sim {

class Mailboxes {
 public:
  // `cells` of the workspace; a mailbox takes one or several of them.
  void start(std::size_t cells);

  // Each throws a Hazard; what the mailbox holds now is for the caller to say.
  void publish(Lattice::Elements cells, const Agent& agent, bool empty);
  // Whether a partial sum is received by that, for the first time.
  bool poll(Lattice::Elements cells, const Agent& agent, bool empty);
  void reset(Lattice::Elements cells, const Agent& agent, bool empty);

  struct Party {
    std::int64_t block = -1;  // nobody
    int thread = 0;
    bool operator==(const Party&) const = default;
  };
  struct Mailbox {
    Lattice::Elements cells = {};
    Party publisher, receiver;
    bool received = false, was_reset = false;
  };
  // One that still holds its partial sum, or null.
  const Mailbox* left() const;

 private:
  Mailbox& mailbox(Lattice::Elements cells);

  std::vector<Mailbox> mailboxes_;         // in the order of their first use
  std::vector<std::uint32_t> mailbox_of_;  // of each cell: its mailbox + 1, or 0
};

}  // namespace onepass::sim
