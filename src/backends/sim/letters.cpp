// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/letters.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "backends/sim/hazard.hpp"

namespace onepass::sim {
namespace {

bool known(const Letters::Party& party) { return party.block >= 0; }

std::string print(const Letters::Party& party) {
  return "block " + std::to_string(party.block) + ", thread " + std::to_string(party.thread) + ",";
}

}  // namespace

void Letters::start(std::size_t cells) {
  boxes_.clear();
  box_of_.assign(cells, 0);
}

Letters::Box& Letters::box(Lattice::Elements cells) {
  const auto begin = box_of_.begin() + cells.first, end = begin + cells.count;
  if (std::all_of(begin, end, [](std::uint32_t b) { return b == 0; })) {
    boxes_.push_back({.cells = cells, .sender = {}, .receiver = {}});
    std::fill(begin, end, static_cast<std::uint32_t>(boxes_.size()));
  }
  if (*begin != 0) {
    Box& found = boxes_[*begin - 1];
    if (found.cells.first == cells.first && found.cells.count == cells.count) return found;
  }
  throw Hazard{HazardKind::letter_race, "which overlaps another box of this launch"};
}

void Letters::send(Lattice::Elements cells, const Agent& agent, bool empty) {
  const Party self = {.block = agent.block, .thread = agent.thread};
  Box& b = box(cells);
  if (known(b.sender) && b.sender != self)
    throw Hazard{HazardKind::letter_race, "into which " + print(b.sender) + " has sent"};
  if (known(b.sender))
    throw Hazard{HazardKind::letter_lost, "into which the same thread has sent; its receiver may be late"};
  if (!empty) throw Hazard{HazardKind::letter_lost, "which was not empty before the launch"};
  b.sender = self;
}

bool Letters::peek(Lattice::Elements cells, const Agent& agent, bool empty) {
  const Party self = {.block = agent.block, .thread = agent.thread};
  Box& b = box(cells);
  if (!known(b.receiver)) b.receiver = self;
  if (b.receiver != self)
    throw Hazard{HazardKind::letter_race, "the letters of which " + print(b.receiver) + " receives"};
  if (empty) return false;
  if (!known(b.sender)) throw Hazard{HazardKind::letter_left, "which an earlier launch has left"};
  if (b.sender.block >= self.block)
    throw Hazard{HazardKind::waits_for_later_block,
                 "sent by " + print(b.sender) + " though a block may wait for lower numbers only"};
  return !std::exchange(b.received, true);
}

void Letters::clear(Lattice::Elements cells, const Agent& agent, bool empty) {
  const Party self = {.block = agent.block, .thread = agent.thread};
  Box& b = box(cells);
  if (b.receiver != self && b.receiver.block == self.block)
    throw Hazard{HazardKind::letter_race, "the letters of which " + print(b.receiver) + " receives"};
  if (empty) throw Hazard{HazardKind::letter_lost, "which is empty: a letter may be on its way"};
  if (b.receiver != self || !b.received) throw Hazard{HazardKind::letter_lost, "which this block has not seen full"};
  b.cleared = true;
}

const Letters::Box* Letters::left() const {
  const auto found =
      std::find_if(boxes_.begin(), boxes_.end(), [](const Box& b) { return known(b.sender) && !b.cleared; });
  return found == boxes_.end() ? nullptr : &*found;
}

}  // namespace onepass::sim
