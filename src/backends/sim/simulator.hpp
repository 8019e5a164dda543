// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Runs the blocks of a grid one after the other, their threads as fibres, every access seen.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "backends/sim/counters.hpp"
#include "backends/sim/hazard.hpp"
#include "backends/sim/memory_map.hpp"
#include "backends/sim/shared_memory.hpp"
#include "backends/sim/thread.hpp"
#include "backends/sim/warp_log.hpp"
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
};

class Simulator {
 public:
  Simulator() = default;
  Simulator(const Simulator&) = delete;
  Simulator& operator=(const Simulator&) = delete;

  Status run(const Launch& launch, MemoryMap& memory, const SimOptions& options);
  const Counters& counters() const { return counters_; }

 private:
  friend class Thread;

  void run_block();
  void run_warp(int warp);
  bool meet_at_shuffle(int warp);
  bool meet_at_barrier();
  void abandon_block();
  // Keeps the text of the first hazard, and decides whether the launch has to end.
  void record(const Hazard& hazard, const Thread* thread, Site site);
  WarpLog& log(int thread) { return logs_[static_cast<std::size_t>(thread / warp_lanes)]; }

  const Launch* launch_ = nullptr;
  MemoryMap* memory_ = nullptr;
  SimOptions options_;
  Counters counters_;
  SharedMemory shared_;
  BlockView block_;
  std::uint32_t interval_ = 0;
  std::string first_hazard_;
  bool ending_ = false;
  std::vector<WarpLog> logs_;
  std::vector<std::unique_ptr<Thread>> threads_;  // as many as the largest block so far
};

// The calling thread's simulator, with its pool of fibres.
Simulator& simulator();

}  // namespace onepass::sim
