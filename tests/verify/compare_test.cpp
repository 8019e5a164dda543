// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What the kit must see: outputs that are off, calls that fail, writes beside the outputs; and what it must let pass.
#include "verify/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "backends/host_backend.hpp"
#include "backends/registry.hpp"
#include "problem/names.hpp"
#include "verify/bound.hpp"

namespace onepass::verify {
namespace {

Case case_of(Routine routine, Fill fill) {
  Case c{.problem = {.routine = routine, .m = 6, .n = 6, .lda = 8, .incx = 2, .incy = 2}, .fill = fill};
  set_types(c.problem, "z");
  return c;
}

void each_routine(const auto& visit) {
  for (const RoutineRow& routine : routines)
    for (const Fill fill : {Fill::integers, Fill::reals}) {
      SCOPED_TRACE(routine.name);
      visit(case_of(routine.routine, fill));
    }
}

Output an_output(const Problem& p) {
  Output last;
  each_output(p, [&](const Output& out) { last = out; });
  return last;
}

TEST(Compare, LetsTheReferencePassAndSeesWhatIsOff) {
  each_routine([](const Case& c) {
    const Problem& p = c.problem;
    const HostOperands operands = lay_out(c);
    const Outcome expected = run(reference_backend(), c, operands);
    EXPECT_EQ(compare(c, operands, expected, expected).failure, "");
    const Output out = an_output(p);
    const Value value = get(output_type(p), expected.output.data(), out.index);
    const double bound = error_bound(c, operands, 0, out, value);
    const auto with = [&](Value v) {
      Outcome outcome = expected;
      put(output_type(p), outcome.output.data(), out.index, v);
      return compare(c, operands, outcome, expected).failure;
    };
    EXPECT_EQ(with(value + 0.5 * bound) == "", c.fill == Fill::reals);
    EXPECT_NE(with(value + 2 * bound), "");
    EXPECT_NE(with(value + Value(0, 2 * bound)), "");
    EXPECT_NE(with({std::numeric_limits<double>::quiet_NaN(), 0}), "");
    EXPECT_NE(with({std::numeric_limits<double>::infinity(), 0}).find(name(p, out)), std::string::npos);
  });
}

// A term of the sum that is left out is far beyond the bound.
TEST(Bound, IsLessThanATerm) {
  each_routine([](const Case& c) {
    const HostOperands operands = lay_out(c);
    EXPECT_LT(error_bound(c, operands, 0, an_output(c.problem), 1.0), 1e-10);
  });
}

// (terms + 4) eps sum + 2 eps kept + 2 roundings of 2, worked out by hand: a bound that is wider lets wrong digits
// pass.
TEST(Bound, IsAFewRoundingsOfEachTerm) {
  const double s = 0x1p-23, d = 0x1p-52;
  const struct {
    const char* types;
    Accumulate accumulate;
    double expected;
  } bounds[] = {
      {"s", Accumulate::standard, (104 * 50 + 2 + 2) * s}, {"d", Accumulate::standard, (104 * 50 + 2 + 2) * d},
      {"z", Accumulate::standard, (104 * 50 + 2 + 2) * d}, {"h", Accumulate::standard, 5202 * s + 2 * 0x1p-10},
      {"s", Accumulate::wider, 5202 * d + 2 * s},          {"d", Accumulate::twice, 2 * d}};
  for (const auto& b : bounds) {
    SCOPED_TRACE(b.types);
    Problem p{.m = 100, .n = 100, .lda = 100, .accumulate = b.accumulate};
    set_types(p, b.types);
    EXPECT_NEAR(error_bound(p, {.terms = 100, .sum = 50, .kept = 1, .expected = 2}), b.expected, 0.01 * b.expected);
  }
  Problem p{.m = 100, .n = 100, .lda = 100};
  set_types(p, "d");
  EXPECT_NEAR(likely_error_bound(p, 2), (8 * 108 + 2) * d, d);
  p.order = Order::canonical;
  EXPECT_EQ(error_bound(p, {.terms = 100, .sum = 50, .kept = 1, .expected = 2}), 0);
}

// The reference, but for what `spoil` does to the operands behind its back.
class Vandal final : public HostBackend {
 public:
  explicit Vandal(void (*spoil)(const Problem&, const Operands&)) : spoil_(spoil) {}
  BackendId id() const override { return BackendId::reference; }
  std::string why_unavailable() const override { return {}; }
  const DeviceTraits& traits() const override { return reference_backend().traits(); }
  Plan plan(const Problem& p, int threads) const override { return reference_backend().plan(p, threads); }
  std::string why_illegal(const Plan& plan) const override { return reference_backend().why_illegal(plan); }
  Status launch(const Plan& plan, const Operands& o, Workspace workspace, Stream stream) const override {
    const Status status = reference_backend().launch(plan, o, workspace, stream);
    spoil_(plan.problem, o);
    return status;
  }

 private:
  void (*spoil_)(const Problem&, const Operands&);
};

std::byte* written(const Problem& p, const Operands& o) {
  return static_cast<std::byte*>(writes_a(p) ? const_cast<void*>(o.a) : o.y);
}

std::string failure_with(const Case& c, void (*spoil)(const Problem&, const Operands&)) {
  return compare_with_reference(Vandal(spoil), c, {.again = true}).failure;
}

TEST(Run, SeesWritesBesideTheOutputs) {
#if defined(__SANITIZE_ADDRESS__)
  GTEST_SKIP() << "AddressSanitizer would end the program first";
#endif
  each_routine([](const Case& c) {
    EXPECT_EQ(failure_with(c, [](const Problem&, const Operands&) {}), "");
    EXPECT_NE(failure_with(c, [](const Problem& p, const Operands& o) { written(p, o)[-1] = std::byte{0}; })
                  .find("guards of "),
              std::string::npos);
    EXPECT_NE(failure_with(c,
                           [](const Problem& p, const Operands& o) {
                             // Behind the first column of A, or between two elements of y.
                             written(p, o)[16 * (writes_a(p) ? 7 : 1)] = std::byte{0};
                           })
                  .find("between its elements"),
              std::string::npos);
    EXPECT_NE(
        failure_with(c, [](const Problem&,
                           const Operands& o) { static_cast<std::byte*>(const_cast<void*>(o.x))[0] = std::byte{0x5a}; })
            .find("x, which is only read"),
        std::string::npos);
    EXPECT_NE(failure_with(c,
                           [](const Problem& p, const Operands& o) {
                             const void* const input = writes_a(p) ? o.y : o.a;
                             static_cast<std::byte*>(const_cast<void*>(input))[0] = std::byte{0x5a};
                           })
                  .find("which is only read"),
              std::string::npos);
  });
}

TEST(Run, SeesThatASecondCallGivesOtherBits) {
  each_routine([](const Case& c) {
    if (c.fill == Fill::integers) return;
    EXPECT_EQ(failure_with(c,
                           [](const Problem& p, const Operands& o) {
                             static int calls = 0;
                             written(p, o)[0] ^= static_cast<std::byte>(++calls % 2);  // the last bit of a mantissa
                           }),
              "a second call gave other bits");
  });
}

}  // namespace
}  // namespace onepass::verify
