// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The rungs of the lineage on the simulator: what they ask of memory, and their results.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "ladder/seeds/seeds.hpp"

namespace onepass::tools::ladder {

// Of all launches of a rung, counted by warps.
struct SeedTraffic {
  std::int64_t sectors_requested = 0, sectors_needed = 0;  // of A, 32 bytes each
  std::int64_t elements_again = 0, elements_never = 0;     // of A, read more than once, or not at all
  std::int64_t loads = 0, shared_accesses = 0, barriers = 0;
  std::int64_t atomic_adds = 0, partial_sums = 0;  // of threads
  int launches = 0;

  bool reads_once() const { return elements_again == 0 && elements_never == 0; }
};

struct SeedSimulated {
  SeedTraffic traffic;
  std::vector<std::byte> y;
};

// Operands in the type of the problem, on multiples of 256 bytes; nothing in builds without the simulator.
std::optional<SeedSimulated> simulate_seed(const Seed& seed, const Problem& p, const std::byte* a, const std::byte* x);
std::optional<SeedSimulated> simulate_onepass(const Problem& p, const std::byte* a, const std::byte* x);

}  // namespace onepass::tools::ladder
