// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The accesses of one warp, put back together into the instructions that its lanes run in step.
//
// Lanes run one after the other here. The k-th access of each lane at one site, counted from the last
// point where the warp met (shuffle or barrier), is taken for one instruction of the warp.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backends/sim/counters.hpp"
#include "backends/sim/memory/site.hpp"

namespace onepass::sim {

inline constexpr int warp_lanes = 32;

class WarpLog {
 public:
  enum class Kind : std::uint8_t { matrix_load, other_load, shared };

  void record(int lane, Site site, Kind kind, std::uintptr_t address, int bytes) {
    Instructions& at = find(site, bytes);
    const std::uint32_t k = at.next[static_cast<std::size_t>(lane)]++;
    if (k >= at.rows.size()) at.rows.resize(k + 1);
    at.rows[k].address[static_cast<std::size_t>(lane)] = address;
    at.rows[k].kind = kind;
    at.rows[k].lanes |= 1u << lane;
  }
  // A lane that sits out an instruction that others of its warp run.
  void pass(int lane, Site site, int bytes) { ++find(site, bytes).next[static_cast<std::size_t>(lane)]; }
  // The warp has met: count its instructions and forget them.
  void flush(Counters& counters);

 private:
  struct Row {
    std::array<std::uintptr_t, warp_lanes> address;
    std::uint32_t lanes = 0;
    Kind kind = Kind::other_load;
  };
  struct Instructions {
    Site site;
    int bytes = 0;
    std::array<std::uint32_t, warp_lanes> next{};
    std::vector<Row> rows;
  };

  Instructions& find(Site site, int bytes) {
    for (std::size_t n = sites_.size(); n > 0; --n) {
      if (last_ == sites_.size()) last_ = 0;
      if (sites_[last_].site == site && sites_[last_].bytes == bytes) return sites_[last_];
      ++last_;
    }
    last_ = sites_.size();
    return sites_.emplace_back(Instructions{.site = site, .bytes = bytes, .next = {}, .rows = {}});
  }

  static std::int64_t sectors(const Row& row);
  static std::int64_t bank_conflicts(const Row& row, int bytes);

  std::vector<Instructions> sites_;
  std::size_t last_ = 0;
};

}  // namespace onepass::sim
