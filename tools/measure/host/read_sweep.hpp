// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The ceiling of the host: how fast its threads can read so many bytes, and do nothing else.
#pragma once

#include <cstddef>

namespace onepass::tools {

// `sets` pieces of `set_bytes`, one behind the other, read in turn.
struct ReadPool {
  const std::byte* data = nullptr;
  std::size_t set_bytes = 0;
  std::size_t sets = 1;
};

// Seconds to read one set by `threads` threads, each its own share, from about `seconds` of reading.
// No fork is counted: the threads meet before the clock starts and after it stops.
double read_seconds(const ReadPool& pool, int threads, double seconds);

// Likewise, to copy the first half of `bytes` over the second.
double copy_seconds(std::byte* data, std::size_t bytes, int threads, double seconds);

}  // namespace onepass::tools
