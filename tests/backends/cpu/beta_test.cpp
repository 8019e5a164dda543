// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// What beta makes of a y that is not finite.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "backends/registry.hpp"
#include "numbers/scalar.hpp"
#include "problem/names.hpp"

namespace onepass {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

std::vector<Complex<float>> product(const Backend& backend, const Problem& p, int threads, Complex<float> alpha) {
  const Complex<float> one = {1, 0};
  const std::vector<Complex<float>> a(static_cast<std::size_t>(p.lda * p.n), one);
  const std::vector<Complex<float>> x(static_cast<std::size_t>(p.n), one);
  std::vector<Complex<float>> y(static_cast<std::size_t>(p.m * p.incy), {infinity, 5});
  const Plan plan = backend.plan(p, threads);
  void* workspace = nullptr;
  EXPECT_TRUE(backend.allocate(plan.workspace_bytes, &workspace).ok());
  const Operands operands = {.alpha = &alpha, .a = a.data(), .x = x.data(), .beta = &one, .y = y.data()};
  EXPECT_TRUE(backend.launch(plan, operands, {workspace, plan.workspace_bytes}, nullptr).ok());
  backend.release(workspace);
  return y;
}

// As in BLAS: a product with 1 + 0i would make the imaginary part 0 * infinity.
TEST(CpuBeta, OneLeavesYAlone) {
  for (const Backend* backend : {&cpu_backend(), &reference_backend()})
    for (const Routine routine : {Routine::gemv, Routine::symv, Routine::hemv})
      for (const Op op : {Op::n, Op::t})
        for (const std::int64_t incy : {1, 2})
          for (const int threads : {1, 2}) {
            const Problem p = {.routine = routine,
                               .type_a = Type::c,
                               .type_x = Type::c,
                               .type_y = Type::c,
                               .op = op,
                               .m = 256,
                               .n = 256,
                               .lda = 256,
                               .incy = incy};
            if (routine != Routine::gemv && op != Op::n) continue;
            const std::vector<Complex<float>> y = product(*backend, p, threads, {0, 1});
            for (std::int64_t i = 0; i < p.m; ++i) {
              const Complex<float> value = y[static_cast<std::size_t>(i * incy)];
              ASSERT_TRUE(value == (Complex<float>{infinity, 256 + 5}))
                  << name(backend->id()) << " " << name(routine) << " " << name(op) << " incy " << incy << " threads "
                  << threads << ": y(" << i << ") = " << value.re << " + " << value.im << "i";
            }
          }
}

}  // namespace
}  // namespace onepass
