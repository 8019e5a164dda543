// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A reduction that has run on a backend between canaries; its residuals as expectations.
#pragma once

#include <string>

#include "guarded.hpp"
#include "lapack/check.hpp"
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

}  // namespace onepass::test
