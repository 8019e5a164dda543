// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/operands.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <numeric>

namespace onepass::test {
namespace {

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

std::int64_t vector_span(std::int64_t length, std::int64_t inc) {
  return length == 0 ? 0 : (length - 1) * std::abs(inc) + 1;
}

Value sample(Fill fill, Random& random) {
  if (fill == Fill::reals) return {random.uniform(), random.uniform()};
  return {static_cast<double>(random.below(5) - 2), static_cast<double>(random.below(5) - 2)};
}

}  // namespace

Value Operand::at(std::int64_t product, std::int64_t index) const {
  return get(type, bytes.data(), start[static_cast<std::size_t>(product)] + index);
}

void Operand::set(std::int64_t product, std::int64_t index, Value value) {
  put(type, bytes.data(), start[static_cast<std::size_t>(product)] + index, value);
}

std::int64_t index_a(const Problem& p, std::int64_t row, std::int64_t column) { return row + column * p.lda; }
std::int64_t index_x(const Problem& p, std::int64_t k) { return first_element(length_x(p), p.incx) + k * p.incx; }
std::int64_t index_y(const Problem& p, std::int64_t i) { return first_element(length_y(p), p.incy) + i * p.incy; }

std::int64_t index_of(const Problem& p, std::int64_t i, std::int64_t k) {
  return is_mirrored(p, i, k) ? index_a(p, k, i) : index_a(p, i, k);
}

Value element(const Problem& p, const Operand& a, std::int64_t product, std::int64_t i, std::int64_t k) {
  const Value v = a.at(product, index_of(p, i, k));
  if (p.routine == Routine::hemv && i == k) return v.real();
  const bool mirrored = p.routine == Routine::hemv && is_mirrored(p, i, k);
  return stored(p).conjugate != mirrored ? std::conj(v) : v;
}

HostOperands lay_out(const Case& c) {
  const Problem& p = c.problem;
  const Stored s = stored(p);
  Random random(0x5eed + static_cast<std::uint64_t>(p.m * 31 + p.n));
  const std::int64_t span_a = s.rows == 0 || s.cols == 0 ? 0 : (s.cols - 1) * p.lda + s.rows;
  HostOperands o{.a = make(p, p.type_a, span_a, p.stride_a, random),
                 .x = make(p, p.type_x, vector_span(length_x(p), p.incx), p.stride_x, random),
                 .y = make(p, p.type_y, vector_span(length_y(p), p.incy), p.stride_y, random)};
  for (std::int64_t product = 0; product < p.batch; ++product) {
    for (std::int64_t column = 0; column < s.cols; ++column)
      for (std::int64_t row = 0; row < s.rows; ++row) {
        if (!is_stored(p, row, column)) continue;
        Value value = sample(c.fill, random);
        // Nobody may look at the imaginary part of a Hermitian diagonal.
        if (p.routine == Routine::hemv && row == column) value.imag(std::numeric_limits<double>::quiet_NaN());
        o.a.set(product, index_a(p, row, column), value);
      }
    for (std::int64_t k = 0; k < length_x(p); ++k) o.x.set(product, index_x(p, k), sample(c.fill, random));
    for (std::int64_t i = 0; i < length_y(p); ++i) o.y.set(product, index_y(p, i), sample(c.fill, random));
  }
  return o;
}

}  // namespace onepass::test
