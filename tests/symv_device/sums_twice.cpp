// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "symv_device/sums_twice.hpp"

#include <algorithm>
#include <cmath>

#include "backends/registry.hpp"
#include "backends/sim/launcher.hpp"

namespace onepass::test {
namespace {

// y = A x of numbers that are powers of two, or zero.
struct Powers {
  const char* name;
  double (*of_a)(std::int64_t r, std::int64_t c);
  double (*of_x)(std::int64_t k);
};
constexpr Powers powers[] = {
    {"ones", [](std::int64_t, std::int64_t) { return 1.0; }, [](std::int64_t) { return 1.0; }},
    {"growing", [](std::int64_t, std::int64_t c) { return std::ldexp(1.0, static_cast<int>(c)); },
     [](std::int64_t) { return 1.0; }},
    {"shrinking", [](std::int64_t, std::int64_t) { return 1.0; },
     [](std::int64_t k) { return std::ldexp(1.0, static_cast<int>(-k)); }},
    {"zeros", [](std::int64_t r, std::int64_t c) { return r == 300 && c == 20 ? 1.0 : 0.0; },
     [](std::int64_t k) { return k == 20 || k == 300 ? 2.0 : 0.0; }},
    {"tiny", [](std::int64_t, std::int64_t) { return 0x1p-500; }, [](std::int64_t) { return 0x1p-450; }},
    {"huge", [](std::int64_t, std::int64_t) { return 0x1p510; }, [](std::int64_t) { return 0x1p500; }},
    {"tiny and huge", [](std::int64_t r, std::int64_t) { return r % 7 == 0 ? 0x1p500 : 0x1p-500; },
     [](std::int64_t k) { return k % 5 == 0 ? 0x1p-400 : 0x1p400; }},
};

}  // namespace

void expect_sums_of_powers(Case c, const RunOptions& options) {
  const std::int64_t n = c.problem.n;
  c.alpha = 1;
  c.beta = 0;
  for (const Powers& numbers : powers) {
    SCOPED_TRACE(numbers.name);
    HostOperands o = lay_out_triangle(c);
    for (std::int64_t k = 0; k < n; ++k) {
      o.x.set(0, index_x(c.problem, k), numbers.of_x(k));
      for (std::int64_t r = k; r < n; ++r)
        o.a.set(0, c.problem.uplo == Uplo::lower ? index_a(c.problem, r, k) : index_a(c.problem, k, r),
                numbers.of_a(r, k));
    }
    const Outcome outcome = run(sim_backend(), c, o, options);
    ASSERT_TRUE(outcome.status.ok()) << outcome.status.text;
    for (std::int64_t i = 0; i < n; ++i) {
      double sum = 0, rest = 0;  // of positive numbers
      for (std::int64_t k = n; k-- > 0;) {
        const double term = numbers.of_a(std::max(i, k), std::min(i, k)) * numbers.of_x(k), next = sum + term;
        rest += std::abs(sum) > term ? term - (next - sum) : sum - (next - term);
        sum = next;
      }
      const Value y = get(c.problem.type_y, outcome.output.data(), o.y.place(0, index_y(c.problem, i)));
      ASSERT_LE(std::abs(y.real() - (sum + rest)), 0x1p-52 * sum) << i << " " << y;
      ASSERT_EQ(y.imag(), 0) << i;
    }
  }
}

void expect_same_bits(Case c, const RunOptions& options) {
  c.fill = Fill::reals;
  const HostOperands operands = lay_out_triangle(c);
  const Outcome first = run(sim_backend(), c, operands, options);
  ASSERT_TRUE(first.status.ok()) << first.status.text;
  sim::options() = {.block_order = sim::BlockOrder::shuffled, .seed = 7, .reverse_threads = true};
  const Outcome again = run(sim_backend(), c, operands, options);
  sim::options() = {};
  EXPECT_TRUE(again.status.ok()) << again.status.text;
  EXPECT_EQ(again.output, first.output);
}

}  // namespace onepass::test
