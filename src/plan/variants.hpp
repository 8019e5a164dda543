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

// The plan of the first that accepts; the last one of a list always does.
inline Plan plan_of_first(std::span<const VariantEntry> variants, const Problem& p, const DeviceTraits& traits,
                          BackendId backend) {
  Plan plan;
  for (const VariantEntry& entry : variants) {
    if (entry.decline(p, traits) != nullptr) continue;
    plan = entry.plan(p, traits);
    plan.backend = backend;
    break;
  }
  return plan;
}

std::span<const VariantEntry> gemv_variants();

}  // namespace onepass
