// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "backends/sim/warp_log.hpp"

#include <algorithm>

namespace onepass::sim {

void WarpLog::flush(Counters& counters) {
  for (Instructions& at : sites_) {
    for (const Row& row : at.rows) {
      if (row.lanes == 0) continue;  // all lanes sat it out
      if (row.kind == Kind::shared) {
        ++counters.shared_accesses;
        counters.bank_conflicts += bank_conflicts(row, at.bytes);
        continue;
      }
      ++counters.load_instructions;
      if (row.kind == Kind::matrix_load) counters.matrix_sectors_requested += sectors(row);
    }
    at.rows.clear();
    at.next.fill(0);
  }
}

// Distinct sectors of 32 bytes. An aligned access of at most 16 bytes lies in one of them.
std::int64_t WarpLog::sectors(const Row& row) {
  std::array<std::uintptr_t, warp_lanes> sector;
  std::size_t count = 0;
  for (int lane = 0; lane < warp_lanes; ++lane) {
    if ((row.lanes >> lane & 1u) == 0) continue;
    const std::uintptr_t next = row.address[static_cast<std::size_t>(lane)] / 32;
    if (count == 0 || sector[count - 1] != next) sector[count++] = next;
  }
  const auto end = sector.begin() + static_cast<std::ptrdiff_t>(count);
  std::sort(sector.begin(), end);
  return std::unique(sector.begin(), end) - sector.begin();
}

// 32 banks of 4 bytes; a bank serves one word per wavefront, to any number of lanes. Accesses of 8
// bytes go by half warps, of 16 bytes by quarters, each of which takes one wavefront at least.
std::int64_t WarpLog::bank_conflicts(const Row& row, int bytes) {
  const int part = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
  const int words = bytes <= 4 ? 1 : bytes / 4;
  std::int64_t extra = 0;
  for (int first = 0; first < warp_lanes; first += part) {
    std::array<std::uintptr_t, warp_lanes> word;
    std::array<std::uintptr_t, 32> seen_first;
    std::uint32_t seen = 0;
    std::size_t count = 0;
    bool conflict = false;
    for (int lane = first; lane < first + part; ++lane) {
      if ((row.lanes >> lane & 1u) == 0) continue;
      for (int w = 0; w < words; ++w) {
        const std::uintptr_t next = row.address[static_cast<std::size_t>(lane)] / 4 + static_cast<std::uintptr_t>(w);
        const std::size_t bank = next % 32;
        if ((seen >> bank & 1u) == 0) {
          seen |= 1u << bank;
          seen_first[bank] = next;
        } else if (seen_first[bank] == next) {
          continue;
        } else {
          conflict = true;
        }
        word[count++] = next;
      }
    }
    if (!conflict) continue;  // as it should be, and nearly always is
    const auto end = word.begin() + static_cast<std::ptrdiff_t>(count);
    std::sort(word.begin(), end);
    const auto distinct = std::unique(word.begin(), end);
    std::array<int, 32> wavefronts{};
    int most = 1;
    for (auto w = word.begin(); w != distinct; ++w) most = std::max(most, ++wavefronts[*w % 32]);
    extra += most - 1;
  }
  return extra;
}

}  // namespace onepass::sim
