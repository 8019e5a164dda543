// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Memory that captured graphs use. It outlives the handle, and passes to other graphs once its own is gone.
#pragma once

#include <cstddef>
#include <memory>

#include "backends/device_memory.hpp"
#include "device/timeout_flag.hpp"

namespace onepass::graph_memory {

// Memory of zeros for launches that `stream` is being captured for; the graph holds it, and the flag that they set.
Status allocate(const DeviceMemory& memory, Stream stream, std::size_t bytes, std::shared_ptr<TimeoutFlag> flag,
                void** data);

// Frees what graphs that are gone have left, and no other has taken since. They leave it from a thread of the driver,
// which must not free.
void release_unused();

// A launch gave up waiting: what graphs use now may not be zeros when they leave it, and is not given to others.
void distrust();

}  // namespace onepass::graph_memory
