// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/compare.hpp"

#include <algorithm>
#include <cmath>

#include "backends/registry.hpp"
#include "problem/names.hpp"

namespace onepass::test {
namespace {

// |A||x| of one output.
double magnitude(const Problem& p, const HostOperands& o, std::int64_t product, std::int64_t i) {
  double sum = 0;
  for (std::int64_t k = 0; k < length_x(p); ++k)
    sum += std::abs(element(p, o.a, product, i, k)) * std::abs(o.x.at(product, index_x(p, k)));
  return sum;
}

double bound(const Case& c, const HostOperands& o, std::int64_t product, std::int64_t i, Value expected) {
  const Problem& p = c.problem;
  const double eps = epsilon(sum_type(p.type_a));
  const double terms = static_cast<double>(length_x(p));
  double limit = epsilon(p.type_y) * std::abs(expected) + smallest(p.type_y);
  if (c.alpha != 0.0) limit += (terms + 4) * eps * std::abs(c.alpha) * magnitude(p, o, product, i);
  if (c.beta != 0.0) limit += 2 * eps * std::abs(c.beta * o.y.at(product, index_y(p, i)));
  return limit;
}

bool finite(Value v) { return std::isfinite(v.real()) && std::isfinite(v.imag()); }

// A complex product may turn one infinite part into NaN or not, by the order of its terms.
bool same_kind(Type type, Value actual, Value expected) {
  if (is_complex_type(type)) return !finite(actual);
  if (std::isnan(expected.real())) return std::isnan(actual.real());
  return actual.real() == expected.real();
}

}  // namespace

testing::AssertionResult agrees(const Case& c, const HostOperands& o, const Outcome& actual, const Outcome& expected) {
  const Problem& p = c.problem;
  if (!actual.status.ok()) return testing::AssertionFailure() << describe(p) << ": " << actual.status.text;
  if (!expected.status.ok()) return testing::AssertionFailure() << describe(p) << ": " << expected.status.text;
  for (const Outcome* outcome : {&actual, &expected})
    if (!outcome->damage.empty()) return testing::AssertionFailure() << describe(p) << ": " << outcome->damage;

  for (std::int64_t product = 0; product < p.batch; ++product) {
    for (std::int64_t i = 0; i < length_y(p); ++i) {
      const std::int64_t at = o.y.start[static_cast<std::size_t>(product)] + index_y(p, i);
      const Value got = get(p.type_y, actual.y.data(), at), want = get(p.type_y, expected.y.data(), at);
      if (got == want) continue;
      const auto failure = [&] {
        auto result = testing::AssertionFailure()
                      << describe(p) << " alpha " << c.alpha << " beta " << c.beta << ": y(" << i << ") of product "
                      << product << " is " << got << ", expected " << want;
        if (actual.plan) result << "\nplan: " << print(*actual.plan);
        return result;
      };
      if (!finite(want)) {
        if (!same_kind(p.type_y, got, want)) return failure();
        continue;
      }
      if (c.fill == Fill::integers) return failure() << ", exactly";
      const double limit = bound(c, o, product, i, want);
      const double error = std::max(std::abs(got.real() - want.real()), std::abs(got.imag() - want.imag()));
      if (!(error <= limit)) return failure() << " within " << limit;
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult agrees_with_reference(const Backend& backend, const Case& c, RunOptions options) {
  const HostOperands operands = lay_out(c);
  const Outcome actual = run(backend, c, operands, options);
  options.plan = {};
  return agrees(c, operands, actual, run(reference_backend(), c, operands, options));
}

}  // namespace onepass::test
