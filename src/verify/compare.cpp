// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "verify/compare.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include "backends/registry.hpp"
#include "verify/bound.hpp"

namespace onepass::verify {
namespace {

bool finite(Value v) { return std::isfinite(v.real()) && std::isfinite(v.imag()); }

// A complex product may turn one infinite part into NaN or not, by the order of its terms.
bool same_kind(Type type, Value actual, Value expected) {
  if (is_complex_type(type)) return !finite(actual);
  if (type == Type::w && actual.imag() != 0) return false;  // the tail of what is infinite or NaN
  if (std::isnan(expected.real())) return std::isnan(actual.real());
  return actual.real() == expected.real();
}

std::string text(Type type, Value v) {
  std::ostringstream out;
  out.precision(9);
  is_pair_type(type) ? out << v : out << v.real();
  return out.str();
}

// How far an output is off, as a fraction of its bound; above 1 it is wrong. of_tail: by how much its tail differs.
double off(const Case& c, const HostOperands& before, std::int64_t product, const Output& out, Value got, Value want,
           Value of_tail) {
  constexpr double wrong = 2;
  if (!finite(want)) return same_kind(output_type(c.problem), got, want) ? 0 : wrong;
  const Value differs = difference(output_type(c.problem), got, want) + of_tail;
  if (differs == 0.0) return 0;
  if (c.fill == Fill::integers) return wrong;
  const double error = std::max(std::abs(differs.real()), std::abs(differs.imag()));
  const double fraction = error / error_bound(c, before, product, out, want);
  return std::isnan(fraction) ? wrong : fraction;
}

std::string failure(const Case& c, const HostOperands& before, std::int64_t product, const Output& out, Value got,
                    Value want) {
  const Problem& p = c.problem;
  const Type type = output_type(p);
  std::string said = name(p, out);
  if (p.batch > 1) said += " of product " + std::to_string(product);
  said += " is " + text(type, got) + ", the reference says " + text(type, want);
  if (c.fill == Fill::integers || !finite(want)) return said;
  return said + ", allowed error " + text(Type::d, error_bound(c, before, product, out, want));
}

}  // namespace

Verdict compare(const Case& c, const HostOperands& before, const Outcome& actual, const Outcome& expected) {
  const Problem& p = c.problem;
  for (const Outcome* outcome : {&actual, &expected}) {
    const std::string who = outcome == &expected ? "reference: " : "";
    if (!outcome->status.ok())
      return {.failure = who + onepassStatusName(outcome->status.code) + ": " + outcome->status.text};
    if (!outcome->damage.empty()) return {.failure = who + outcome->damage};
  }
  Verdict verdict;
  const Type type = output_type(p);
  for (std::int64_t product = 0; product < p.batch; ++product)
    each_output(p, [&](const Output& out) {
      if (!verdict.failure.empty()) return;
      const std::int64_t at = before.output(p).place(product, out.index);
      const Value got = get(type, actual.output.data(), at), want = get(type, expected.output.data(), at);
      const Value of_tail =
          p.tails == Tails::xy ? get(type, actual.tail.data(), at) - get(type, expected.tail.data(), at) : Value{};
      const double fraction = off(c, before, product, out, got, want, of_tail);
      if (fraction > 1) verdict.failure = failure(c, before, product, out, got, want);
      verdict.worst = std::max(verdict.worst, fraction);
    });
  return verdict;
}

Verdict compare_with_reference(const Backend& backend, const Case& c, RunOptions options) {
  const HostOperands operands = lay_out(c);
  const Outcome actual = run(backend, c, operands, options);
  Verdict verdict =
      compare(c, operands, actual, run(reference_backend(), c, operands, {.null_inputs = options.null_inputs}));
  if (verdict.failure.empty() && options.again && actual.again != actual.output)
    verdict.failure = "a second call gave other bits";
  return verdict;
}

}  // namespace onepass::verify
