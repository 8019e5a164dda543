// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/simulator.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string_view>

namespace onepass::sim {
namespace {

std::string demangle(const char* mangled) {
  int failed = 0;
  char* text = abi::__cxa_demangle(mangled, nullptr, nullptr, &failed);
  std::string name = failed == 0 ? text : mangled;
  std::free(text);
  return name;
}

std::string print(const Grid& g) {
  return std::string("(") + std::to_string(g.x) + ", " + std::to_string(g.y) + ", " + std::to_string(g.z) + ")";
}

std::string print(Site site) {
  const std::string_view file = site.file;
  return std::string(file.substr(file.find_last_of('/') + 1)) + ":" + std::to_string(site.line);
}

std::vector<std::uint32_t> block_order(std::int64_t blocks, const SimOptions& options) {
  std::vector<std::uint32_t> order(static_cast<std::size_t>(blocks));
  std::iota(order.begin(), order.end(), 0u);
  if (options.block_order == BlockOrder::descending) std::reverse(order.begin(), order.end());
  if (options.block_order == BlockOrder::shuffled) {
    std::mt19937_64 random(options.seed);
    std::shuffle(order.begin(), order.end(), random);
  }
  return order;
}

// What no CUDA device would launch: limits of compute capability 9.0.
std::string why_unlaunchable(const Launch& l) {
  if (l.threads < 1 || l.threads > 1024) return std::to_string(l.threads) + " threads in a block: must be 1 to 1024";
  if (l.grid.x < 1 || l.grid.x > 0x7fffffff || l.grid.y < 1 || l.grid.y > 65535 || l.grid.z < 1 || l.grid.z > 65535)
    return "grid " + print(l.grid) + ": must be 1 to (2147483647, 65535, 65535)";
  if (l.shared_bytes > 227 * 1024)
    return std::to_string(l.shared_bytes) + " bytes of shared memory: must be 232448 or less";
  if (l.grid.x * l.grid.y * l.grid.z > 0x7fffffff)
    return "grid " + print(l.grid) + ": more blocks than can be simulated";
  return "";
}

}  // namespace

Simulator& simulator() {
  thread_local Simulator instance;
  return instance;
}

SimOptions& options() {
  thread_local SimOptions instance;
  return instance;
}

const Counters& last_counters() { return simulator().counters(); }

Status Simulator::run(const Launch& launch, MemoryMap& memory, const SimOptions& options) {
  launch_ = &launch;
  memory_ = &memory;
  options_ = options;
  counters_ = {};
  first_hazard_.clear();
  ending_ = false;
  interval_ = 0;
  if (const std::string why = why_unlaunchable(launch); !why.empty()) {
    record({HazardKind::bad_launch, why}, nullptr, {});
    return {ONEPASS_STATUS_EXECUTION_FAILED, first_hazard_};
  }

  const Grid& grid = launch.grid;
  const std::int64_t blocks = grid.x * grid.y * grid.z;
  memory.start(blocks);
  shared_.start_launch(launch.shared_bytes);
  logs_.assign(static_cast<std::size_t>(launch.threads + warp_lanes - 1) / warp_lanes, {});
  while (threads_.size() < static_cast<std::size_t>(launch.threads))
    threads_.push_back(std::make_unique<Thread>(*this, static_cast<int>(threads_.size())));

  for (const std::uint32_t number : block_order(blocks, options)) {
    block_ = {.index = {.x = number % grid.x, .y = number / grid.x % grid.y, .z = number / grid.x / grid.y},
              .grid = grid,
              .number = number,
              .threads = launch.threads};
    run_block();
    ++counters_.blocks;
    if (ending_) break;
  }
  if (!ending_) memory.finish(counters_);
  if (counters_.hazards == 0) return {};
  return {ONEPASS_STATUS_EXECUTION_FAILED, first_hazard_};
}

void Simulator::record(const Hazard& hazard, const Thread* thread, Site site) {
  if (++counters_.hazards == 1) {
    first_hazard_ = std::string(name(hazard.kind)) + ": " + hazard.detail + "; kernel " + demangle(launch_->kernel);
    if (thread != nullptr)
      first_hazard_ += ", block " + print(block_.index) + ", thread " + std::to_string(thread->index_);
    if (site.line != 0) first_hazard_ += ", " + print(site);
  }
  const bool harmless = hazard.kind != HazardKind::barrier_divergence &&
                        hazard.kind != HazardKind::shuffle_absent_lanes && hazard.kind != HazardKind::exception;
  ending_ = ending_ || !options_.keep_going || !harmless;
}

// Each warp runs until all of its threads are at a barrier or have ended, then the barrier opens.
void Simulator::run_block() {
  shared_.start_block(++interval_);
  for (int t = 0; t < launch_->threads; ++t) {
    threads_[static_cast<std::size_t>(t)]->state_ = Thread::State::ready;
    threads_[static_cast<std::size_t>(t)]->shuffles_ = 0;
  }
  const int warps = static_cast<int>(logs_.size());
  bool again = true;
  while (again && !ending_) {
    for (int w = 0; w < warps && !ending_; ++w) run_warp(options_.reverse_threads ? warps - 1 - w : w);
    if (!ending_) again = meet_at_barrier();
  }
  if (ending_) abandon_block();
}

void Simulator::run_warp(int warp) {
  const int first = warp * warp_lanes;
  const int count = std::min(warp_lanes, launch_->threads - first);
  do {
    for (int i = 0; i < count; ++i) {
      Thread& thread = *threads_[static_cast<std::size_t>(first + (options_.reverse_threads ? count - 1 - i : i))];
      if (thread.state_ == Thread::State::ready) thread.fibre_.resume();
      if (ending_) return;
    }
  } while (meet_at_shuffle(warp));
}

// Whether the warp stands at a shuffle and may go on.
bool Simulator::meet_at_shuffle(int warp) {
  const int first = warp * warp_lanes;
  const int count = std::min(warp_lanes, launch_->threads - first);
  const Thread* waiting = nullptr;
  const Thread* other = nullptr;
  for (int t = first; t < first + count; ++t) {
    const Thread& thread = *threads_[static_cast<std::size_t>(t)];
    (thread.state_ == Thread::State::at_shuffle ? waiting : other) = &thread;
  }
  if (waiting == nullptr) return false;
  const Site site = waiting->stopped_at_;
  const auto fail = [&](HazardKind kind, const std::string& detail) {
    record({kind, detail}, waiting, site);
    return false;
  };
  if (other != nullptr && other->state_ == Thread::State::at_barrier)
    return fail(HazardKind::barrier_divergence, "thread " + std::to_string(other->index_) + " waits at the barrier " +
                                                    print(other->stopped_at_) + ", others of its warp at a shuffle");
  if (other != nullptr)
    return fail(HazardKind::shuffle_absent_lanes, "thread " + std::to_string(other->index_) + " has ended");
  if (count < warp_lanes)
    return fail(HazardKind::shuffle_absent_lanes, "the warp has " + std::to_string(count) + " threads");
  for (int t = first; t < first + count; ++t) {
    Thread& thread = *threads_[static_cast<std::size_t>(t)];
    if (thread.stopped_at_ != site || thread.mask_ != waiting->mask_ || thread.given_bytes_ != waiting->given_bytes_ ||
        thread.mask_ < 0 || thread.mask_ >= warp_lanes)
      return fail(HazardKind::shuffle_absent_lanes, "thread " + std::to_string(thread.index_) +
                                                        " is at another shuffle, " + print(thread.stopped_at_) +
                                                        " with mask " + std::to_string(thread.mask_));
    thread.state_ = Thread::State::ready;
  }
  logs_[static_cast<std::size_t>(warp)].flush(counters_);
  ++counters_.shuffles;
  return true;
}

// Whether the block stands at a barrier and may go on.
bool Simulator::meet_at_barrier() {
  for (WarpLog& log : logs_) log.flush(counters_);
  const Thread* waiting = nullptr;
  const Thread* ended = nullptr;
  for (int t = 0; t < launch_->threads; ++t) {
    const Thread& thread = *threads_[static_cast<std::size_t>(t)];
    (thread.state_ == Thread::State::at_barrier ? waiting : ended) = &thread;
  }
  if (waiting == nullptr) return false;
  const Site site = waiting->stopped_at_;
  if (ended != nullptr) {
    record({HazardKind::barrier_divergence, "thread " + std::to_string(ended->index_) + " has ended"}, waiting, site);
    return false;
  }
  for (int t = 0; t < launch_->threads; ++t) {
    Thread& thread = *threads_[static_cast<std::size_t>(t)];
    if (thread.stopped_at_ != site) {
      record({HazardKind::barrier_divergence,
              "thread " + std::to_string(thread.index_) + " waits at another barrier, " + print(thread.stopped_at_)},
             waiting, site);
      return false;
    }
    thread.state_ = Thread::State::ready;
  }
  ++interval_;
  ++counters_.barriers;
  return true;
}

// Lets every thread that stands in the middle of its kernel unwind.
void Simulator::abandon_block() {
  for (int t = 0; t < launch_->threads; ++t) {
    Thread& thread = *threads_[static_cast<std::size_t>(t)];
    if (thread.inside_) thread.fibre_.resume();
  }
}

}  // namespace onepass::sim
