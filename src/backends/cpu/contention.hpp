// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Whether threads pay at present. OpenMP waits for every thread of a team, also for one that has no core: with another
// program on that core a product can take 50 times as long. A caller that had to wait so works alone for a while.
#pragma once

#include <algorithm>
#include <chrono>

namespace onepass::cpu {

class Contention {
 public:
  using Clock = std::chrono::steady_clock;

  bool works_alone() const { return alone_ != Clock::duration{} && works_alone(Clock::now()); }
  bool works_alone(Clock::time_point now) const { return now < alone_until_; }

  // Whether to measure how long the caller waits for the others. Not before a product that took long: each look at the
  // clock is a hundredth of a product of 300x300.
  bool watches() const { return watches_; }

  // After a product with threads that took `time`, `waited` of it for the others if that was measured. They have as
  // much to do as the caller: waiting for longer than that is lost. The caller then works alone for as long as was
  // lost, or for twice as long as the last time if that is not `memory` times as long ago. So it loses a small part of
  // its time at most, and little where threads are hindered once.
  void look_back(Clock::time_point now, Clock::duration time, Clock::duration waited) {
    watches_ = time >= noticed;
    if (const Clock::duration lost = waited - (time - waited); lost >= noticed) lose(now, lost);
  }
  void lose(Clock::time_point now, Clock::duration lost) {
    const bool again = now < alone_until_ + memory * alone_;
    alone_ = std::min<Clock::duration>(again ? std::max(2 * alone_, lost) : lost, longest);
    alone_until_ = now + alone_;
  }

  static constexpr std::chrono::microseconds noticed{100};
  static constexpr std::chrono::milliseconds longest{200};
  static constexpr int memory = 10;

 private:
  bool watches_ = false;
  Clock::duration alone_{};
  Clock::time_point alone_until_{};
};

// Steps that take about as long as each other, but for the first of them: what one of them has lost.
class Pace {
 public:
  using Clock = Contention::Clock;

  explicit Pace(Clock::time_point begin) : before_(begin) {}

  // By the step that ends now.
  Clock::duration lost(Clock::time_point now) {
    const Clock::duration time = now - before_;
    before_ = now;
    fastest_ = std::min(fastest_, time);
    return time > 3 * fastest_ + Contention::noticed ? time - fastest_ : Clock::duration{};
  }

 private:
  Clock::time_point before_;
  Clock::duration fastest_ = std::chrono::hours(1);
};

}  // namespace onepass::cpu
