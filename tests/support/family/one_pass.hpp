// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// One pass, as the simulator counts it: every needed element of A is read exactly once, and nothing beside them.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "backends/sim/counters.hpp"
#include "plan/plan.hpp"
#include "problem/problem.hpp"

namespace onepass::test {

// That lie in memory: products of a batch may share one.
inline std::int64_t matrices_of(const Problem& p) {
  return p.batch > 1 && !p.pointer_array && p.stride_a == 0 ? 1 : p.batch;
}

// Elements that a kernel loads a second time, from the L2: symv_rows and symv_rows_canonical once for the row and once
// for the column of each.
// symv_canonical likewise those of the squares on the diagonal.
inline std::int64_t loaded_again(const Plan& plan) {
  const Problem& p = plan.problem;
  if (plan.kernel.variant == Variant::symv_canonical) {
    const auto triangle = [](std::int64_t n) { return n * (n - 1) / 2; };
    return (p.n / 256 * triangle(256) + triangle(p.n % 256)) * matrices_of(p);
  }
  const bool twice = plan.kernel.variant == Variant::symv_rows || plan.kernel.variant == Variant::symv_rows_canonical;
  return twice ? p.n * (p.n - 1) / 2 * p.batch : 0;
}

// What the last launch of this thread must have counted; it served the whole problem. `again`: see above.
inline void expect_one_pass(const Problem& p, std::int64_t again = 0) {
  const sim::Counters counters = sim::last_counters();
  const std::int64_t elements = is_triangle(p) ? p.n * (p.n + 1) / 2 : p.m * p.n;
  EXPECT_EQ(counters.matrix_elements_needed, elements * matrices_of(p));
  EXPECT_EQ(counters.matrix_elements_again, again);
  EXPECT_EQ(counters.matrix_elements_never, 0);
  EXPECT_EQ(counters.matrix_elements_unneeded, 0);
  EXPECT_EQ(counters.outputs_never, 0);
  EXPECT_EQ(counters.hazards, 0);
}

}  // namespace onepass::test
