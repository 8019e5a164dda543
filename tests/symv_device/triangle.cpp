// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "symv_device/triangle.hpp"

#include <algorithm>
#include <limits>

#include "backends/registry.hpp"
#include "plan/registry.hpp"
#include "plan/symv_shape.hpp"
#include "problem/names.hpp"

namespace onepass::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_stored(Uplo uplo, std::int64_t row, std::int64_t column) {
  return uplo == Uplo::lower ? row >= column : row <= column;
}

// A(i, k) of the whole matrix, from the triangle that memory holds.
Value element(const Problem& p, const HostOperands& o, std::int64_t product, std::int64_t i, std::int64_t k) {
  const bool swapped = (p.layout == Layout::row) != !is_stored(p.uplo, i, k);
  const Value value = o.a.at(product, swapped ? index_a(p, k, i) : index_a(p, i, k));
  if (p.routine == Routine::symv) return value;
  if (i == k) return value.real();
  return is_stored(p.uplo, i, k) ? value : std::conj(value);
}

}  // namespace

std::string kind_name(const Kind& kind) { return std::string(name(kind.routine)) + "_" + kind.types; }

Case triangle_case(const Kind& kind, Uplo uplo, std::int64_t n, const Twist& t) {
  Problem p{
      .routine = kind.routine, .uplo = uplo, .m = n, .n = n, .lda = n + t.padding, .incx = t.incx, .incy = t.incy};
  set_types(p, kind.types);
  return {.name = describe(p), .problem = p, .offset_a = t.offset_a, .offset_x = 1, .offset_y = 1};
}

Plan squares_plan(const Problem& p) {
  Plan plan =
      std::ranges::find(variants_of(Family::symv), Variant::symv_squares, &VariantRow::variant)->plan(p, h200_traits());
  plan.backend = BackendId::sim;
  return plan;
}

Plan small_squares_plan(const Problem& p, std::int64_t squares) {
  Plan plan = shape_squares(p, Loads::few, 1, squares);
  if (!find_kernel(plan.kernel)->serves(elements_of(p))) plan = shape_squares(p, Loads::many, 1, squares);
  plan.backend = BackendId::sim;
  return plan;
}

HostOperands lay_out_triangle(const Case& c) {
  const Problem& p = c.problem;
  HostOperands o = lay_out(c);
  const Uplo uplo = stored(p).uplo;
  for (std::int64_t product = 0; product < p.batch; ++product)
    for (std::int64_t column = 0; column < p.n; ++column)
      for (std::int64_t row = 0; row < p.n; ++row) {
        const std::int64_t at = index_a(p, row, column);
        if (!is_stored(uplo, row, column)) o.a.set(product, at, {nan, nan});
        if (row == column && p.routine == Routine::hemv) o.a.set(product, at, {o.a.at(product, at).real(), nan});
      }
  return o;
}

testing::AssertionResult is_product(const Case& c, const HostOperands& o, const Outcome& outcome) {
  const Problem& p = c.problem;
  const auto failure = [&] {
    auto result = testing::AssertionFailure() << describe(p) << " offset " << c.offset_a << ": ";
    if (outcome.plan) result << print(*outcome.plan) << ": ";
    return result;
  };
  if (!outcome.status.ok()) return failure() << outcome.status.text;
  if (!outcome.damage.empty()) return failure() << outcome.damage;
  for (std::int64_t product = 0; product < p.batch; ++product) {
    for (std::int64_t i = 0; i < p.n; ++i) {
      Value sum = 0;
      for (std::int64_t k = 0; k < p.n; ++k) sum += element(p, o, product, i, k) * o.x.at(product, index_x(p, k));
      const Value want =
          (c.alpha == 0.0 ? 0.0 : c.alpha * sum) + (c.beta == 0.0 ? 0.0 : c.beta * o.y.at(product, index_y(p, i)));
      std::byte rounded[16];
      put(p.type_y, rounded, 0, want);
      const Value got =
          get(p.type_y, outcome.output.data(), o.y.start[static_cast<std::size_t>(product)] + index_y(p, i));
      // The values are small integers, whose sums are exact.
      if (got != get(p.type_y, rounded, 0))
        return failure() << "y(" << i << ") of product " << product << " is " << got << ", expected " << want;
    }
  }
  return testing::AssertionSuccess();
}

testing::AssertionResult computes(const Case& c, const RunOptions& options) {
  const HostOperands operands = lay_out_triangle(c);
  return is_product(c, operands, run(sim_backend(), c, operands, options));
}

}  // namespace onepass::test
