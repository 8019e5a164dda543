// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One thread of a simulated block: a fibre, where it waits, and what it may do to memory.
#pragma once

#include <array>
#include <cstdint>

#include "backends/sim/fibre.hpp"
#include "backends/sim/hazard.hpp"
#include "backends/sim/memory_map.hpp"
#include "backends/sim/site.hpp"
#include "launch/launcher.hpp"

namespace onepass::sim {

class Simulator;

// Where the running block stands in its grid.
struct BlockView {
  Grid index, grid;
  std::int64_t number = 0;  // of all blocks, x fastest
  int threads = 0;
};

class Thread {
 public:
  Thread(Simulator& simulator, int index);

  const BlockView& block() const { return block_; }
  int index() const { return index_; }

  // The words of exec::Sim. Each throws if it meets a hazard.
  void sync(Site site);
  void shuffle_xor(void* value, int bytes, int mask, Site site);
  void load(const void* from, void* to, int bytes, Word word, Site site);
  void pass_load(int bytes, Site site);
  void store(void* to, const void* from, int bytes, Site site);
  unsigned ticket(unsigned* counter, unsigned count, Site site);
  void get(std::int64_t offset, void* to, int bytes, Site site);
  void put(std::int64_t offset, const void* from, int bytes, Site site);

 private:
  friend class Simulator;
  enum class State : std::uint8_t { ready, at_barrier, at_shuffle, ended };

  void run_body();
  void stop(State state, Site site);
  void fail(const Hazard& hazard, Site site);
  int lane() const { return index_ % 32; }
  Agent agent() const;

  Simulator& simulator_;
  const BlockView& block_;
  int index_;
  State state_ = State::ended;
  bool inside_ = false;  // the kernel has begun and not ended
  Site stopped_at_;
  // What this lane gives to its partner. Two slots, taken in turn: a lane that runs ahead to its next
  // shuffle must not overwrite what its partner has not read yet.
  std::array<std::array<unsigned char, 16>, 2> given_{};
  unsigned shuffles_ = 0;
  int mask_ = 0, given_bytes_ = 0;
  Fibre fibre_;
};

}  // namespace onepass::sim
