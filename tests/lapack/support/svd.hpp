// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A singular value decomposition that was made on a backend between canaries; its residuals as expectations.
#pragma once

#include <string>

#include "guarded.hpp"
#include "lapack/check.hpp"
#include "types.hpp"
#include "verify/lapack_svd.hpp"

namespace onepass::test {

template <class T>
struct Svd : verify::Svd<T> {
  Svd(const LapackBackend& backend, std::int64_t m, std::int64_t n, std::int64_t padding, verify::Pattern pattern,
      int threads = 1)
      : verify::Svd<T>({.m = m, .n = n, .lda = std::max<std::int64_t>(1, m) + padding}, pattern, 23,
                       [&](const LapackProblem& p, const LapackOperands& o) { return run(backend, p, o, threads); }),
        name(verify::name(pattern)) {}

  std::string described() const {
    const LapackProblem& p = this->problem;
    return lapack_name(p) + " " + std::to_string(p.m) + "x" + std::to_string(p.n) + " lda = " + std::to_string(p.lda) +
           " " + name;
  }
  void expect_small_residuals(double limit = verify::residual_limit) {
    SCOPED_TRACE(described());
    EXPECT_TRUE(this->intact());
    for (auto* solution : {&this->values, &this->vectors, &this->all}) EXPECT_EQ(solution->info[0], 0);
    if (this->least() == 0) return;
    EXPECT_TRUE(this->is_sorted());
    for (const Job job : {Job::vectors, Job::all}) {
      const verify::SvdResiduals found = this->residuals(job);
      EXPECT_LT(found.equation, limit) << static_cast<int>(job);
      EXPECT_LT(found.u, limit) << static_cast<int>(job);
      EXPECT_LT(found.v, limit) << static_cast<int>(job);
      EXPECT_LT(found.values, limit) << static_cast<int>(job);
    }
  }
  void expect_failure() {
    SCOPED_TRACE(described());
    EXPECT_TRUE(this->intact());
    for (auto* solution : {&this->values, &this->vectors, &this->all}) EXPECT_EQ(solution->info[0], this->least());
    EXPECT_TRUE(this->is_all_nan());
  }

  const char* name;
};

// Tall and wide, one of them with padding.
template <class T>
void expect_small_svd_residuals(const LapackBackend& backend, std::int64_t m, std::int64_t n, verify::Pattern pattern,
                                int threads = 1) {
  const double limit = &backend == &lapack_reference() ? verify::rounding_limit : verify::residual_limit;
  Svd<T>(backend, m, n, 0, pattern, threads).expect_small_residuals(limit);
  if (m != n) Svd<T>(backend, n, m, 3, pattern, threads).expect_small_residuals(limit);
}

}  // namespace onepass::test
