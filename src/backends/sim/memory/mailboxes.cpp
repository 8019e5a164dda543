// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/memory/mailboxes.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "backends/sim/memory/hazard.hpp"

namespace onepass::sim {
namespace {

bool known(const Mailboxes::Party& party) { return party.block >= 0; }

std::string print(const Mailboxes::Party& party) {
  return "block " + std::to_string(party.block) + ", thread " + std::to_string(party.thread) + ",";
}

}  // namespace

void Mailboxes::start(std::size_t cells) {
  mailboxes_.clear();
  mailbox_of_.assign(cells, 0);
}

Mailboxes::Mailbox& Mailboxes::mailbox(Lattice::Elements cells) {
  const auto begin = mailbox_of_.begin() + cells.first, end = begin + cells.count;
  if (std::all_of(begin, end, [](std::uint32_t b) { return b == 0; })) {
    mailboxes_.push_back({.cells = cells, .publisher = {}, .receiver = {}});
    std::fill(begin, end, static_cast<std::uint32_t>(mailboxes_.size()));
  }
  if (*begin != 0) {
    Mailbox& found = mailboxes_[*begin - 1];
    if (found.cells.first == cells.first && found.cells.count == cells.count) return found;
  }
  throw Hazard{HazardKind::mailbox_race, "which overlaps another mailbox of this launch"};
}

void Mailboxes::publish(Lattice::Elements cells, const Agent& agent, bool empty) {
  const Party self = {.block = agent.block, .thread = agent.thread};
  Mailbox& b = mailbox(cells);
  if (known(b.publisher) && b.publisher != self)
    throw Hazard{HazardKind::mailbox_race, "into which " + print(b.publisher) + " has published"};
  if (known(b.publisher))
    throw Hazard{HazardKind::partial_sum_lost, "into which the same thread has published; its receiver may be late"};
  if (!empty) throw Hazard{HazardKind::partial_sum_lost, "which was not empty before the launch"};
  b.publisher = self;
}

bool Mailboxes::poll(Lattice::Elements cells, const Agent& agent, bool empty) {
  const Party self = {.block = agent.block, .thread = agent.thread};
  Mailbox& b = mailbox(cells);
  if (!known(b.receiver)) b.receiver = self;
  if (b.receiver != self)
    throw Hazard{HazardKind::mailbox_race, "whose partial sums " + print(b.receiver) + " receives"};
  if (empty) return false;
  if (!known(b.publisher)) throw Hazard{HazardKind::mailbox_left_full, "which an earlier launch has left"};
  if (b.publisher.block >= self.block)
    throw Hazard{HazardKind::waits_for_later_block,
                 "published by " + print(b.publisher) + " though a block may wait for lower numbers only"};
  return !std::exchange(b.received, true);
}

void Mailboxes::reset(Lattice::Elements cells, const Agent& agent, bool empty) {
  const Party self = {.block = agent.block, .thread = agent.thread};
  Mailbox& b = mailbox(cells);
  if (b.receiver != self && b.receiver.block == self.block)
    throw Hazard{HazardKind::mailbox_race, "whose partial sums " + print(b.receiver) + " receives"};
  if (empty) throw Hazard{HazardKind::partial_sum_lost, "which is empty: a partial sum may be on its way"};
  if (b.receiver != self || !b.received)
    throw Hazard{HazardKind::partial_sum_lost, "which this block has not seen full"};
  b.was_reset = true;
}

const Mailboxes::Mailbox* Mailboxes::left() const {
  const auto found = std::find_if(mailboxes_.begin(), mailboxes_.end(),
                                  [](const Mailbox& b) { return known(b.publisher) && !b.was_reset; });
  return found == mailboxes_.end() ? nullptr : &*found;
}

}  // namespace onepass::sim
