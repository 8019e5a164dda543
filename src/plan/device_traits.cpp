// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/device_traits.hpp"

#include <algorithm>
#include <climits>

#include "plan/registry.hpp"

namespace onepass {
namespace {

int registers_of(KernelId kernel, ElementsId elements) {
  const KernelRow* const row = find_kernel(kernel);
  return row == nullptr ? 255 : row->registers[static_cast<std::size_t>(elements)];
}

}  // namespace

DeviceTraits h200_traits() {
  return {
      .name = "NVIDIA H200",
      .arch = 90,
      .sm_count = 132,
      .max_threads_per_sm = 2048,
      .max_blocks_per_sm = 32,
      .registers_per_sm = 65536,
      .shared_bytes_per_sm = 233472,
      .clusters_of_four = 30,
      .l2_bytes = 60 * 1024 * 1024,
      .memory_bytes = 150'000'000'000,
      .clock_hertz = 1.98e9,
      .threads = 0,
      .features = "",
      .ceilings = {.empty_seconds = 1.1e-6, .launch_seconds = 0.9e-6, .bytes_per_second = h200_bytes_per_second},
  };
}

int registers_of(const Plan& plan) { return registers_of(plan.kernel, elements_of(plan.problem)); }

int resident_warps(KernelId kernel, ElementsId elements, const DeviceTraits& traits) {
  const int most = traits.max_threads_per_sm > 0 ? traits.max_threads_per_sm / 32 : INT_MAX;
  // Each of the four partitions of an SM has a quarter of the registers, and gives them to a warp in eights a thread.
  const int of_warp = 32 * ((registers_of(kernel, elements) + 7) / 8 * 8);
  if (traits.registers_per_sm == 0 || of_warp == 0) return most;
  return std::min(most, 4 * (traits.registers_per_sm / 4 / of_warp));
}

int resident_blocks(const Plan& plan, const DeviceTraits& traits) {
  return resident_blocks(resident_warps(plan.kernel, elements_of(plan.problem), traits), plan.threads,
                         plan.shared_bytes, traits);
}

// More would keep the launch before from its bus: b N 289x8443 on an H200, 4.3 us with these, 4.9 with a third more.
std::int64_t prefetching_blocks(const Plan& plan, const DeviceTraits& traits) {
  // On an H200 z T 42x8443, with five blocks of 256 threads on an SM, takes 3.1 us with 512 and 3.5 with 768.
  const int most_threads = size_of(plan.problem.type_a) == 16 ? 512 : 768;
  const int most = std::max(most_threads / plan.threads, 1);
  return std::int64_t{std::min(resident_blocks(plan, traits), most)} * traits.sm_count;
}

std::int64_t blocks_of_wave(const Plan& plan, const DeviceTraits& traits) {
  return std::int64_t{resident_blocks(plan, traits)} * traits.sm_count;
}

}  // namespace onepass
