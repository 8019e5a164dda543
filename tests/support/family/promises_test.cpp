// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a call promises of alpha, beta and empty operands, on every backend.
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "backends/registry.hpp"
#include "support/compare.hpp"
#include "support/family/on_backend.hpp"

namespace onepass::test {
namespace {

class Promises : public OnBackend {};
INSTANTIATE_TEST_SUITE_P(Family, Promises, every_backend(), backend_name);

void poison_all(Operand& operand) { poison(operand.bytes.data(), operand.bytes.size()); }

void each_output(const Problem& p, const auto& visit) {
  for (std::int64_t product = 0; product < p.batch; ++product)
    for (std::int64_t i = 0; i < length_y(p); ++i) visit(product, i);
}

// Both places of the scalars.
void each_small_case(const auto& visit) {
  for (const GroupedCase& g : small_cases())
    for (const Scalars scalars : {Scalars::host, Scalars::device}) {
      Case c = g.c;
      c.problem.scalars = scalars;
      SCOPED_TRACE(c.name + " scalars on the " + name(scalars));
      visit(c);
    }
}

TEST_P(Promises, BetaZeroNeverReadsY) {
  each_small_case([&](Case c) {
    c.beta = 0;
    HostOperands clean = lay_out(c), poisoned = clean;
    poison_all(poisoned.y);
    const Outcome actual = run(backend(), c, poisoned);
    EXPECT_TRUE(agrees(c, clean, actual, run(reference_backend(), c, clean)));
    each_output(c.problem, [&](std::int64_t product, std::int64_t i) {
      const Value y = get(c.problem.type_y, actual.y.data(),
                          poisoned.y.start[static_cast<std::size_t>(product)] + index_y(c.problem, i));
      ASSERT_TRUE(y == y) << "NaN in y survived in y(" << i << ")";
    });
  });
}

TEST_P(Promises, AlphaZeroNeverReadsAOrX) {
  each_small_case([&](Case c) {
    c.alpha = 0;
    c.beta = 3;
    const HostOperands clean = lay_out(c);
    HostOperands poisoned = clean;
    poison_all(poisoned.a);
    poison_all(poisoned.x);
    const Outcome actual = run(backend(), c, poisoned);
    ASSERT_TRUE(actual.status.ok()) << actual.status.text;
    each_output(c.problem, [&](std::int64_t product, std::int64_t i) {
      const std::int64_t at = clean.y.start[static_cast<std::size_t>(product)] + index_y(c.problem, i);
      ASSERT_EQ(get(c.problem.type_y, actual.y.data(), at), 3.0 * clean.y.at(product, index_y(c.problem, i)));
    });
  });
}

TEST_P(Promises, AlphaZeroOnTheHostAllowsNullOperands) {
  for (const GroupedCase& g : small_cases()) {
    Case c = g.c;
    c.alpha = 0;
    c.beta = -2;
    const HostOperands operands = lay_out(c);
    EXPECT_TRUE(agrees(c, operands, run(backend(), c, operands, {.null_a_and_x = true}),
                       run(reference_backend(), c, operands)));
  }
}

TEST_P(Promises, AlphaAndBetaZeroSetYToZero) {
  each_small_case([&](Case c) {
    c.alpha = c.beta = 0;
    HostOperands operands = lay_out(c);
    poison_all(operands.a);
    poison_all(operands.x);
    poison_all(operands.y);
    const Outcome actual = run(backend(), c, operands);
    ASSERT_TRUE(actual.status.ok()) << actual.status.text;
    each_output(c.problem, [&](std::int64_t product, std::int64_t i) {
      const std::int64_t at = operands.y.start[static_cast<std::size_t>(product)] + index_y(c.problem, i);
      ASSERT_EQ(get(c.problem.type_y, actual.y.data(), at), 0.0);
    });
  });
}

TEST_P(Promises, AlphaZeroAndBetaOneLeaveYAlone) {
  each_small_case([&](Case c) {
    c.alpha = 0;
    c.beta = 1;
    HostOperands operands = lay_out(c);
    const Outcome actual = run(backend(), c, operands);
    ASSERT_TRUE(actual.status.ok()) << actual.status.text;
    EXPECT_EQ(actual.y, operands.y.bytes);
  });
}

TEST_P(Promises, NonzeroBetaKeepsTheNanOfY) {
  each_small_case([&](Case c) {
    for (const Value beta : {Value(1), Value(-2)}) {
      c.beta = beta;
      HostOperands operands = lay_out(c);
      operands.y.set(0, index_y(c.problem, 2), std::numeric_limits<double>::quiet_NaN());
      EXPECT_TRUE(agrees(c, operands, run(backend(), c, operands), run(reference_backend(), c, operands)));
    }
  });
}

TEST_P(Promises, EmptyProblemsLeaveYAlone) {
  for (const Problem& form : forms())
    for (const auto& [m, n, batch] : {std::tuple{0, 0, 1}, {0, 5, 2}, {5, 0, 2}, {5, 5, 0}}) {
      if (is_triangle(form) && m != n) continue;
      Case c{.name = "empty", .problem = sized(form, "c", m, n), .beta = 0};
      c.problem.lda += 1;
      c.problem.batch = batch;
      c.problem.stride_a = 99, c.problem.stride_x = c.problem.stride_y = 9;
      const HostOperands operands = lay_out(c);
      const Outcome actual = run(backend(), c, operands);
      EXPECT_TRUE(actual.status.ok()) << actual.status.text;
      EXPECT_EQ(actual.y, operands.y.bytes);
      EXPECT_EQ(actual.damage, "");
    }
}

TEST_P(Promises, WrongArgumentsWriteNothing) {
  Case c = small_cases()[0].c;
  const HostOperands operands = lay_out(c);
  c.problem.lda = 1;
  const Outcome actual = run(backend(), c, operands);
  EXPECT_EQ(actual.status.code, ONEPASS_STATUS_INVALID_LD);
  EXPECT_EQ(actual.y, operands.y.bytes);
}

}  // namespace
}  // namespace onepass::test
