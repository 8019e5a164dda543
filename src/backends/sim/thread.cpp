// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/thread.hpp"

#include <algorithm>
#include <cstring>
#include <exception>

#include "backends/sim/block.hpp"
#include "backends/sim/simulator.hpp"

namespace onepass::sim {
namespace {

// Unwinds a thread whose launch is over; what was wrong is recorded already.
struct Abandoned {};

std::uintptr_t address_of(const void* p) { return reinterpret_cast<std::uintptr_t>(p); }

}  // namespace

Thread::Thread(Simulator& simulator, Block& block, int index, std::span<std::byte> stack)
    : simulator_(simulator), block_(block), view_(block.view()), index_(index), fibre_(block.caller(), stack, [this] {
        return run_body();
      }) {}

Fibre* Thread::run_body() {
  inside_ = true;
  try {
    simulator_.launch().body(*this, simulator_.launch().args);
  } catch (const Abandoned&) {
  } catch (const std::exception& e) {
    simulator_.record({HazardKind::exception, e.what()}, this, {});
  } catch (...) {
    simulator_.record({HazardKind::exception, "of an unknown type"}, this, {});
  }
  inside_ = false;
  state_ = State::ended;
  return block_.ready_after(index_);
}

void Thread::stop(State state, Site site) {
  state_ = state;
  stopped_at_ = site;
  fibre_.suspend(block_.ready_after(index_));
  if (simulator_.ending()) throw Abandoned{};
}

void Thread::fail(const Hazard& hazard, Site site) {
  simulator_.record(hazard, this, site);
  if (simulator_.ending()) throw Abandoned{};
}

Agent Thread::agent() const {
  return {.block = view_.number,
          .thread = index_,
          .waited = waited_,
          .interval = block_.interval(),
          .grid_barriers = static_cast<std::uint32_t>(simulator_.counters().grid_barriers)};
}

SharedUser Thread::shared_user() const {
  return {.thread = index_, .interval = block_.interval(), .warp_barriers = warp_barriers_};
}

void Thread::sync(Site site) { stop(State::at_barrier, site); }

void Thread::sync_warp(Site site) {
  const char nothing = 0;
  meet(&nothing, sizeof(nothing), 0, site);
  ++warp_barriers_;
}

void Thread::cluster_barrier(Site site) { stop(State::at_cluster_barrier, site); }

void Thread::grid_barrier(std::uint32_t* counter, std::uint32_t target, Site site) {
  counter_ = counter;
  target_ = target;
  stop(State::at_grid_barrier, site);
}

std::string Thread::barrier() const {
  if (state_ == State::at_barrier) return "the barrier " + print(stopped_at_);
  if (state_ == State::at_cluster_barrier) return "the barrier of a cluster " + print(stopped_at_);
  return "the grid barrier " + print(stopped_at_) + " for " + std::to_string(target_) + " arrivals";
}

bool Thread::same_barrier(const Thread& other) const {
  return state_ == other.state_ && stopped_at_ == other.stopped_at_ &&
         (state_ != State::at_grid_barrier || (counter_ == other.counter_ && target_ == other.target_));
}

unsigned Thread::meet(const void* value, int bytes, int mask, Site site) {
  const unsigned slot = shuffles_++ % 2;
  std::memcpy(given_[slot].data(), value, static_cast<std::size_t>(bytes));
  mask_ = mask;
  given_bytes_ = bytes;
  stop(State::at_shuffle, site);
  return slot;
}

void Thread::shuffle(void* value, int bytes, int mask, int from, Site site) {
  const unsigned slot = meet(value, bytes, mask, site);
  std::memcpy(value, block_.thread(from).given_[slot].data(), static_cast<std::size_t>(bytes));
}

void Thread::gather(const void* value, int bytes, void* of_lanes, Site site) {
  const unsigned slot = meet(value, bytes, 0, site);
  const int first = index_ / warp_lanes * warp_lanes;
  auto* to = static_cast<unsigned char*>(of_lanes);
  for (int t = first; t < first + warp_lanes; ++t, to += bytes)
    std::memcpy(to, block_.thread(t).given_[slot].data(), static_cast<std::size_t>(bytes));
}

// Whether the access may happen; `check` throws a Hazard if not.
template <class Check>
bool Thread::allowed(Site site, Check check) {
  try {
    check(simulator_.memory());
    return true;
  } catch (const Hazard& hazard) {
    fail(hazard, site);
    return false;
  }
}

void Thread::log(WarpLog::Kind kind, std::uintptr_t address, int bytes, Site site) {
  if (WarpLog* log = block_.log(index_)) log->record(lane(), site, kind, address, bytes);
}

void Thread::copy(WarpLog::Kind kind, const void* from, void* to, int bytes, Site site) {
  log(kind, address_of(from), bytes, site);
  std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

void Thread::load(const void* from, void* to, int bytes, Access access, Site site) {
  bool matrix = false;
  const auto check = [&](GlobalMemory& m) {
    matrix = m.load(address_of(from), bytes, access, agent(), simulator_.counters());
  };
  if (allowed(site, check)) {
    copy(matrix ? WarpLog::Kind::matrix_load : WarpLog::Kind::other_load, from, to, bytes, site);
  } else {
    std::memset(to, 0, static_cast<std::size_t>(bytes));
  }
}

void Thread::load_vector(const void* vector, void* to, int from_element, int to_element, int element_bytes, Site site) {
  constexpr int vector_bytes = 16;
  const int first = std::max(from_element, 0) * element_bytes;
  const int last = std::min(to_element, vector_bytes / element_bytes) * element_bytes;
  const auto check = [&](GlobalMemory& m) {
    m.load_vector(address_of(vector), first, last - first, agent(), simulator_.counters());
  };
  if (allowed(site, check)) copy(WarpLog::Kind::matrix_load, vector, to, vector_bytes, site);
}

void Thread::pass_load(int bytes, Site site) {
  if (WarpLog* log = block_.log(index_)) log->pass(lane(), site, bytes);
}

void Thread::store(void* to, const void* from, int bytes, Site site) {
  if (allowed(site, [&](GlobalMemory& m) { m.store(address_of(to), bytes, agent()); }))
    std::memcpy(to, from, static_cast<std::size_t>(bytes));
}

bool Thread::add(void* to, int bytes, Site site) {
  return allowed(site, [&](GlobalMemory& m) { m.add(address_of(to), bytes, agent(), simulator_.counters()); });
}

void Thread::prefetch(const void* address, Site site) {
  allowed(site, [&](GlobalMemory& m) { m.prefetch(address_of(address), simulator_.counters()); });
}

void Thread::publish(void* mailbox, const void* sum, int bytes, Site site) {
  if (allowed(site, [&](GlobalMemory& m) { m.publish(address_of(mailbox), bytes, agent(), simulator_.counters()); }))
    std::memcpy(mailbox, sum, static_cast<std::size_t>(bytes));
}

void Thread::poll(const void* mailbox, void* sum, int bytes, Site site) {
  if (allowed(site, [&](GlobalMemory& m) { m.poll(address_of(mailbox), bytes, agent(), simulator_.counters()); }))
    std::memcpy(sum, mailbox, static_cast<std::size_t>(bytes));
}

void Thread::reset(void* mailbox, int bytes, Site site) {
  if (allowed(site, [&](GlobalMemory& m) { m.reset(address_of(mailbox), bytes, agent(), simulator_.counters()); }))
    std::memset(mailbox, 0, static_cast<std::size_t>(bytes));
}

void Thread::give_way(Site site) { stop(State::giving_way, site); }

void Thread::get(std::int64_t offset, void* to, int bytes, Site site) {
  if (allowed(site, [&](GlobalMemory&) { block_.shared().get(offset, bytes, shared_user(), to); })) {
    log(WarpLog::Kind::shared, static_cast<std::uintptr_t>(offset), bytes, site);
  } else {
    std::memset(to, 0, static_cast<std::size_t>(bytes));
  }
}

void Thread::put(std::int64_t offset, const void* from, int bytes, Site site) {
  if (allowed(site, [&](GlobalMemory&) { block_.shared().put(offset, bytes, shared_user(), from); }))
    log(WarpLog::Kind::shared, static_cast<std::uintptr_t>(offset), bytes, site);
}

void Thread::put_in_cluster(std::int64_t offset, const void* from, int bytes, int rank, Site site) {
  const int own = static_cast<int>(view_.number) % simulator_.launch().cluster;
  if (rank == own) return put(offset, from, bytes, site);
  if (rank < 0 || rank >= simulator_.launch().cluster)
    return fail({HazardKind::shared_out_of_bounds,
                 "block " + std::to_string(rank) + " of a cluster of " + std::to_string(simulator_.launch().cluster)},
                site);
  Block::Sent sent{.rank = rank, .thread = index_, .offset = offset, .bytes = bytes, .data = {}};
  std::memcpy(sent.data.data(), from, static_cast<std::size_t>(bytes));
  block_.send(sent);
}

void Thread::check_run(std::int64_t bytes, Site site) {
  if (bytes >= 0 && bytes % 16 == 0) return;
  fail({HazardKind::shared_out_of_bounds,
        "a copy of " + std::to_string(bytes) + " bytes, which must be 0 or a multiple of 16"},
       site);
}

void Thread::start_copy(std::int64_t offset, const void* from, int bytes, const void* source, Site site) {
  Copy copy{.offset = offset,
            .bytes = bytes,
            .data = {},
            .source = source,
            .stores_before = simulator_.memory().stores(),
            .group = group_};
  std::memcpy(copy.data.data(), from, static_cast<std::size_t>(bytes));
  if (allowed(site, [&](GlobalMemory&) { block_.shared().expect(offset, bytes, shared_user()); }))
    copies_.push_back(copy);
}

void Thread::wait_for_copies_but(unsigned groups, Site site) {
  if (group_ > groups) finish_copies(group_ - groups - 1, site);
}

void Thread::finish_copies(unsigned last, Site site) {
  for (; !copies_.empty() && copies_.front().group <= last; copies_.pop_front()) {
    const Copy& copy = copies_.front();
    put(copy.offset, copy.data.data(), copy.bytes, site);
    if (copy.source == nullptr) continue;
    allowed(site,
            [&](GlobalMemory& m) { m.finish_copy(address_of(copy.source), copy.bytes, copy.stores_before, agent()); });
  }
}

}  // namespace onepass::sim
