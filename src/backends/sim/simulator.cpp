// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/simulator.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <random>
#include <span>
#include <utility>

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

void sort_by_number(std::vector<std::unique_ptr<Block>>& blocks) {
  std::sort(blocks.begin(), blocks.end(),
            [](const auto& a, const auto& b) { return a->view().number < b->view().number; });
}

// What no CUDA device would launch: limits of compute capability 9.0.
std::string why_unlaunchable(const Launch& l) {
  if (l.threads < 1 || l.threads > 1024) return std::to_string(l.threads) + " threads in a block: must be 1 to 1024";
  if (l.grid.x < 1 || l.grid.x > 0x7fffffff || l.grid.y < 1 || l.grid.y > 65535 || l.grid.z < 1 || l.grid.z > 65535)
    return "grid " + print(l.grid) + ": must be 1 to (2147483647, 65535, 65535)";
  if (l.shared_bytes > 227 * 1024)
    return std::to_string(l.shared_bytes) + " bytes of shared memory: must be 232448 or less";
  if (l.cluster < 1 || l.cluster > 8 || l.grid.x % l.cluster != 0)
    return "clusters of " + std::to_string(l.cluster) + " in grid " + print(l.grid) + ": must be 1 to 8 that divide it";
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

Status Simulator::run(const Launch& launch, GlobalMemory& memory, const SimOptions& options) {
  launch_ = &launch;
  memory_ = &memory;
  options_ = options;
  counters_ = {};
  if (!options.count_instructions) {
    for (std::int64_t Counters::*counter : {&Counters::matrix_sectors_requested, &Counters::load_instructions,
                                            &Counters::shared_accesses, &Counters::bank_conflicts})
      counters_.*counter = Counters::not_counted;
  }
  first_hazard_.clear();
  ending_ = false;
  if (const std::string why = why_unlaunchable(launch); !why.empty()) {
    record({HazardKind::bad_launch, why}, nullptr, {});
    return {ONEPASS_STATUS_EXECUTION_FAILED, first_hazard_};
  }

  memory.start();
  try {
    run_blocks();
    while (!ending_ && !(waiting_.empty() && at_cluster_barrier_.empty() && at_grid_barrier_.empty())) {
      if (open_cluster_barriers()) continue;
      if (!waiting_.empty())
        run_waiting();
      else
        open_grid_barrier();
    }
  } catch (...) {
    ending_ = true;
    release_blocks();
    throw;
  }
  release_blocks();
  if (!ending_) {
    try {
      memory.finish(counters_);
    } catch (const Hazard& hazard) {
      record(hazard, nullptr, {});
    }
  }
  if (counters_.hazards == 0) return {};
  return {ONEPASS_STATUS_EXECUTION_FAILED, first_hazard_};
}

void Simulator::run_blocks() {
  const Grid& grid = launch_->grid;
  for (const std::uint32_t number : block_order(grid.x * grid.y * grid.z, options_)) {
    std::unique_ptr<Block> block = take_block();
    block->start(number);
    ++counters_.blocks;
    const Block::Stop stop = block->run();
    sort_in(block, stop, nullptr);
    if (ending_) return;
  }
}

void Simulator::sort_in(std::unique_ptr<Block>& block, Block::Stop stop, std::vector<std::unique_ptr<Block>>* from) {
  std::vector<std::unique_ptr<Block>>& to = stop == Block::Stop::ended                ? free_
                                            : stop == Block::Stop::waits              ? waiting_
                                            : stop == Block::Stop::at_cluster_barrier ? at_cluster_barrier_
                                                                                      : at_grid_barrier_;
  if (&to != from) to.push_back(std::move(block));
}

// One round of all blocks that wait. In ascending order, since partial sums come from lower blocks: then one round is
// enough, unless a block breaks that rule. If nobody publishes in a round, no later round could differ from it.
void Simulator::run_waiting() {
  sort_by_number(waiting_);
  const std::int64_t before = counters_.partial_sums;
  for (std::unique_ptr<Block>& block : waiting_) {
    sort_in(block, block->run(), &waiting_);
    if (ending_) break;
  }
  std::erase(waiting_, nullptr);
  if (ending_ || waiting_.empty() || counters_.partial_sums > before) return;
  const Thread& thread = waiting_.front()->waiting();
  record({HazardKind::deadlock, "a partial sum is waited for that nobody is left to publish"}, &thread,
         thread.stopped_at());
}

bool Simulator::open_cluster_barriers() {
  const auto cluster = static_cast<std::uint32_t>(launch_->cluster);
  sort_by_number(at_cluster_barrier_);
  bool opened = false;
  for (std::size_t i = 0; i + cluster <= at_cluster_barrier_.size() && !ending_;) {
    const auto first = at_cluster_barrier_.begin() + static_cast<std::ptrdiff_t>(i);
    const std::span<std::unique_ptr<Block>> blocks(first, cluster);
    const std::uint32_t number = blocks.front()->view().number;
    if (number % cluster != 0 || blocks.back()->view().number != number + cluster - 1) {
      ++i;
      continue;
    }
    opened = true;
    i += cluster;
    for (const std::unique_ptr<Block>& block : blocks) {
      const Thread& thread = block->thread(0);
      if (!thread.same_barrier(blocks.front()->thread(0)))
        record({HazardKind::barrier_divergence, "the first block of its cluster is at another barrier"}, &thread,
               thread.stopped_at());
      for (std::uint32_t rank = 0; rank < cluster; ++rank)
        if (blocks[rank] != block) block->deliver_to(*blocks[rank], static_cast<int>(rank));
    }
    if (ending_) break;
    for (const std::unique_ptr<Block>& block : blocks) block->pass_barrier();
    for (std::unique_ptr<Block>& block : blocks) {
      sort_in(block, block->run(), &at_cluster_barrier_);
      if (ending_) break;
    }
  }
  std::erase(at_cluster_barrier_, nullptr);
  return opened;
}

// All blocks that have not ended are at a grid barrier, or at one of their cluster that never opens.
void Simulator::open_grid_barrier() {
  if (!at_cluster_barrier_.empty()) {
    const Thread& thread = at_cluster_barrier_.front()->thread(0);
    return record({HazardKind::deadlock, "others of its cluster are not at this barrier"}, &thread,
                  thread.stopped_at());
  }
  if (const std::optional<Hazard> hazard = why_closed()) {
    const Thread& thread = at_grid_barrier_.front()->thread(0);
    return record(*hazard, &thread, thread.stopped_at());
  }
  ++counters_.grid_barriers;
  for (std::unique_ptr<Block>& block : at_grid_barrier_) block->pass_barrier();
  for (std::unique_ptr<Block>& block : at_grid_barrier_) {
    sort_in(block, block->run(), &at_grid_barrier_);
    if (ending_) break;
  }
  std::erase(at_grid_barrier_, nullptr);
}

std::optional<Hazard> Simulator::why_closed() const {
  const Grid& grid = launch_->grid;
  const Thread& first = at_grid_barrier_.front()->thread(0);
  std::vector<bool> here(static_cast<std::size_t>(grid.x * grid.y * grid.z));
  for (const std::unique_ptr<Block>& block : at_grid_barrier_) here[block->view().number] = true;
  if (const auto ended = std::find(here.begin(), here.end(), false); ended != here.end())
    return Hazard{HazardKind::deadlock, "block " + std::to_string(ended - here.begin()) + " has ended, and " +
                                            std::to_string(at_grid_barrier_.size()) + " wait at " + first.barrier()};
  for (const std::unique_ptr<Block>& block : at_grid_barrier_) {
    if (!block->thread(0).same_barrier(first))
      return Hazard{HazardKind::barrier_divergence, "block " + std::to_string(block->view().number) +
                                                        " waits at another grid barrier, " +
                                                        block->thread(0).barrier() + "; this is " + first.barrier()};
  }
  if (*first.counter_ == first.target_) return std::nullopt;
  return Hazard{HazardKind::bad_grid_barrier,
                "with every block there the counter is at " + std::to_string(*first.counter_) + ", not at " +
                    std::to_string(first.target_) +
                    (*first.counter_ < first.target_ ? ": it never opens" : ": it opened before the last block came")};
}

std::unique_ptr<Block> Simulator::take_block() {
  const auto pop = [](std::vector<std::unique_ptr<Block>>& blocks) {
    std::unique_ptr<Block> block = std::move(blocks.back());
    blocks.pop_back();
    return block;
  };
  if (!free_.empty()) return pop(free_);
  std::unique_ptr<Block> block = pool_.empty() ? std::make_unique<Block>(*this) : pop(pool_);
  block->start_launch(*launch_);
  return block;
}

// Blocks that still wait belong to a launch that has failed. A few are kept for the next launch: the stacks of a
// waiting grid may fill gigabytes.
void Simulator::release_blocks() {
  constexpr std::size_t kept_threads = 16 * 1024;
  for (std::vector<std::unique_ptr<Block>>* blocks : {&waiting_, &at_cluster_barrier_, &at_grid_barrier_}) {
    for (std::unique_ptr<Block>& block : *blocks) {
      if (block == nullptr) continue;
      block->abandon();
      free_.push_back(std::move(block));
    }
    blocks->clear();
  }
  std::move(free_.begin(), free_.end(), std::back_inserter(pool_));
  free_.clear();
  pool_.resize(std::min(pool_.size(), kept_threads / static_cast<std::size_t>(launch_->threads)));
}

void Simulator::record(const Hazard& hazard, const Thread* thread, Site site) {
  if (++counters_.hazards == 1) {
    first_hazard_ = std::string(name(hazard.kind)) + ": " + hazard.detail + "; kernel " + demangle(launch_->kernel);
    if (thread != nullptr)
      first_hazard_ += ", block " + print(thread->block().index) + ", thread " + std::to_string(thread->index());
    if (site.line != 0) first_hazard_ += ", " + print(site);
  }
  const bool harmless = hazard.kind != HazardKind::barrier_divergence &&
                        hazard.kind != HazardKind::shuffle_absent_lanes && hazard.kind != HazardKind::deadlock &&
                        hazard.kind != HazardKind::bad_grid_barrier && hazard.kind != HazardKind::exception;
  ending_ = ending_ || !options_.keep_going || !harmless;
}

}  // namespace onepass::sim
