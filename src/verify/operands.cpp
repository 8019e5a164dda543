// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "verify/operands.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "verify/random.hpp"

namespace onepass::verify {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

Operand make(const Problem& p, Type type, std::int64_t span, std::int64_t stride, Random& random) {
  Operand operand{.type = type, .bytes = {}, .start = std::vector<std::int64_t>(static_cast<std::size_t>(p.batch))};
  std::int64_t elements = 0;
  if (p.pointer_array) {
    // In shuffled order and at distances that break alignment.
    std::vector<std::size_t> order(operand.start.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = order.size(); i > 1; --i)
      std::swap(order[i - 1], order[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(i)))]);
    for (const std::size_t product : order) {
      operand.start[product] = elements;
      elements += span + random.below(5);
    }
  } else if (p.batch > 0) {
    const std::int64_t lowest = std::min<std::int64_t>(0, (p.batch - 1) * stride);
    for (std::int64_t i = 0; i < p.batch; ++i) operand.start[static_cast<std::size_t>(i)] = i * stride - lowest;
    elements = std::abs((p.batch - 1) * stride) + span;
  }
  operand.bytes.resize(static_cast<std::size_t>(elements * size_of(type)));
  poison(operand.bytes.data(), operand.bytes.size());
  return operand;
}

Value sample(Type type, Fill fill, Random& random) {
  if (fill == Fill::reals) {
    const double first = random.symmetric();
    return random_element(type, first, random.symmetric());
  }
  return {static_cast<double>(random.below(5) - 2), static_cast<double>(random.below(5) - 2)};
}

// The diagonal of a Hermitian matrix, which is stored as a triangle: nobody may look at its imaginary parts.
bool is_real_diagonal(const Problem& p, std::int64_t row_, std::int64_t column) {
  return row(p).storage == Storage::triangle && row(p).hermitian && row_ == column;
}

void fill(const Case& c, std::int64_t product, Random& random, HostOperands& o) {
  const Problem& p = c.problem;
  const Stored s = stored(p);
  for (std::int64_t column = 0; column < s.cols; ++column)
    for (std::int64_t row = 0; row < s.rows; ++row) {
      if (!is_stored(p, row, column)) continue;
      Value value = sample(p.type_a, c.fill, random);
      if (is_real_diagonal(p, row, column)) value.imag(nan);
      o.a.set(product, index_a(p, row, column), value);
    }
  for (std::int64_t k = 0; k < length_x(p); ++k) o.x.set(product, index_x(p, k), sample(p.type_x, c.fill, random));
  for (std::int64_t i = 0; i < length_y(p); ++i) o.y.set(product, index_y(p, i), sample(p.type_y, c.fill, random));
  // Tails of real numbers have digits that their heads have not.
  const double scale = c.fill == Fill::reals ? epsilon(p.type_a) / 2 : 1;
  if (p.tails != Tails::none)
    for (std::int64_t k = 0; k < length_x(p); ++k)
      o.x_tail.set(product, index_x(p, k), scale * sample(p.type_x, c.fill, random));
  if (p.tails == Tails::xy)
    for (std::int64_t i = 0; i < length_y(p); ++i) {
      o.y_tail.set(product, index_y(p, i), scale * sample(p.type_y, c.fill, random));
      if (c.nan_output) o.y_tail.set(product, index_y(p, i), {nan, nan});
    }
  if (c.nan_output) each_output(p, [&](const Output& out) { o.output(p).set(product, out.index, {nan, nan}); });
}

}  // namespace

Value element(const Problem& p, const Operand& a, std::int64_t product, std::int64_t i, std::int64_t k) {
  const Value v = a.at(product, index_of(p, i, k));
  if (is_real_diagonal(p, i, k)) return v.real();
  const bool mirrored = row(p).storage == Storage::triangle && row(p).hermitian && is_mirrored(p, i, k);
  return stored(p).conjugate != mirrored ? std::conj(v) : v;
}

HostOperands lay_out(const Case& c) {
  const Problem& p = c.problem;
  Random random(c.seed + static_cast<std::uint64_t>(p.m * 31 + p.n));
  HostOperands o{.a = make(p, p.type_a, span_a(p), p.stride_a, random),
                 .x = make(p, p.type_x, span_x(p), p.stride_x, random),
                 .y = make(p, p.type_y, span_y(p), p.stride_y, random)};
  if (p.tails != Tails::none) o.x_tail = make(p, p.type_x, span_x(p), p.stride_x, random);
  if (p.tails == Tails::xy) o.y_tail = make(p, p.type_y, span_y(p), p.stride_y, random);
  for (std::int64_t product = 0; product < p.batch; ++product) fill(c, product, random, o);
  if (c.alpha == 0.0) poison_inputs(p, o);
  return o;
}

void poison_inputs(const Problem& p, HostOperands& operands) {
  for (Operand* const operand : {&operands.a, &operands.x, &operands.y, &operands.x_tail})
    if (operand != &operands.output(p)) poison(operand->bytes.data(), operand->bytes.size());
}

}  // namespace onepass::verify
