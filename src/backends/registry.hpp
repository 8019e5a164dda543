// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The backends of this build in priority order, and the choice among them.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "backends/backend.hpp"

namespace onepass {

// All four, in priority order. One that is not built, or does not work here, says why.
std::span<const Backend* const> backends();

const Backend& backend(BackendId id);

// By name; an empty name means $ONEPASS_BACKEND or else the first that works.
Status choose_backend(std::string_view name, const Backend** chosen);

// The list as JSON: name, available, why not, traits.
std::string describe_backends();

// Defined once per backend. The stand-in for one that this build leaves out is in registry.cpp.
const Backend& cuda_backend();
const Backend& cpu_backend();
const Backend& sim_backend();
const Backend& reference_backend();

}  // namespace onepass
