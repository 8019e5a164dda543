// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The largest problems that pass the check: no number of their plans wraps. Most telling in a build with sanitizers.
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "plan/registry.hpp"
#include "problem/check.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

constexpr int exponents[] = {0, 3, 5, 13, 20, 33, 40, 52, 56, 62};

// With products one behind the other, or all of one matrix and one x.
std::vector<Problem> problems(Routine routine, Type type) {
  std::vector<Problem> all;
  for (const int m : exponents)
    for (const int n : exponents)
      for (const int batch : exponents)
        for (const bool shared : {false, true}) {
          if (is_triangle({.routine = routine}) && n != m) continue;
          Problem p{.routine = routine, .type_a = type, .type_x = type, .type_y = type};
          p.m = std::int64_t{1} << m, p.n = std::int64_t{1} << n, p.lda = p.m, p.batch = std::int64_t{1} << batch;
          p.stride_y = p.m;
          if (!shared && m + n < 63) p.stride_a = p.m * p.n, p.stride_x = p.n;
          all.push_back(p);
        }
  return all;
}

TEST(Extremes, HavePlansWithoutOverflow) {
  DeviceTraits without = h200_traits();
  without.tuning = nullptr;
  std::int64_t most_elements = 0, most_products = 0;
  for (const Routine routine : {Routine::gemv, Routine::symv, Routine::ger})
    for (const Type type : {Type::s, Type::z, Type::b})
      for (Problem p : problems(routine, type))
        for (const Op op : {Op::n, Op::t}) {
          p.op = op;
          if (!check(p).ok()) continue;
          for (const DeviceTraits& traits : {h200_traits(), without}) {
            const Plan plan = plan_on_device(p, traits, BackendId::cuda);
            const auto must_not_wrap = [&](const char* field, std::int64_t value) {
              ASSERT_GE(value, 0) << field << " of " << describe(p) << print(plan);
            };
            std::visit([&]<class P>(const P& params) { P::fields(params, must_not_wrap); }, plan.params);
            // Of triangles that no workspace can serve the plan asks for what it would need.
            if (!is_triangle(p)) {
              ASSERT_LE(plan.workspace_bytes, workspace_limit) << describe(p) << print(plan);
            }
            ASSERT_EQ(explain(plan, traits).plan, plan);
          }
          most_elements = std::max(most_elements, p.m * p.n);
          most_products = std::max(most_products, p.batch);
        }
  EXPECT_GT(most_elements, std::int64_t{1} << 50);
  EXPECT_EQ(most_products, std::int64_t{1} << 40);
}

}  // namespace
}  // namespace onepass
