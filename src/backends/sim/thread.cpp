// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/thread.hpp"

#include <cstring>
#include <exception>

#include "backends/sim/simulator.hpp"

namespace onepass::sim {
namespace {

// Unwinds a thread whose launch is over; what was wrong is recorded already.
struct Abandoned {};

}  // namespace

Thread::Thread(Simulator& simulator, int index)
    : simulator_(simulator), block_(simulator.block_), index_(index), fibre_([this] { run_body(); }) {}

Agent Thread::agent() const {
  return {.block = static_cast<std::uint32_t>(block_.number), .interval = simulator_.interval_, .thread = index_};
}

void Thread::run_body() {
  inside_ = true;
  try {
    simulator_.launch_->body(*this, simulator_.launch_->args);
  } catch (const Abandoned&) {
  } catch (const std::exception& e) {
    simulator_.record({HazardKind::exception, e.what()}, this, {});
  } catch (...) {
    simulator_.record({HazardKind::exception, "of an unknown type"}, this, {});
  }
  inside_ = false;
  state_ = State::ended;
}

void Thread::stop(State state, Site site) {
  state_ = state;
  stopped_at_ = site;
  fibre_.suspend();
  if (simulator_.ending_) throw Abandoned{};
}

void Thread::fail(const Hazard& hazard, Site site) {
  simulator_.record(hazard, this, site);
  if (simulator_.ending_) throw Abandoned{};
}

void Thread::sync(Site site) { stop(State::at_barrier, site); }

void Thread::shuffle_xor(void* value, int bytes, int mask, Site site) {
  const unsigned slot = shuffles_++ % 2;
  std::memcpy(given_[slot].data(), value, static_cast<std::size_t>(bytes));
  mask_ = mask;
  given_bytes_ = bytes;
  stop(State::at_shuffle, site);
  const Thread& partner = *simulator_.threads_[static_cast<std::size_t>(index_ ^ mask)];
  std::memcpy(value, partner.given_[slot].data(), static_cast<std::size_t>(bytes));
}

void Thread::load(const void* from, void* to, int bytes, Word word, Site site) {
  const auto address = reinterpret_cast<std::uintptr_t>(from);
  try {
    const Role role = simulator_.memory_->load(address, bytes, word, agent(), simulator_.counters_);
    const auto kind = role == Role::matrix ? WarpLog::Kind::matrix_load : WarpLog::Kind::other_load;
    simulator_.log(index_).record(lane(), site, kind, address, bytes);
  } catch (const Hazard& hazard) {
    std::memset(to, 0, static_cast<std::size_t>(bytes));
    return fail(hazard, site);
  }
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

void Thread::pass_load(int bytes, Site site) { simulator_.log(index_).pass(lane(), site, bytes); }

void Thread::store(void* to, const void* from, int bytes, Site site) {
  try {
    simulator_.memory_->store(reinterpret_cast<std::uintptr_t>(to), bytes, agent(), simulator_.counters_);
  } catch (const Hazard& hazard) {
    return fail(hazard, site);
  }
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

unsigned Thread::ticket(unsigned* counter, unsigned count, Site site) {
  try {
    simulator_.memory_->ticket(reinterpret_cast<std::uintptr_t>(counter), count, agent(), simulator_.counters_);
  } catch (const Hazard& hazard) {
    fail(hazard, site);
    return 0;
  }
  const unsigned old = *counter;
  *counter = old + 1 == count ? 0 : old + 1;
  return old;
}

void Thread::get(std::int64_t offset, void* to, int bytes, Site site) {
  try {
    simulator_.shared_.get(offset, bytes, index_, simulator_.interval_, to);
  } catch (const Hazard& hazard) {
    std::memset(to, 0, static_cast<std::size_t>(bytes));
    return fail(hazard, site);
  }
  simulator_.log(index_).record(lane(), site, WarpLog::Kind::shared, static_cast<std::uintptr_t>(offset), bytes);
}

void Thread::put(std::int64_t offset, const void* from, int bytes, Site site) {
  try {
    simulator_.shared_.put(offset, bytes, index_, simulator_.interval_, from);
  } catch (const Hazard& hazard) {
    return fail(hazard, site);
  }
  simulator_.log(index_).record(lane(), site, WarpLog::Kind::shared, static_cast<std::uintptr_t>(offset), bytes);
}

}  // namespace onepass::sim
