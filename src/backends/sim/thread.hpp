// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One thread of a simulated block: a fibre, where it waits, and what it may do to memory.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <string>

#include "backends/sim/fibre.hpp"
#include "backends/sim/memory/global_memory.hpp"
#include "backends/sim/memory/hazard.hpp"
#include "backends/sim/memory/shared_memory.hpp"
#include "backends/sim/memory/site.hpp"
#include "backends/sim/warp_log.hpp"
#include "launch/launcher.hpp"

namespace onepass::sim {

class Block;
class Simulator;

// Where a block stands in its grid.
struct BlockView {
  Grid index, grid;
  std::uint32_t number = 0;  // of all blocks, x fastest
  int threads = 0;
};

class Thread {
 public:
  Thread(Simulator& simulator, Block& block, int index, std::span<std::byte> stack);

  const BlockView& block() const { return view_; }
  int index() const { return index_; }
  Site stopped_at() const { return stopped_at_; }

  // What exec::Sim calls. Each throws if it meets a hazard.
  void sync(Site site);
  void sync_warp(Site site);
  void grid_barrier(std::uint32_t* counter, std::uint32_t target, Site site);
  void shuffle_xor(void* value, int bytes, int mask, Site site) { shuffle(value, bytes, mask, index_ ^ mask, site); }
  void shuffle_from(void* value, int bytes, int lane, Site site) {
    shuffle(value, bytes, lane, index_ / warp_lanes * warp_lanes + lane, site);
  }
  void shuffle_each(void* value, int bytes, int lane, Site site) {
    shuffle(value, bytes, 0, index_ / warp_lanes * warp_lanes + lane, site);
  }
  // The values of all lanes, in their order.
  void gather(const void* value, int bytes, void* of_lanes, Site site);
  void load(const void* from, void* to, int bytes, Access access, Site site);
  void pass_load(int bytes, Site site);
  // Of a vector of 16 bytes the elements from..to are wanted; one that may not be read leaves `to` as it is.
  void load_vector(const void* vector, void* to, int from_element, int to_element, int element_bytes, Site site);
  void store(void* to, const void* from, int bytes, Site site);
  // An atomic addition: whether it may happen.
  bool add(void* to, int bytes, Site site);
  void prefetch(const void* address, Site site);
  void grid_dependency_wait() { waited_ = true; }
  // Partial sums as they are stored; a mailbox that may not be polled leaves `sum` as it is.
  void publish(void* mailbox, const void* sum, int bytes, Site site);
  void poll(const void* mailbox, void* sum, int bytes, Site site);
  void reset(void* mailbox, int bytes, Site site);
  // Until other blocks have run.
  void give_way(Site site);
  void cluster_barrier(Site site);
  void get(std::int64_t offset, void* to, int bytes, Site site);
  void put(std::int64_t offset, const void* from, int bytes, Site site);
  // Into the shared memory of block `rank` of the cluster.
  void put_in_cluster(std::int64_t offset, const void* from, int bytes, int rank, Site site);
  // Copies into shared memory, which is unwritten from the start of a copy until it was waited for. `source`: the
  // element of global memory, or null where the launch writes nothing there.
  void start_copy(std::int64_t offset, const void* from, int bytes, const void* source, Site site);
  // Before the elements of a copy of one piece: its bytes are whole vectors.
  void check_run(std::int64_t bytes, Site site);
  void commit_copies() { ++group_; }
  void wait_for_copies(Site site) { finish_copies(group_, site); }
  void wait_for_copies_but(unsigned groups, Site site);

 private:
  SharedUser shared_user() const;
  // All lanes give the same `mask`, or number of a lane; each takes the value of thread `from`.
  // Waits for the other lanes, each with what it gives; the slot of `given_` that has it.
  unsigned meet(const void* value, int bytes, int mask, Site site);
  void shuffle(void* value, int bytes, int mask, int from, Site site);
  friend class Block;
  friend class Simulator;
  enum class State : std::uint8_t {
    ready,
    at_barrier,
    at_cluster_barrier,
    at_grid_barrier,
    at_shuffle,
    giving_way,
    ended
  };

  void start() {
    state_ = State::ready;
    waited_ = false;
    shuffles_ = 0;
    warp_barriers_ = 0;
    copies_.clear();
    group_ = 0;
  }
  // Returns who goes on after it.
  Fibre* run_body();
  void stop(State state, Site site);
  void fail(const Hazard& hazard, Site site);
  template <class Check>
  bool allowed(Site site, Check check);
  void copy(WarpLog::Kind kind, const void* from, void* to, int bytes, Site site);
  // For the instruction of the warp that this access is a part of.
  void log(WarpLog::Kind kind, std::uintptr_t address, int bytes, Site site);
  int lane() const { return index_ % 32; }
  Agent agent() const;
  // Those of groups up to `last`.
  void finish_copies(unsigned last, Site site);
  bool at_some_barrier() const {
    return state_ == State::at_barrier || state_ == State::at_cluster_barrier || state_ == State::at_grid_barrier;
  }
  // Of one that is there: where, and of a grid barrier for how many.
  std::string barrier() const;
  bool same_barrier(const Thread& other) const;

  Simulator& simulator_;
  Block& block_;
  const BlockView& view_;
  int index_;
  State state_ = State::ended;
  bool inside_ = false;  // the kernel has begun and not ended
  bool waited_ = false;  // for the previous launch
  Site stopped_at_;
  std::uint32_t* counter_ = nullptr;  // of the grid barrier
  std::uint32_t target_ = 0;
  // What this lane gives to its partner. Two slots, taken in turn: a lane that runs ahead to its next
  // shuffle must not overwrite what its partner has not read yet.
  std::array<std::array<unsigned char, 48>, 2> given_{};
  unsigned shuffles_ = 0;
  std::uint32_t warp_barriers_ = 0;
  int mask_ = 0, given_bytes_ = 0;
  struct Copy {
    std::int64_t offset;
    int bytes;
    std::array<unsigned char, 16> data;
    const void* source;
    std::uint64_t stores_before;
    unsigned group;
  };
  std::deque<Copy> copies_;  // under way
  unsigned group_ = 0;       // of the next copy
  Fibre fibre_;
};

}  // namespace onepass::sim
