// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The plans of the problems that a handle saw lately: a program calls a few shapes over and over.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "plan/plan.hpp"

namespace onepass {

class PlanCache {
 public:
  // The plan for a problem and the number of host threads that it may take; null if it is not there.
  const Plan* find(const Problem& problem, int threads) const {
    const Entry& entry = entries_[slot(problem)];
    return entry.threads == threads && entry.plan.problem == problem ? &entry.plan : nullptr;
  }
  const Plan& put(const Plan& plan, int threads) {
    Entry& entry = entries_[slot(plan.problem)];
    entry = {.threads = threads, .plan = plan};
    return entry.plan;
  }

 private:
  struct Entry {
    int threads = -1;
    Plan plan;
  };
  static std::size_t slot(const Problem& p) {
    const std::int64_t kind = static_cast<int>(p.routine) * 128 + static_cast<int>(p.uplo) * 64 +
                              static_cast<int>(p.type_a) * 8 + static_cast<int>(p.op) * 2 + static_cast<int>(p.layout) +
                              static_cast<int>(p.accumulate) * 1024 + static_cast<int>(p.tails) * 4096 +
                              static_cast<int>(p.order) * 16384;
    auto h = static_cast<std::uint64_t>(p.m);
    for (const std::int64_t field : {p.n, p.lda, p.batch, p.alignment_a, kind})
      h = h * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(field);
    return static_cast<std::size_t>((h * 0x9e3779b97f4a7c15u) >> 58);
  }

  std::array<Entry, 64> entries_;
};

}  // namespace onepass
