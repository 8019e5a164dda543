// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A reduction that has run on a backend between canaries; its residuals as expectations.
#pragma once

#include <limits>
#include <string>

#include "guarded.hpp"
#include "lapack/check.hpp"
#include "lapack/householder.hpp"
#include "types.hpp"
#include "verify/lapack_reduction.hpp"

namespace onepass::test {

template <class T>
struct Reduction : verify::Reduction<T> {
  Reduction(const LapackBackend& backend, LapackProblem p, verify::Pattern pattern, int threads = 1)
      : verify::Reduction<T>(p, pattern, 17, [&](const LapackProblem& problem, const LapackOperands& operands) {
          return run(backend, problem, operands, threads);
        }) {}

  void expect_small_residuals(const LapackBackend& generator = lapack_reference()) {
    const LapackProblem& p = this->problem;
    SCOPED_TRACE(lapack_name(p) + " m = " + std::to_string(p.m) + " n = " + std::to_string(p.n) +
                 " uplo = " + std::to_string(static_cast<int>(p.uplo)) + " ilo = " + std::to_string(p.ilo) +
                 " ihi = " + std::to_string(p.ihi) + " lda = " + std::to_string(p.lda));
    EXPECT_TRUE(this->intact);
    const verify::Residuals found = this->residuals(generator);
    EXPECT_LT(found.reduction, verify::residual_limit);
    EXPECT_LT(found.q, verify::residual_limit);
    EXPECT_LT(found.right, verify::residual_limit);
  }
};

// geqrf of columns of very different sizes: each keeps its own digits, so that |column of R| = |column of A|.
template <class T>
void expect_columns_of_any_size(const LapackBackend& backend) {
  using R = lapack::Real<T>;
  constexpr std::int64_t m = 12, n = 5;
  const R smallest = std::numeric_limits<R>::min() * 8, largest = std::numeric_limits<R>::max() / 64;
  const R sizes[n] = {largest, R{1}, smallest, R{0}, R{1} / largest};
  Guarded<T> a(m, n, m), tau(n);
  const auto numbers = verify::make_matrix<T>(verify::Pattern::random, m, n, false, 3);
  for (std::int64_t c = 0; c < n; ++c)
    for (std::int64_t r = 0; r < m; ++r) a(r, c) = static_cast<T>(numbers(r, c)) * sizes[c];
  Guarded<T> before = a;
  const LapackProblem p = {.routine = LapackRoutine::geqrf, .type = type_of<T>, .m = m, .n = n, .lda = m};
  ASSERT_TRUE(run(backend, p, {.a = a.data(), .tau = tau.data()}));
  for (std::int64_t c = 0; c < n; ++c) {
    const R wanted = lapack::scaled_norm<T>(m, &before(0, c), 1), found = lapack::scaled_norm<T>(c + 1, &a(0, c), 1);
    EXPECT_LE(std::abs(found - wanted), wanted * (20 * m * std::numeric_limits<R>::epsilon())) << c;
  }
}

}  // namespace onepass::test
