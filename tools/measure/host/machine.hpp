// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the host is: its processor, caches and free memory, and when its other threads are at rest.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace onepass::tools {

std::string processor_name();

// Data caches of one core from the nearest on, in bytes. A guess where the system does not say.
std::vector<std::size_t> cache_sizes();

std::size_t available_memory();
// Ends the program where so many bytes more would take memory from others.
void require_memory(double bytes);

// Waits until no thread of this process spins: pools of threads burn a core for a while after their last
// call, which the next one to be timed would pay for.
void wait_for_idle_threads();

}  // namespace onepass::tools
