// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/occupancy.hpp"

#include <algorithm>
#include <climits>
#include <cstdint>

#include "plan/registry.hpp"

namespace onepass {

int registers_of(const Plan& plan) {
  const KernelRow* const row = find_kernel(plan.kernel);
  return row == nullptr ? 255 : row->registers[static_cast<std::size_t>(elements_of(plan.problem))];
}

int resident_blocks(const Plan& plan, const DeviceTraits& traits) {
  constexpr std::int64_t reserved = 1024;  // bytes of shared memory that CUDA takes for each block
  std::int64_t blocks = INT_MAX;
  const auto limit = [&](std::int64_t of_sm, std::int64_t of_block) {
    if (of_sm > 0) blocks = std::min(blocks, of_sm / of_block);
  };
  limit(traits.max_threads_per_sm, plan.threads);
  limit(traits.max_blocks_per_sm, 1);
  // Each of the four partitions of an SM has a quarter of the registers, and gives them to a warp in eights a thread.
  const std::int64_t of_warp = 32 * ((registers_of(plan) + 7) / 8 * 8);
  if (traits.registers_per_sm > 0) limit(4 * (traits.registers_per_sm / 4 / of_warp), (plan.threads + 31) / 32);
  limit(traits.shared_bytes_per_sm, static_cast<std::int64_t>(plan.shared_bytes) + reserved);
  return static_cast<int>(std::clamp<std::int64_t>(blocks, 1, 32));
}

// More would keep the launch before from its bus: b N 289x8443 on an H200, 4.3 us with these, 4.9 with a third more.
std::int64_t prefetching_blocks(const Plan& plan, const DeviceTraits& traits) {
  // Of an SM. On an H200 z T 42x8443, with five blocks of 256 threads on an SM, takes 3.1 us with 512 and 3.5 with 768.
  const int most_threads = size_of(plan.problem.type_a) == 16 ? 512 : 768;
  const int most = std::max(most_threads / plan.threads, 1);
  return std::int64_t{std::min(resident_blocks(plan, traits), most)} * traits.sm_count;
}

std::int64_t blocks_of_wave(const Plan& plan, const DeviceTraits& traits) {
  return std::int64_t{resident_blocks(plan, traits)} * traits.sm_count;
}

}  // namespace onepass
