// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// NaN and infinity in A, x and y reach exactly the outputs, and their parts, that IEEE arithmetic says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "backends/registry.hpp"
#include "support/family/on_backend.hpp"

namespace onepass::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

class Nonfinite : public OnBackend {
 protected:
  // Spoils the operands and expects the kinds and values of the reference.
  void expect_as_reference(const Case& c, const auto& spoil) {
    HostOperands operands = lay_out(c);
    spoil(operands);
    EXPECT_TRUE(agrees(c, operands, run(backend(), c, operands), run(reference_backend(), c, operands))) << c.name;
  }
};
INSTANTIATE_TEST_SUITE_P(Family, Nonfinite, every_backend_but_reference(), backend_name);

// First, last, and some in between: in heads, bodies and tails of vectors.
std::set<std::int64_t> places(std::int64_t length) { return {0, length / 3, length / 2, length - 2, length - 1}; }

// The other triangle of a symmetric matrix holds NaN anyway.
TEST_P(Nonfinite, ElementsOfASpoilTheirOwnOutputsOnly) {
  for (const GroupedCase& g : small_cases()) {
    const Problem& p = g.c.problem;
    const Stored s = stored(p);
    const auto spoil = [&](std::int64_t row, std::int64_t column, double value) {
      if (is_stored(p, row, column))
        expect_as_reference(g.c, [&](HostOperands& o) { o.a.set(0, index_a(p, row, column), value); });
    };
    for (const std::int64_t row : places(s.rows))
      for (const double value : {nan, infinity, -infinity}) spoil(row, s.cols / 2, value);
    for (const std::int64_t column : places(s.cols)) spoil(s.rows / 2, column, nan);
  }
}

TEST_P(Nonfinite, ElementsOfXSpoilEveryOutputEvenTimesZero) {
  for (const GroupedCase& g : small_cases())
    for (const double value : {nan, infinity})
      for (const std::int64_t k : places(length_x(g.c.problem)))
        expect_as_reference(g.c, [&](HostOperands& o) { o.x.set(0, index_x(g.c.problem, k), value); });
}

TEST_P(Nonfinite, ElementsOfYSpoilTheirOwnOutputsOnly) {
  for (const GroupedCase& g : small_cases())
    for (const double value : {nan, infinity})
      for (const std::int64_t i : places(length_y(g.c.problem)))
        expect_as_reference(g.c, [&](HostOperands& o) { o.y.set(0, index_y(g.c.problem, i), value); });
}

TEST_P(Nonfinite, OppositeInfinitiesMakeNan) {
  for (const GroupedCase& g : small_cases()) {
    const Problem& p = g.c.problem;
    const std::int64_t last = length_x(p) - 1;
    expect_as_reference(g.c, [&](HostOperands& o) {
      if (writes_a(p)) {
        o.a.set(0, index_of(p, 1, 0), infinity);
        o.x.set(0, index_x(p, 1), -infinity);
        o.y.set(0, index_y(p, 0), 1.0);
        return;
      }
      o.x.set(0, index_x(p, 0), 1.0);
      o.x.set(0, index_x(p, last), 1.0);
      o.a.set(0, index_of(p, 1, 0), infinity);
      o.a.set(0, index_of(p, 1, last), -infinity);
    });
  }
}

TEST_P(Nonfinite, ScalarsSpoilEveryOutput) {
  for (const GroupedCase& g : small_cases()) {
    Case c = g.c;
    c.alpha = nan;
    expect_as_reference(c, [](HostOperands&) {});
    for (const double value : {nan, infinity}) {
      c = g.c;
      c.beta = value;
      expect_as_reference(c, [](HostOperands&) {});
    }
  }
}

class InfiniteAlpha : public OnBackend {};
INSTANTIATE_TEST_SUITE_P(Family, InfiniteAlpha, every_backend(), backend_name);

// alpha (A x) or A (alpha x), infinite or NaN: not promised. But no output is finite.
TEST_P(InfiniteAlpha, SpoilsEveryOutput) {
  for (const GroupedCase& g : small_cases()) {
    Case c = g.c;
    c.alpha = infinity;
    const HostOperands operands = lay_out(c);
    const Outcome actual = run(backend(), c, operands);
    ASSERT_TRUE(actual.status.ok()) << actual.status.text;
    each_output(c.problem, [&](const Output& out) {
      const Value v = get(output_type(c.problem), actual.output.data(), operands.output(c.problem).place(0, out.index));
      EXPECT_FALSE(std::isfinite(v.real()) && std::isfinite(v.imag())) << c.name << " " << name(c.problem, out);
    });
  }
}

