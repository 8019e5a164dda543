// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a plan may know of a device: plain numbers, so that plans are made and tested without one; and how many blocks
// of a launch it holds.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

#include "problem/combinations.hpp"
#include "problem/cost.hpp"

namespace onepass {

struct KernelId;
struct Plan;
struct TuningTables;

struct DeviceTraits {
  std::string name;
  int arch = 0;  // compute capability times ten; 0 on a host
  int sm_count = 0;
  int max_threads_per_sm = 0;
  int max_blocks_per_sm = 0;
  int registers_per_sm = 0;
  int shared_bytes_per_sm = 0;
  int clusters_of_four = 0;  // at once, of blocks that have an SM each; 0: not known
  std::int64_t l2_bytes = 0;
  std::int64_t memory_bytes = 0;
  double clock_hertz = 0;  // of an SM; 0: not known
  int threads = 0;         // of a host
  std::string features;    // in words: instruction set, "no SIMD library", ...
  Ceilings ceilings;
  const TuningTables* tuning = nullptr;  // of the user; null: none

  bool operator==(const DeviceTraits&) const = default;
};

inline constexpr std::size_t reserved_shared_bytes = 1024;  // that CUDA takes for each block

inline constexpr double h200_bytes_per_second = 4.65e12;  // that it reads
// The device of the targets, for tests and for the simulator.
DeviceTraits h200_traits();

// For a thread, as its kernel was compiled.
int registers_of(const Plan& plan);

// Blocks that an SM holds at once, by its threads, blocks, registers and shared memory; at least one. A limit that the
// traits do not know is none.
int resident_blocks(const Plan& plan, const DeviceTraits& traits);
inline int resident_blocks(int warps, int threads, std::size_t shared_bytes, const DeviceTraits& traits) {
  const int most = traits.max_blocks_per_sm > 0 ? std::min(traits.max_blocks_per_sm, 32) : 32;
  const int blocks = std::clamp(warps / ((threads + 31) / 32), 1, most);
  const auto held = static_cast<std::size_t>(traits.shared_bytes_per_sm), shared = shared_bytes + reserved_shared_bytes;
  if (held == 0 || static_cast<std::size_t>(blocks) * shared <= held) return blocks;
  return std::max(static_cast<int>(held / shared), 1);
}
// Warps of a kernel that it holds at once, by their threads and registers.
int resident_warps(KernelId kernel, ElementsId elements, const DeviceTraits& traits);

// Those that the whole device holds, and those of them that prefetch before the grid-dependency wait.
std::int64_t blocks_of_wave(const Plan& plan, const DeviceTraits& traits);
std::int64_t prefetching_blocks(const Plan& plan, const DeviceTraits& traits);

}  // namespace onepass
