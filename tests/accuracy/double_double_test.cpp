// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Double-doubles at their edges: infinities and NaN, tails that are zero, subnormal, or overlap their heads.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "backends/registry.hpp"
#include "problem/names.hpp"
#include "verify/compare.hpp"
#include "verify/random.hpp"

namespace onepass::test {
namespace {

using verify::Case;
using verify::HostOperands;
using verify::Value;

constexpr double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();

class DoubleDoubles : public testing::TestWithParam<const Backend*> {
 protected:
  // A product of each kind: op N, op T, either triangle.
  template <class Visit>
  static void each_kind(std::int64_t m, std::int64_t n, Visit visit) {
    for (const int kind : {0, 1, 2, 3}) {
      Problem p{.routine = kind < 2 ? Routine::gemv : Routine::symv,
                .op = kind == 1 ? Op::t : Op::n,
                .uplo = kind == 3 ? Uplo::upper : Uplo::lower,
                .m = kind < 2 ? m : n,
                .n = n};
      set_types(p, "w");
      p.lda = p.m + 1;
      SCOPED_TRACE(describe(p) + " on " + name(GetParam()->id()));
      visit(Case{.problem = p, .alpha = 1.0, .beta = 0.0, .fill = verify::Fill::reals});
    }
  }
  // Both parts as they are, also where put() would add them up.
  static void set(verify::Operand& operand, std::int64_t index, double head, double tail) {
    const double parts[2] = {head, tail};
    std::memcpy(operand.bytes.data() + 16 * operand.place(0, index), parts, 16);
  }
  static verify::Outcome run(const Case& c, const HostOperands& o) {
    verify::Outcome outcome = verify::run(*GetParam(), c, o);
    EXPECT_TRUE(outcome.status.ok()) << outcome.status.text;
    EXPECT_EQ(outcome.damage, "");
    return outcome;
  }
  static Value result(const Case& c, const HostOperands& o, const verify::Outcome& outcome, std::int64_t i) {
    return verify::get(Type::w, outcome.output.data(), o.y.place(0, verify::index_y(c.problem, i)));
  }
};

TEST_P(DoubleDoubles, WhatIsInfiniteOrNanStaysSoAndHasNoTail) {
  each_kind(40, 40, [](const Case& c) {
    for (const double special : {infinity, -infinity, nan}) {
      HostOperands o = verify::lay_out(c);
      for (std::int64_t k = 0; k < 40; ++k) set(o.x, verify::index_x(c.problem, k), 1.5, 0x1p-60);
      set(o.a, verify::index_a(c.problem, 7, 7), special, 0);  // of output 7 alone
      const verify::Outcome outcome = run(c, o);
      for (std::int64_t i = 0; i < 40; ++i) {
        const Value y = result(c, o, outcome, i);
        if (i != 7)
          EXPECT_TRUE(std::isfinite(y.real()) && std::isfinite(y.imag())) << i;
        else
          EXPECT_TRUE((std::isnan(special) ? std::isnan(y.real()) : y.real() == special) && y.imag() == 0) << y;
      }
    }
  });
}

TEST_P(DoubleDoubles, SumsThatOverflowAreInfinite) {
  each_kind(3, 3, [](const Case& c) {
    HostOperands o = verify::lay_out(c);
    for (std::int64_t k = 0; k < 3; ++k) set(o.x, verify::index_x(c.problem, k), 1e200, 1e180);
    for (std::int64_t r = 0; r < 3; ++r)
      for (std::int64_t k = 0; k < 3; ++k)
        if (is_stored(c.problem, r, k)) set(o.a, verify::index_a(c.problem, r, k), -1e200, 1e183);
    const verify::Outcome outcome = run(c, o);
    for (std::int64_t i = 0; i < 3; ++i) EXPECT_EQ(result(c, o, outcome, i), Value(-infinity, 0));
  });
}

// 2^-54 of a number that is barely normal is zero or subnormal: what is lost is below the smallest number.
TEST_P(DoubleDoubles, TailsMayBeZeroOrSubnormal) {
  each_kind(23, 23, [](const Case& c) {
    for (const double scale : {0x1p-1000, 0x1p-1022, 0x1p-1060}) {
      HostOperands o = verify::lay_out(c);
      for (std::int64_t r = 0; r < 23; ++r)
        for (std::int64_t k = 0; k < 23; ++k)
          if (is_stored(c.problem, r, k)) {
            const Value a = o.a.at(0, verify::index_a(c.problem, r, k));
            set(o.a, verify::index_a(c.problem, r, k), a.real() * scale, r % 2 == 0 ? 0 : a.imag() * scale);
          }
      const verify::Outcome outcome = run(c, o), expected = verify::run(reference_backend(), c, o);
      const verify::Verdict verdict = verify::compare(c, o, outcome, expected);
      // Products of tails underflow too, by half of the smallest number each.
      for (std::int64_t i = 0; i < 23; ++i) {
        const Value off = verify::difference(Type::w, result(c, o, outcome, i), result(c, o, expected, i));
        EXPECT_LE(std::abs(off), 4 * 23 * 0x1p-1074 + 31 * 0x1p-102 * 23 * scale) << i << verdict.failure;
      }
    }
  });
}

// Head and tail are added up: whole numbers in both come out exactly, whatever overlaps.
TEST_P(DoubleDoubles, TailsMayOverlapTheirHeads) {
  each_kind(33, 29, [](const Case& c) {
    const Problem& p = c.problem;
    HostOperands o = verify::lay_out(c), plain = o;
    verify::Random random(5);
    const auto fill = [&](verify::Operand& pairs, verify::Operand& sums, std::int64_t index) {
      const auto head = static_cast<double>(random.below(9) - 4), tail = static_cast<double>(random.below(9) - 4);
      set(pairs, index, head, tail);
      set(sums, index, head + tail, 0);
    };
    for (std::int64_t r = 0; r < stored(p).rows; ++r)
      for (std::int64_t k = 0; k < stored(p).cols; ++k)
        if (is_stored(p, r, k)) fill(o.a, plain.a, verify::index_a(p, r, k));
    for (std::int64_t k = 0; k < length_x(p); ++k) fill(o.x, plain.x, verify::index_x(p, k));
    for (std::int64_t i = 0; i < length_y(p); ++i) fill(o.y, plain.y, verify::index_y(p, i));
    Case with_y = c;
    with_y.beta = -3.0;
    EXPECT_EQ(run(with_y, o).output, run(with_y, plain).output);
  });
}

// A tail that the head has no digit of is not lost: 1 + 2^-100 in A and in x.
TEST_P(DoubleDoubles, TailsCount) {
  each_kind(5, 5, [](const Case& c) {
    HostOperands o = verify::lay_out(c);
    for (std::int64_t k = 0; k < 5; ++k) set(o.x, verify::index_x(c.problem, k), 1, 0x1p-100);
    for (std::int64_t r = 0; r < 5; ++r)
      for (std::int64_t k = 0; k < 5; ++k)
        if (is_stored(c.problem, r, k)) set(o.a, verify::index_a(c.problem, r, k), 1, 0x1p-100);
    const verify::Outcome outcome = run(c, o);
    for (std::int64_t i = 0; i < 5; ++i) EXPECT_EQ(result(c, o, outcome, i), Value(5, 10 * 0x1p-100));
  });
}

TEST_P(DoubleDoubles, ScalarsHaveTails) {
  each_kind(4, 4, [](Case c) {
    c.alpha = {1, 0x1p-90};
    c.beta = {-1, 0x1p-80};
    HostOperands o = verify::lay_out(c);
    for (std::int64_t k = 0; k < 4; ++k) set(o.x, verify::index_x(c.problem, k), k == 0 ? 1 : 0, 0);
    for (std::int64_t r = 0; r < 4; ++r)
      for (std::int64_t k = 0; k < 4; ++k)
        if (is_stored(c.problem, r, k)) set(o.a, verify::index_a(c.problem, r, k), 1, 0);
    for (std::int64_t i = 0; i < 4; ++i) set(o.y, verify::index_y(c.problem, i), 1, 0);
    const verify::Outcome outcome = run(c, o);
    for (std::int64_t i = 0; i < 4; ++i) EXPECT_EQ(result(c, o, outcome, i), Value(0x1p-80 + 0x1p-90, 0));
  });
}

INSTANTIATE_TEST_SUITE_P(Accuracy, DoubleDoubles, testing::ValuesIn(verify::available_backends()),
                         [](const auto& info) { return std::string(name(info.param->id())); });

}  // namespace
}  // namespace onepass::test