// The sum of half types is kept in float: it overflows when it is stored, not before.
TEST_P(Nonfinite, HalfOverflowsOnlyWhenStored) {
  for (const GroupedCase& g : small_cases()) {
    Case c = g.c;
    const Problem& p = c.problem;
    if (p.type_a != Type::h) continue;
    c.alpha = 1.0, c.beta = 0.0;
    expect_as_reference(c, [&](HostOperands& o) {
      for (std::int64_t k = 0; k < length_x(p); ++k) o.x.set(0, index_x(p, k), 256.0);
      // Outputs 0 and 1 stay large, and in the others most terms cancel.
      for (std::int64_t i = 0; i < length_y(p); ++i)
        for (std::int64_t k = 0; k < length_x(p); ++k)
          o.a.set(0, index_of(p, i, k), (i + k) % 2 == 0 || std::min(i, k) < 2 ? 60'000.0 : -60'000.0);
    });
  }
}

class BetaOne : public OnBackend {
 protected:
  // With alpha = i, beta = 1 and numbers that are real: a real part of y that is infinite stays alone with that.
  void expect_parts_apart(const Case& c) {
    const Problem& p = c.problem;
    HostOperands operands = lay_out(c);
    for (std::int64_t b = 0; b < p.batch; ++b)
      for (std::int64_t i = 0; i < length_y(p); ++i) {
        for (std::int64_t k = 0; k < length_x(p); ++k) operands.a.set(b, index_of(p, i, k), 1.0);
        operands.y.set(b, index_y(p, i), {infinity, 5});
      }
    for (std::int64_t b = 0; b < p.batch; ++b)
      for (std::int64_t k = 0; k < length_x(p); ++k) operands.x.set(b, index_x(p, k), 1.0);
    const Outcome found = run(backend(), c, operands);
    ASSERT_TRUE(found.status.ok()) << found.status.text;
    const Value expected{infinity, 5.0 + static_cast<double>(length_x(p))};
    for (std::int64_t b = 0; b < p.batch; ++b)
      for (std::int64_t i = 0; i < length_y(p); ++i)
        ASSERT_EQ(get(p.type_y, found.output.data(), operands.y.place(b, index_y(p, i))), expected)
            << describe(p) << ": y(" << i << ") of product " << b;
  }
};
INSTANTIATE_TEST_SUITE_P(Family, BetaOne, every_backend(), backend_name);

// As in BLAS: a product with 1 + 0i would make NaN of the other part.
TEST_P(BetaOne, LeavesThePartsOfYApart) {
  if (!row(forms().front()).has_beta) GTEST_SKIP() << "these routines have no beta";
  struct Size {
    std::int64_t m, n, batch;
  };
  for (const Size& size : {Size{11, 7, 1}, {24, 140, 1}, {2400, 3, 1}, {3, 2, 2048}})
    for (const char* types : {"c", "z"})
      for (const Problem& form : forms())
        for (const Scalars scalars : {Scalars::host, Scalars::device}) {
          Case c{.name = "beta1", .problem = sized(form, types, size.m, size.n), .alpha = {0, 1}, .beta = 1.0};
          Problem& p = c.problem;
          p.incy = (scalars == Scalars::device) == (form.layout == Layout::column) ? 2 : 1;
          p.scalars = scalars;
          p.batch = is_triangle(p) ? std::min<std::int64_t>(size.batch, 64) : size.batch;  // the simulator is slow
          p.stride_a = p.lda * stored(p).cols, p.stride_x = length_x(p), p.stride_y = length_y(p) * p.incy;
          expect_parts_apart(c);
        }
}

TEST_P(BetaOne, LeavesThePartsOfYApartBesideSumsWithMoreDigits) {
  for (const auto& [types, accumulate] : {std::pair("c", Accumulate::wider), std::pair("z", Accumulate::twice)})
    for (const Problem& form : forms()) {
      if (!row(form).has_beta || !row(form).accumulates) continue;
      Case c{.name = "beta1", .problem = sized(form, types, 11, 7), .alpha = {0, 1}, .beta = 1.0};
      c.problem.accumulate = accumulate;
      expect_parts_apart(c);
    }
}

}  // namespace
}  // namespace onepass::test
