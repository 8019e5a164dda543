// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// How many blocks of a launch an SM holds at once.
#pragma once

#include <cstdint>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "problem/combinations.hpp"

namespace onepass {

// Of a thread, as its kernel was compiled.
int registers_of(const Plan& plan);

// By threads, blocks, registers and shared memory of an SM; at least one. A limit that the traits do not know is none.
int resident_blocks(const Plan& plan, const DeviceTraits& traits);
int resident_blocks(KernelId kernel, ElementsId elements, int threads, std::size_t shared_bytes,
                    const DeviceTraits& traits);

// Of the whole device.
std::int64_t blocks_of_wave(const Plan& plan, const DeviceTraits& traits);

// Those of them that prefetch before the grid-dependency wait.
std::int64_t prefetching_blocks(const Plan& plan, const DeviceTraits& traits);

}  // namespace onepass
