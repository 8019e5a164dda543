// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The kernels that can serve a routine, fastest first; each accepts a problem or says why not.
#pragma once

#include <span>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

struct VariantEntry {
  Variant variant;
  // Null: accepted. Else the reason of the decline.
  const char* (*decline)(const Problem& p, const DeviceTraits& traits);
  Plan (*plan)(const Problem& p, const DeviceTraits& traits);
};

std::span<const VariantEntry> gemv_variants();

}  // namespace onepass
