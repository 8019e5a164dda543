// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What a call promises of alpha, beta and empty operands, on every backend.
#include <gtest/gtest.h>

#include <limits>
#include <tuple>

#include "backends/registry.hpp"
#include "support/family/on_backend.hpp"

namespace onepass::test {
namespace {

class Promises : public OnBackend {};
INSTANTIATE_TEST_SUITE_P(Family, Promises, every_backend(), backend_name);

void poison_all(Operand& operand) { poison(operand.bytes.data(), operand.bytes.size()); }

// visit(before, after) for each output of all products.
void each_value(const Case& c, const HostOperands& before, const Outcome& after, const auto& visit) {
  const Operand& output = before.output(c.problem);
  for (std::int64_t product = 0; product < c.problem.batch; ++product)
    each_output(c.problem, [&](const Output& out) {
      SCOPED_TRACE(name(c.problem, out));
      visit(output.at(product, out.index), get(output.type, after.output.data(), output.place(product, out.index)));
    });
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

bool family_has_beta() { return row(forms().front()).has_beta; }

TEST_P(Promises, BetaZeroNeverReadsTheOutput) {
  if (!family_has_beta()) GTEST_SKIP() << "there is no beta";
  each_small_case([&](Case c) {
    c.beta = 0;
    HostOperands clean = lay_out(c), poisoned = clean;
    poison_all(poisoned.output(c.problem));
    const Outcome actual = run(backend(), c, poisoned);
    EXPECT_TRUE(agrees(c, clean, actual, run(reference_backend(), c, clean)));
    each_value(c, poisoned, actual, [](Value, Value v) { ASSERT_TRUE(v == v) << "NaN survived"; });
  });
}

TEST_P(Promises, AlphaZeroReadsNoInput) {
  each_small_case([&](Case c) {
    c.beta = 3;
    HostOperands operands = lay_out(c);
    poison_inputs(c.problem, operands);
    c.alpha = 0;
    const Outcome actual = run(backend(), c, operands);
    ASSERT_TRUE(actual.status.ok()) << actual.status.text;
    const Value factor = row(c.problem).has_beta ? c.beta : 1.0;
    each_value(c, operands, actual, [&](Value before, Value after) { ASSERT_EQ(after, factor * before); });
  });
}

TEST_P(Promises, AlphaZeroOnTheHostAllowsNullInputs) {
  for (const GroupedCase& g : small_cases()) {
    Case c = g.c;
    c.alpha = 0;
    c.beta = -2;
    const HostOperands operands = lay_out(c);
    EXPECT_TRUE(
        agrees(c, operands, run(backend(), c, operands, {.null_inputs = true}), run(reference_backend(), c, operands)));
  }
}

TEST_P(Promises, AlphaAndBetaZeroSetTheOutputToZero) {
  if (!family_has_beta()) GTEST_SKIP() << "there is no beta";
  each_small_case([&](Case c) {
    c.alpha = c.beta = 0;
    HostOperands operands = lay_out(c);
    poison_all(operands.output(c.problem));
    const Outcome actual = run(backend(), c, operands);
    ASSERT_TRUE(actual.status.ok()) << actual.status.text;
    each_value(c, operands, actual, [](Value, Value after) { ASSERT_EQ(after, 0.0); });
  });
}

TEST_P(Promises, AlphaZeroAndBetaOneLeaveTheOutputAlone) {
  each_small_case([&](Case c) {
    c.alpha = 0;
    c.beta = 1;
    HostOperands operands = lay_out(c);
    const Outcome actual = run(backend(), c, operands);
    ASSERT_TRUE(actual.status.ok()) << actual.status.text;
    EXPECT_EQ(actual.output, operands.output(c.problem).bytes);
  });
}

// Where A is updated, there is always what would be a beta of 1.
TEST_P(Promises, NonzeroBetaKeepsTheNanOfTheOutput) {
  each_small_case([&](Case c) {
    for (const Value beta : {Value(1), Value(-2)}) {
      c.beta = beta;
      HostOperands operands = lay_out(c);
      const std::int64_t third = writes_a(c.problem) ? index_of(c.problem, 2, 0) : index_y(c.problem, 2);
      operands.output(c.problem).set(0, third, std::numeric_limits<double>::quiet_NaN());
      EXPECT_TRUE(agrees(c, operands, run(backend(), c, operands), run(reference_backend(), c, operands)));
    }
  });
}

TEST_P(Promises, EmptyProblemsLeaveTheOutputAlone) {
  for (const Problem& form : forms())
    for (const auto& [m, n, batch] : {std::tuple{0, 0, 1}, {0, 5, 2}, {5, 0, 2}, {5, 5, 0}}) {
      if (is_triangle(form) && m != n) continue;
      Case c{.name = "empty", .problem = sized(form, usual_type(form), m, n), .beta = 0};
      c.problem.lda += 1;
      c.problem.batch = batch;
      c.problem.stride_a = 99, c.problem.stride_x = c.problem.stride_y = 9;
      const HostOperands operands = lay_out(c);
      const Outcome actual = run(backend(), c, operands);
      EXPECT_TRUE(actual.status.ok()) << actual.status.text;
      EXPECT_EQ(actual.output, operands.output(c.problem).bytes);
      EXPECT_EQ(actual.damage, "");
    }
}

TEST_P(Promises, WrongArgumentsWriteNothing) {
  Case c = small_cases()[0].c;
  const HostOperands operands = lay_out(c);
  c.problem.lda = 1;
  const Outcome actual = run(backend(), c, operands);
  EXPECT_EQ(actual.status.code, ONEPASS_STATUS_INVALID_LD);
  EXPECT_EQ(actual.output, operands.output(c.problem).bytes);
}

}  // namespace
}  // namespace onepass::test
