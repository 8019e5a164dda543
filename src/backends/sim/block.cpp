// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/block.hpp"

#include <algorithm>
#include <string>

#include "backends/sim/simulator.hpp"

namespace onepass::sim {

void Block::start_launch(const Launch& launch) {
  view_ = {.index = {}, .grid = launch.grid, .number = 0, .threads = launch.threads};
  interval_ = 0;
  shared_.start_launch(launch.shared_bytes);
  const auto warps = static_cast<std::size_t>(this->warps());
  logs_.assign(simulator_.options().count_instructions ? warps : 0, {});
  while (stacks_.size() < warps) stacks_.emplace_back();
  for (int t = static_cast<int>(threads_.size()); t < launch.threads; ++t) {
    const Stacks& stacks = stacks_[static_cast<std::size_t>(t / warp_lanes)];
    threads_.push_back(std::make_unique<Thread>(simulator_, *this, t, stacks[t % warp_lanes]));
  }
}

void Block::start(std::uint32_t number) {
  const Grid& grid = view_.grid;
  view_.number = number;
  view_.index = {.x = number % grid.x, .y = number / grid.x % grid.y, .z = number / grid.x / grid.y};
  shared_.start_block(++interval_);
  sent_.clear();
  for (int t = 0; t < view_.threads; ++t) at(t).start();
}

// Each warp runs until all of its threads are at a barrier, wait for partial sums or have ended; then the barrier opens
// if all are there.
Block::Stop Block::run() {
  for (int t = 0; t < view_.threads; ++t) {
    if (at(t).state_ == Thread::State::giving_way) at(t).state_ = Thread::State::ready;
  }
  const int warps = this->warps();
  const bool reverse = simulator_.options().reverse_threads;
  Meeting meeting = Meeting::met;
  while (meeting == Meeting::met && !simulator_.ending()) {
    for (int w = 0; w < warps && !simulator_.ending(); ++w) run_warp(reverse ? warps - 1 - w : w);
    if (!simulator_.ending()) meeting = meet_at_barrier();
  }
  if (simulator_.ending()) abandon();
  if (simulator_.ending() || meeting == Meeting::ended) return Stop::ended;
  if (meeting == Meeting::waits) return Stop::waits;
  return meeting == Meeting::at_cluster_barrier ? Stop::at_cluster_barrier : Stop::at_grid_barrier;
}

void Block::abandon() {
  for (int t = 0; t < view_.threads; ++t) {
    if (at(t).inside_) at(t).fibre_.resume();
  }
}

const Thread& Block::waiting() const {
  return **std::find_if(threads_.begin(), threads_.end(),
                        [](const auto& thread) { return thread->state_ == Thread::State::giving_way; });
}

void Block::run_warp(int warp) {
  const int first = warp * warp_lanes;
  const int last = std::min(first + warp_lanes, view_.threads) - 1;
  do {
    if (Fibre* fibre = next_ready(warp, simulator_.options().reverse_threads ? last : first)) fibre->resume();
    if (simulator_.ending()) return;
  } while (meet_at_shuffle(warp));
}

Fibre* Block::next_ready(int warp, int index) {
  if (simulator_.ending()) return nullptr;
  const int first = warp * warp_lanes, end = std::min(first + warp_lanes, view_.threads);
  const int step = simulator_.options().reverse_threads ? -1 : 1;
  for (; index >= first && index < end; index += step)
    if (at(index).state_ == Thread::State::ready) return &at(index).fibre_;
  return nullptr;
}

Fibre* Block::ready_after(int index) {
  return next_ready(index / warp_lanes, index + (simulator_.options().reverse_threads ? -1 : 1));
}

// Whether the warp stands at a shuffle and may go on.
bool Block::meet_at_shuffle(int warp) {
  const int first = warp * warp_lanes;
  const int count = std::min(warp_lanes, view_.threads - first);
  const Thread* waiting = nullptr;
  const Thread* other = nullptr;
  for (int t = first; t < first + count; ++t) {
    const Thread& thread = at(t);
    if (thread.state_ == Thread::State::giving_way) return false;  // not here yet
    (thread.state_ == Thread::State::at_shuffle ? waiting : other) = &thread;
  }
  if (waiting == nullptr) return false;
  const Site site = waiting->stopped_at_;
  const auto fail = [&](HazardKind kind, const std::string& detail) {
    simulator_.record({kind, detail}, waiting, site);
    return false;
  };
  if (other != nullptr && other->at_some_barrier())
    return fail(HazardKind::barrier_divergence, "thread " + std::to_string(other->index_) + " waits at " +
                                                    other->barrier() + ", others of its warp at a shuffle");
  if (other != nullptr)
    return fail(HazardKind::shuffle_absent_lanes, "thread " + std::to_string(other->index_) + " has ended");
  if (count < warp_lanes)
    return fail(HazardKind::shuffle_absent_lanes, "the warp has " + std::to_string(count) + " threads");
  for (int t = first; t < first + count; ++t) {
    Thread& thread = at(t);
    if (thread.stopped_at_ != site || thread.mask_ != waiting->mask_ || thread.given_bytes_ != waiting->given_bytes_ ||
        thread.mask_ < 0 || thread.mask_ >= warp_lanes)
      return fail(HazardKind::shuffle_absent_lanes, "thread " + std::to_string(thread.index_) +
                                                        " is at another shuffle, " + print(thread.stopped_at_) +
                                                        " with mask " + std::to_string(thread.mask_));
    thread.state_ = Thread::State::ready;
  }
  if (!logs_.empty()) logs_[static_cast<std::size_t>(warp)].flush(simulator_.counters());
  ++simulator_.counters().shuffles;
  return true;
}

// What the block may do now that no thread of it can go on.
Block::Meeting Block::meet_at_barrier() {
  const Thread* waiting = nullptr;
  const Thread* ended = nullptr;
  for (int t = 0; t < view_.threads; ++t) {
    const Thread& thread = at(t);
    if (thread.state_ == Thread::State::giving_way) return Meeting::waits;
    (thread.at_some_barrier() ? waiting : ended) = &thread;
  }
  for (WarpLog& log : logs_) log.flush(simulator_.counters());
  if (waiting == nullptr) return Meeting::ended;
  const auto fail = [&](const std::string& detail) {
    simulator_.record({HazardKind::barrier_divergence, detail}, waiting, waiting->stopped_at_);
    return Meeting::ended;
  };
  if (ended != nullptr) return fail("thread " + std::to_string(ended->index_) + " has ended");
  for (int t = 0; t < view_.threads; ++t) {
    if (!at(t).same_barrier(*waiting))
      return fail("thread " + std::to_string(t) + " waits at another barrier, " + at(t).barrier());
  }
  if (waiting->state_ == Thread::State::at_grid_barrier) return arrive();
  if (waiting->state_ == Thread::State::at_cluster_barrier) return Meeting::at_cluster_barrier;
  for (int t = 0; t < view_.threads; ++t) at(t).state_ = Thread::State::ready;
  ++interval_;
  ++simulator_.counters().barriers;
  return Meeting::met;
}

// As thread 0 does on a device.
Block::Meeting Block::arrive() {
  const Thread& thread = at(0);
  try {
    simulator_.memory().arrive(reinterpret_cast<std::uintptr_t>(thread.counter_), thread.agent());
  } catch (const Hazard& hazard) {
    simulator_.record(hazard, &thread, thread.stopped_at_);
    return Meeting::ended;
  }
  ++*thread.counter_;
  return Meeting::at_grid_barrier;
}

void Block::deliver_to(Block& block, int rank) {
  for (const Sent& sent : sent_) {
    if (sent.rank != rank) continue;
    const Thread& thread = at(sent.thread);
    try {
      // A thread that no thread of that block is.
      const int other =
          view_.threads * (1 + static_cast<int>(view_.number) % simulator_.launch().cluster) + sent.thread;
      block.shared_.put(sent.offset, sent.bytes, {.thread = other, .interval = block.interval_}, sent.data.data());
    } catch (const Hazard& hazard) {
      simulator_.record(hazard, &thread, thread.stopped_at_);
    }
  }
}

void Block::pass_barrier() {
  sent_.clear();
  for (int t = 0; t < view_.threads; ++t) at(t).state_ = Thread::State::ready;
  ++interval_;
}

}  // namespace onepass::sim
