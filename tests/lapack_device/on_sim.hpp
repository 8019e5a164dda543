// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The run of a plan on the simulator, as expectations.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapack/problem.hpp"
#include "lapack/sim/queue.hpp"

namespace onepass::test {

// `seen` is told of every launch.
template <class Plan>
Status run_on_sim(const Plan& plan, const LapackOperands& operands, void* workspace, lapack::SimQueue::Seen seen = {}) {
  lapack::SimQueue queue(std::move(seen));
  Status status = run(plan, operands, workspace, queue);
  EXPECT_TRUE(status.ok()) << status.text;
  return status;
}

// With a workspace of its own, in which there is anything.
template <class Plan>
Status run_with_workspace(const Plan& plan, const LapackOperands& operands, lapack::SimQueue::Seen seen = {}) {
  std::vector<unsigned char> workspace(plan.workspace_bytes + 256, 0xff);
  const std::size_t start = 256 - reinterpret_cast<std::uintptr_t>(workspace.data()) % 256;
  return run_on_sim(plan, operands, workspace.data() + start, std::move(seen));
}

}  // namespace onepass::test
