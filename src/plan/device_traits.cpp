// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "plan/device_traits.hpp"

namespace onepass {

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
      .ceilings = {.empty_seconds = 1.1e-6, .launch_seconds = 0.9e-6, .bytes_per_second = 4.65e12},
  };
}

}  // namespace onepass
