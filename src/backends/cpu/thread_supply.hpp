// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How many threads the system grants. Where it refuses one, OpenMP's runtime ends the process: so they are asked for
// before.
#pragma once

#include <algorithm>

namespace onepass::cpu {

// The largest team that the calling thread has had or could have had. OpenMP has threads for each caller.
inline constinit thread_local int granted_before = 1;

// Makes a team of so many threads and ends it. As many as there could be at once, at least 1.
int ask_for_threads(int threads);

inline int granted_threads(int threads) {
  return threads <= granted_before ? threads : std::min(threads, ask_for_threads(threads));
}

}  // namespace onepass::cpu
