// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A block on the simulated device: its threads, its shared memory, and where the threads meet.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "backends/sim/memory/shared_memory.hpp"
#include "backends/sim/stacks.hpp"
#include "backends/sim/thread.hpp"
#include "backends/sim/warp_log.hpp"

namespace onepass::sim {

struct Launch;

// Serves one block of a grid after the other, in one launch after the other.
class Block {
 public:
  explicit Block(Simulator& simulator) : simulator_(simulator) {}
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  void start_launch(const Launch& launch);
  void start(std::uint32_t number);
  // Why a block runs no further: it has ended; or all of its threads wait, some of them for partial sums (run again,
  // they poll again); or all of them are at one barrier of the cluster or of the grid.
  enum class Stop : std::uint8_t { ended, waits, at_cluster_barrier, at_grid_barrier };
  Stop run();
  // The barrier of the cluster or of the grid has opened.
  void pass_barrier();
  // Into the shared memory of another block of the cluster, where it is before that one passes the barrier they share.
  struct Sent {
    int rank, thread;
    std::int64_t offset;
    int bytes;
    std::array<unsigned char, 16> data;
  };
  void send(const Sent& sent) { sent_.push_back(sent); }
  // What was sent to block `rank`.
  void deliver_to(Block& block, int rank);
  // Lets every thread that stands in the middle of its kernel unwind.
  void abandon();
  // The first thread that waits for partial sums; there is one if run() said so.
  const Thread& waiting() const;

  const BlockView& view() const { return view_; }
  const Thread& thread(int index) const { return *threads_[static_cast<std::size_t>(index)]; }
  SharedMemory& shared() { return shared_; }
  Fibre::Caller& caller() { return caller_; }
  // With whom a warp goes on after this thread, lane by lane: by way of the caller there would be twice the changes of
  // stacks. Null if no thread is ready, or the launch is ending.
  Fibre* ready_after(int index);
  // Of its warp; null where instructions are not counted.
  WarpLog* log(int thread) { return logs_.empty() ? nullptr : &logs_[static_cast<std::size_t>(thread / warp_lanes)]; }
  // Barriers passed since the launch began, by all blocks that were here.
  std::uint32_t interval() const { return interval_; }

 private:
  enum class Meeting : std::uint8_t { met, ended, waits, at_cluster_barrier, at_grid_barrier };

  int warps() const { return (view_.threads + warp_lanes - 1) / warp_lanes; }
  void run_warp(int warp);
  // The first thread of the warp that is ready, from `index` on.
  Fibre* next_ready(int warp, int index);
  bool meet_at_shuffle(int warp);
  Meeting meet_at_barrier();
  Meeting arrive();
  Thread& at(int index) { return *threads_[static_cast<std::size_t>(index)]; }

  Simulator& simulator_;
  BlockView view_;
  std::uint32_t interval_ = 0;
  SharedMemory shared_;
  std::vector<Sent> sent_;
  std::vector<WarpLog> logs_;  // of each warp
  Fibre::Caller caller_;
  std::vector<Stacks> stacks_;                    // of each warp
  std::vector<std::unique_ptr<Thread>> threads_;  // as many as the largest block so far
};

}  // namespace onepass::sim
