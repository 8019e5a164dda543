// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The run of a plan on the simulator, as expectations.
#pragma once

#include <gtest/gtest.h>

#include <utility>

#include "lapack/sim/queue.hpp"

namespace onepass::test {

// `seen` is told of every launch.
template <class Plan, class Operands>
Status run_on_sim(const Plan& plan, const Operands& operands, void* workspace, lapack::SimQueue::Seen seen = {}) {
  lapack::SimQueue queue(std::move(seen));
  Status status = run(plan, operands, workspace, queue);
  EXPECT_TRUE(status.ok()) << status.text;
  return status;
}

}  // namespace onepass::test
