// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A batch of Hermitian eigenproblems of several patterns on a backend, and what must hold of it as expectations.
#pragma once

#include <string>

#include "guarded.hpp"
#include "lapack/check.hpp"
#include "types.hpp"
#include "verify/lapack_batch.hpp"

namespace onepass::test {

using verify::Pattern;

template <class T>
struct EigenBatch : verify::EigenBatch<T> {
  using Base = verify::EigenBatch<T>;
  std::vector<Pattern> patterns;

  EigenBatch(const typename Base::Run& run, Batch batch, Uplo uplo, std::int64_t n, std::int64_t padding,
             const std::vector<Pattern>& all, std::uint64_t seed = 17)
      : Base({.uplo = uplo, .n = n, .lda = std::max<std::int64_t>(1, n) + padding, .batch = batch}, all,
             seeds(all.size(), seed), run),
        patterns(all) {}
  EigenBatch(const LapackBackend& backend, Batch batch, Uplo uplo, std::int64_t n, std::int64_t padding,
             const std::vector<Pattern>& all, std::uint64_t seed = 17, int threads = 1)
      : EigenBatch([&backend, threads](const LapackProblem& p,
                                       const LapackOperands& o) { return run(backend, p, o, threads); },
                   batch, uplo, n, padding, all, seed) {}

  // Every matrix that is finite has small residuals, whatever its neighbours are; of the others info tells.
  void expect_right() {
    SCOPED_TRACE(lapack_name(this->problem) + " n = " + std::to_string(this->problem.n) +
                 " uplo = " + std::to_string(static_cast<int>(this->problem.uplo)));
    EXPECT_TRUE(this->intact());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      if (patterns[i] == Pattern::nan || patterns[i] == Pattern::infinity)
        EXPECT_TRUE(this->has_failed(at)) << verify::name(patterns[i]);
      else
        EXPECT_LT(this->worst(at), verify::residual_limit) << verify::name(patterns[i]) << " at " << i;
    }
  }

 private:
  static std::vector<std::uint64_t> seeds(std::size_t count, std::uint64_t first) {
    std::vector<std::uint64_t> all;
    for (std::size_t i = 0; i < count; ++i) all.push_back(first + i);
    return all;
  }
};

// Neighbours that could disturb each other.
inline const std::vector<Pattern> all_patterns = {
    Pattern::random,   Pattern::nan,    Pattern::graded,   Pattern::clustered, Pattern::wilkinson,
    Pattern::zero,     Pattern::huge,   Pattern::identity, Pattern::reduced,   Pattern::tiny,
    Pattern::infinity, Pattern::random, Pattern::rank_one, Pattern::diagonal,  Pattern::repeated};

}  // namespace onepass::test
