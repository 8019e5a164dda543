// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/compare.hpp"

#include "backends/registry.hpp"

namespace onepass::test {

testing::AssertionResult agrees(const Case& c, const HostOperands& o, const Outcome& actual, const Outcome& expected) {
  const Verdict verdict = compare(c, o, actual, expected);
  if (verdict.failure.empty()) return testing::AssertionSuccess();
  auto result = testing::AssertionFailure() << print(c) << ": " << verdict.failure;
  if (actual.plan) result << "\nplan: " << print(*actual.plan);
  return result;
}

testing::AssertionResult agrees_with_reference(const Backend& backend, const Case& c, RunOptions options) {
  const HostOperands operands = lay_out(c);
  const Outcome actual = run(backend, c, operands, options);
  return agrees(c, operands, actual, run(reference_backend(), c, operands, {.null_inputs = options.null_inputs}));
}

}  // namespace onepass::test
