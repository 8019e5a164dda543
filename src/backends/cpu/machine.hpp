// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the operating system says of this machine's processor.
#pragma once

#include <cstdint>
#include <string>

namespace onepass::cpu {

std::string processor_name();
std::int64_t memory_bytes();

// Of one core, but for the last cache, which others may share. In bytes.
struct Caches {
  std::int64_t first = 0, second = 0, last = 0;
  int first_ways = 0;
};
const Caches& caches();

}  // namespace onepass::cpu
