// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A variant as a row: whether it serves a problem, in which shape, whether a plan of it is right, and how to say so.
#pragma once

#include <span>
#include <string>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"

namespace onepass {

struct VariantRow {
  Variant variant;
  // Null: accepted. Else the reason of the decline.
  const char* (*decline)(const Problem& p, const DeviceTraits& traits);
  Plan (*plan)(const Problem& p, const DeviceTraits& traits);
  // Empty, or the reason why a plan, perhaps made elsewhere, would not compute its problem. The plan has the parameters
  // of this variant.
  std::string (*why_illegal)(const Plan& plan);
  // How its blocks share the work.
  std::string (*in_words)(const Plan& plan);
  // Who chose the shape: a user's table, a model, a rule; empty if there is nothing to say.
  std::string (*chooser)(const Plan& plan, const DeviceTraits& traits);
  // That a plan is expected to take; null where no model knows.
  double (*seconds)(const Plan& plan, const DeviceTraits& traits) = nullptr;
};

// The plan of the first variant that does not decline.
Plan first_plan(std::span<const VariantRow> rows, const Problem& p, const DeviceTraits& traits);

}  // namespace onepass
