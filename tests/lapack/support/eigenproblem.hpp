// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A Hermitian eigenproblem that was solved on a backend between canaries; its residuals as expectations.
#pragma once

#include <string>

#include "guarded.hpp"
#include "lapack/check.hpp"
#include "types.hpp"
#include "verify/lapack_eigen.hpp"

namespace onepass::test {

template <class T>
struct Eigenproblem : verify::Eigenproblem<T> {
  Eigenproblem(const LapackBackend& backend, Uplo uplo, std::int64_t n, std::int64_t padding, verify::Pattern pattern,
               int threads = 1)
      : verify::Eigenproblem<T>(
            {.uplo = uplo, .n = n, .lda = std::max<std::int64_t>(1, n) + padding}, pattern, 17,
            [&](const LapackProblem& p, const LapackOperands& o) { return run(backend, p, o, threads); }),
        name(verify::name(pattern)) {}

  std::string described() const {
    const LapackProblem& p = this->problem;
    return lapack_name(p) + " n = " + std::to_string(p.n) + " uplo = " + std::to_string(static_cast<int>(p.uplo)) +
           " lda = " + std::to_string(p.lda) + " " + name;
  }
  void expect_small_residuals(double limit = verify::residual_limit) {
    SCOPED_TRACE(described());
    EXPECT_TRUE(this->intact());
    EXPECT_EQ(this->vectors.info[0], 0);
    EXPECT_EQ(this->values.info[0], 0);
    EXPECT_TRUE(this->is_sorted());
    const verify::EigenResiduals found = this->residuals();
    EXPECT_LT(found.equation, limit);
    EXPECT_LT(found.orthogonality, limit);
    EXPECT_LT(found.values, limit);
  }
  void expect_failure() {
    SCOPED_TRACE(described());
    EXPECT_TRUE(this->intact());
    EXPECT_EQ(this->vectors.info[0], 2 * this->problem.n + 1);
    EXPECT_EQ(this->values.info[0], this->problem.n);
    EXPECT_TRUE(this->is_all_nan());
  }

  const char* name;
};

inline constexpr Uplo both_triangles[] = {Uplo::lower, Uplo::upper};

// One problem for both triangles, one with padding.
template <class T>
void expect_small_eigen_residuals(const LapackBackend& backend, std::int64_t n, verify::Pattern pattern,
                                  int threads = 1) {
  const double limit = &backend == &lapack_reference() ? verify::rounding_limit : verify::residual_limit;
  for (const Uplo uplo : both_triangles)
    Eigenproblem<T>(backend, uplo, n, uplo == Uplo::upper ? 3 : 0, pattern, threads).expect_small_residuals(limit);
}

}  // namespace onepass::test
