// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs the blocks of a grid one after the other, those that wait for partial sums again after the others, those at a
// barrier of a cluster or of the grid once all are there; every access seen.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "backends/sim/block.hpp"
#include "backends/sim/counters.hpp"
#include "backends/sim/memory/global_memory.hpp"
#include "backends/sim/memory/hazard.hpp"
#include "backends/sim/thread.hpp"
#include "launch/launcher.hpp"
#include "problem/status.hpp"

namespace onepass::sim {

struct Launch {
  void (*body)(Thread& thread, const void* args) = nullptr;
  const void* args = nullptr;
  const char* kernel = "";  // its name as the compiler mangles it
  Grid grid;
  int threads = 0;
  std::size_t shared_bytes = 0;
  int cluster = 1;  // blocks that write into each other's shared memory
};

class Simulator {
 public:
  Simulator() = default;
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  Status run(const Launch& launch, GlobalMemory& memory, const SimOptions& options);

  const Launch& launch() const { return *launch_; }
  const SimOptions& options() const { return options_; }
  GlobalMemory& memory() { return *memory_; }
  Counters& counters() { return counters_; }
  // Keeps the text of the first hazard, and decides whether the launch has to end.
  void record(const Hazard& hazard, const Thread* thread, Site site);
  bool ending() const { return ending_; }

 private:
  void run_blocks();
  void run_waiting();
  // Those at which all blocks of a cluster are; false if there is none.
  bool open_cluster_barriers();
  void open_grid_barrier();
  // Why no device would open it now and for all blocks.
  std::optional<Hazard> why_closed() const;
  // `block` is empty afterwards, unless it stays where it is.
  void sort_in(std::unique_ptr<Block>& block, Block::Stop stop, std::vector<std::unique_ptr<Block>>* from);
  std::unique_ptr<Block> take_block();
  void release_blocks();

  const Launch* launch_ = nullptr;
  GlobalMemory* memory_ = nullptr;
  SimOptions options_;
  Counters counters_;
  std::string first_hazard_;
  bool ending_ = false;
  std::vector<std::unique_ptr<Block>> pool_;     // of earlier launches
  std::vector<std::unique_ptr<Block>> free_;     // of this launch: blocks whose work has ended
  std::vector<std::unique_ptr<Block>> waiting_;  // of this launch: for partial sums
  std::vector<std::unique_ptr<Block>> at_cluster_barrier_;
  std::vector<std::unique_ptr<Block>> at_grid_barrier_;
};

// The calling thread's simulator, with its pool of blocks.
Simulator& simulator();

}  // namespace onepass::sim
