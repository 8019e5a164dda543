// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Why a plan is what it is: the choice, each decline with its reason, the bytes and the time floor.
#pragma once

#include <string>
#include <vector>

#include "plan/device_traits.hpp"
#include "plan/plan.hpp"
#include "problem/cost.hpp"

namespace onepass {

struct Decline {
  Variant variant;
  std::string reason;
};

struct Explanation {
  Plan plan;
  std::string chooser;  // of the shape; empty where there is nothing to choose
  std::string refused;  // why a table of the user had no say; empty where there is none, or it had
  std::vector<Decline> declined;
  Cost cost;                 // with beta = 0
  double floor_seconds = 0;  // 0 where the device's ceilings are not known
};

Explanation explain(const Plan& plan, const DeviceTraits& traits);

// Several lines for people.
std::string print(const Explanation& explanation);

}  // namespace onepass
