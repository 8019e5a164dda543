// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// NaN and infinity in A and x reach exactly the outputs that IEEE arithmetic says.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "backends/registry.hpp"
#include "gemv/on_backend.hpp"
#include "support/compare.hpp"

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
INSTANTIATE_TEST_SUITE_P(Gemv, Nonfinite, every_backend(), backend_name);

// First, last, and some in between: in heads, bodies and tails of vectors.
std::set<std::int64_t> places(std::int64_t length) { return {0, length / 3, length / 2, length - 2, length - 1}; }

TEST_P(Nonfinite, ElementsOfASpoilTheirOwnOutputOnly) {
  for (const GroupedCase& g : small_cases()) {
    const Stored s = stored(g.c.problem);
    for (const double value : {nan, infinity, -infinity})
      for (const std::int64_t row : places(s.rows))
        expect_as_reference(g.c, [&](HostOperands& o) { o.a.set(0, index_a(g.c.problem, row, s.cols / 2), value); });
    for (const std::int64_t column : places(s.cols))
      expect_as_reference(g.c, [&](HostOperands& o) { o.a.set(0, index_a(g.c.problem, s.rows / 2, column), nan); });
  }
}

TEST_P(Nonfinite, ElementsOfXSpoilEveryOutputEvenTimesZero) {
  for (const GroupedCase& g : small_cases())
    for (const double value : {nan, infinity})
      for (const std::int64_t k : places(length_x(g.c.problem)))
        expect_as_reference(g.c, [&](HostOperands& o) { o.x.set(0, index_x(g.c.problem, k), value); });
}

TEST_P(Nonfinite, OppositeInfinitiesMakeNan) {
  for (const GroupedCase& g : small_cases()) {
    const Stored s = stored(g.c.problem);
    expect_as_reference(g.c, [&](HostOperands& o) {
      const auto at = [&](std::int64_t k) {
        return s.transposed ? index_a(g.c.problem, k, 1) : index_a(g.c.problem, 1, k);
      };
      o.x.set(0, index_x(g.c.problem, 0), 1.0);
      const std::int64_t last = length_x(g.c.problem) - 1;
      o.x.set(0, index_x(g.c.problem, last), 1.0);
      o.a.set(0, at(0), infinity);
      o.a.set(0, at(last), -infinity);
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

// alpha (A x) or A (alpha x), infinite or NaN: not promised. But no output is finite.
TEST_P(Nonfinite, InfiniteAlphaSpoilsEveryOutput) {
  for (const GroupedCase& g : small_cases()) {
    Case c = g.c;
    c.alpha = infinity;
    const HostOperands operands = lay_out(c);
    const Outcome actual = run(backend(), c, operands);
    ASSERT_TRUE(actual.status.ok()) << actual.status.text;
    for (std::int64_t i = 0; i < length_y(c.problem); ++i) {
      const Value y = get(c.problem.type_y, actual.y.data(), operands.y.start[0] + index_y(c.problem, i));
      EXPECT_FALSE(std::isfinite(y.real()) && std::isfinite(y.imag())) << c.name;
    }
  }
}

// The sum of half types is kept in float: it overflows when it is stored, not before.
TEST_P(Nonfinite, HalfOverflowsOnlyWhenStored) {
  Problem p{.type_a = Type::h, .type_x = Type::h, .type_y = Type::h, .m = 8, .n = 4, .lda = 8};
  for (const Op op : {Op::n, Op::t}) {
    p.op = op;
    const Case c{.name = "overflow", .problem = p, .alpha = 1.0, .beta = 0.0};
    expect_as_reference(c, [&](HostOperands& o) {
      for (std::int64_t k = 0; k < length_x(p); ++k) o.x.set(0, index_x(p, k), 256.0);
      for (std::int64_t i = 0; i < p.m * p.n; ++i) o.a.set(0, i, i % 2 == 0 ? 60'000.0 : -60'000.0);
      o.a.set(0, 0, 60'000.0);
      o.a.set(0, 1, 60'000.0);
    });
  }
}

}  // namespace
}  // namespace onepass::test
