// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// GPUs that nobody tuned: their traits as the makers publish them, so that the model can be tried on each.
#pragma once

#include <ostream>
#include <vector>

#include "plan/device_traits.hpp"

namespace onepass {

// Of a failed test, in place of the bytes.
inline void PrintTo(const DeviceTraits& traits, std::ostream* out) { *out << traits.name; }

}  // namespace onepass

namespace onepass::test {

// Bandwidth is 94.5 % of the pins, as the cuda backend assumes before anything is measured.
inline DeviceTraits gpu(const char* name, int arch, int sms, int threads, int blocks, int shared_kib, double l2_mib,
                        double memory_gb, double clock_ghz, double pins_gbs) {
  DeviceTraits t;
  t.name = name;
  t.arch = arch;
  t.sm_count = sms;
  t.max_threads_per_sm = threads;
  t.max_blocks_per_sm = blocks;
  t.registers_per_sm = 65536;
  t.shared_bytes_per_sm = shared_kib * 1024;
  t.l2_bytes = static_cast<std::int64_t>(l2_mib * 1048576);
  t.memory_bytes = static_cast<std::int64_t>(memory_gb * 1e9);
  t.clock_hertz = clock_ghz * 1e9;
  t.ceilings = {.empty_seconds = 1.1e-6, .launch_seconds = 0.9e-6, .bytes_per_second = 0.945e9 * pins_gbs};
  return t;
}

inline std::vector<DeviceTraits> untuned_gpus() {
  return {gpu("A100", 80, 108, 2048, 32, 164, 40, 80, 1.41, 2039),
          gpu("H100", 90, 132, 2048, 32, 228, 50, 80, 1.98, 3350),
          h200_traits(),
          gpu("B200", 100, 148, 2048, 32, 228, 126, 180, 1.965, 8000),
          gpu("L40S", 89, 142, 1536, 24, 100, 96, 48, 2.52, 864),
          gpu("RTX 4090", 89, 128, 1536, 24, 100, 72, 24, 2.52, 1008),
          gpu("GTX 1050 Ti", 61, 6, 2048, 32, 96, 1, 4, 1.392, 112)};
}

}  // namespace onepass::test
