// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// Each allocation of a call fails in turn: calls of BLAS have no status, and are right without that memory.
#include <gtest/gtest.h>

#include <complex>
#include <functional>
#include <vector>

#include "interop/blas/symbols.hpp"
#include "support/failing_memory.hpp"

namespace blas_test::short_of_memory {
namespace {

// Large enough for two threads, with gaps; whole numbers, so that sums are the same in any order.
constexpr Short n = 160, two = 2, three = 3;
constexpr double one = 1, zero = 0;
constexpr std::complex<double> complex_one = 1, complex_zero = 0;

std::vector<double> numbers(std::size_t count) {
  std::vector<double> list;
  for (std::size_t i = 0; i < count; ++i) list.push_back(static_cast<double>(i * 7 % 13));
  return list;
}

struct Operands {
  std::vector<double> a = numbers(2 * n * n), x = numbers(4 * n), y = std::vector<double>(6 * n);
};

struct Call {
  const char* name;
  std::function<void(Operands&)> run;
};

const std::vector<Call>& calls() {
  static const std::vector<Call> list = {
      {"dgemv_ N",
       [](Operands& o) { dgemv_("N", &n, &n, &one, o.a.data(), &n, o.x.data(), &two, &zero, o.y.data(), &three); }},
      {"dgemv_ T",
       [](Operands& o) { dgemv_("T", &n, &n, &one, o.a.data(), &n, o.x.data(), &two, &zero, o.y.data(), &three); }},
      {"zgemv_ C",
       [](Operands& o) {
         zgemv_("C", &n, &n, &complex_one, o.a.data(), &n, o.x.data(), &two, &complex_zero, o.y.data(), &three);
       }},
      {"cblas_dgemv of rows, transposed",
       [](Operands& o) { cblas_dgemv(101, 112, n, n, one, o.a.data(), n, o.x.data(), 2, zero, o.y.data(), 3); }},
      {"dsymv_",
       [](Operands& o) { dsymv_("U", &n, &one, o.a.data(), &n, o.x.data(), &two, &zero, o.y.data(), &three); }},
      {"zhemv_",
       [](Operands& o) {
         zhemv_("L", &n, &complex_one, o.a.data(), &n, o.x.data(), &two, &complex_zero, o.y.data(), &three);
       }},
      {"dsymv_ without gaps",
       [](Operands& o) {
         constexpr Short next = 1;
         dsymv_("L", &n, &one, o.a.data(), &n, o.x.data(), &next, &zero, o.y.data(), &next);
       }},
  };
  return list;
}

// In processes of their own, since a thread keeps what a call took.
TEST(MemoryRunsOut, WithTheRightResultAllTheSame) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for (const Call& call : calls()) {
    Operands operands, expected;
    const auto is_right = [&] {
      call.run(expected);
      return operands.y == expected.y;
    };
    EXPECT_EXIT(exit(failing_memory::each_first_allocation_fails([&] { call.run(operands); }, is_right) ? 0 : 1),
                testing::ExitedWithCode(0), "")
        << call.name;
  }
}

}  // namespace
}  // namespace blas_test::short_of_memory
