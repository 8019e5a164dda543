// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "verify/bound.hpp"

#include <cmath>

namespace onepass::verify {
namespace {

// Both sides round `value` to the type of the output, one of them when it is off by `error`.
double rounded(const Problem& p, double error, double value) {
  const Type type = output_type(p);
  const double eps = p.tails == Tails::xy ? epsilon(type) * epsilon(type) : epsilon(type);
  return error + eps * (value + error) + smallest(type);
}

// Of real numbers without the root that takes most of the time of a check.
double magnitude(Value v) { return v.imag() == 0 ? std::abs(v.real()) : std::abs(v); }

// sum over k of |op(A)(i, k)| |x(k)|, or the one product of an update.
double sum_of(const Problem& p, const HostOperands& o, std::int64_t product, const Output& out) {
  if (writes_a(p)) return magnitude(o.x.at(product, index_x(p, out.i))) * magnitude(o.y.at(product, index_y(p, out.j)));
  double sum = 0;
  for (std::int64_t k = 0; k < length_x(p); ++k)
    sum += magnitude(element(p, o.a, product, out.i, k)) *
           (magnitude(o.x.at(product, index_x(p, k))) +
            (p.tails == Tails::none ? 0 : magnitude(o.x_tail.at(product, index_x(p, k)))));
  return sum;
}

std::int64_t terms_of(const Problem& p) { return writes_a(p) ? 1 : length_x(p); }

// What a sum of so many terms loses with each of them, of the sum of their magnitudes.
double epsilon_of_sum(const Problem& p, std::int64_t terms) {
  if (p.type_a == Type::w) return 0x1p-102;  // docs/accuracy.md
  if (p.accumulate == Accumulate::standard) return epsilon(scalar_type(p.type_a));
  const double eps = epsilon(Type::d);
  if (size_of_real(p.type_a) < 8) return eps;
  return 2 * static_cast<double>(terms + 4) * eps * eps;  // gamma_n^2 = (n eps)^2, of both sides
}

}  // namespace

double error_bound(const Problem& p, const Magnitudes& m) {
  if (p.order == Order::canonical) return 0;  // the bits of the reference
  const double eps = epsilon_of_sum(p, m.terms);
  return rounded(p, static_cast<double>(m.terms + 4) * eps * m.sum + 2 * eps * m.kept, m.expected);
}

double error_bound(const Case& c, const HostOperands& before, std::int64_t product, const Output& output,
                   Value expected) {
  const Problem& p = c.problem;
  const Value beta = row(p).has_beta ? c.beta : 1.0;
  Magnitudes m{.terms = terms_of(p), .expected = std::abs(expected)};
  if (c.alpha != 0.0) m.sum = std::abs(c.alpha) * sum_of(p, before, product, output);
  if (beta != 0.0) m.kept = std::abs(beta * before.output(p).at(product, output.index));
  return error_bound(p, m);
}

double likely_error_bound(const Problem& p, double expected) {
  const double terms = static_cast<double>(terms_of(p)) * (is_complex_type(p.type_a) ? 4 : 1);
  return rounded(p, 8 * epsilon_of_sum(p, terms_of(p)) * (terms + 8), expected);
}

}  // namespace onepass::verify
