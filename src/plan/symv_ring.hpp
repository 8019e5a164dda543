// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of a symv_ring launch, the problems that it can serve, and those that it is chosen for.
#pragma once

#include <cstdint>
#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "plan/symv_shape.hpp"

namespace onepass {

// Rows of a strip.
std::int64_t ring_rows(const Problem& p, Loads loads);

// As symv_held().
std::int64_t ring_held(const Plan& plan);

// Null, or why the kernel cannot serve the problem, however it is shaped.
const char* why_not_ring(const Problem& p);

// The complete plan: blocks of so many threads, a power of two, and as many of them as are wished for.
Plan shape_ring(const Problem& p, Loads loads, int threads, std::int64_t blocks);

// Empty, or why a plan of this variant would not compute its problem.
std::string why_illegal_ring(const Plan& plan);

// Null, or why another kernel is the faster one.
const char* decline_ring(const Problem& p, const DeviceTraits& traits);
Plan plan_ring(const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
