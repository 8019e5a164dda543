// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// A batch of singular value decompositions of several patterns on a backend, and what must hold of it as expectations.
#pragma once

#include <string>

#include "guarded.hpp"
#include "lapack/check.hpp"
#include "types.hpp"
#include "verify/lapack_svd_batch.hpp"

namespace onepass::test {

template <class T>
struct SvdBatch : verify::SvdBatch<T> {
  using Base = verify::SvdBatch<T>;
  std::vector<verify::Pattern> patterns;

  SvdBatch(const typename Base::Run& run, Batch batch, std::int64_t m, std::int64_t n, std::int64_t padding,
           const std::vector<verify::Pattern>& all, std::uint64_t seed = 17, bool plain_v = false)
      : Base({.m = m, .n = n, .lda = std::max<std::int64_t>(1, m) + padding, .batch = batch, .plain_v = plain_v}, all,
             seeds(all.size(), seed), run),
        patterns(all) {}
  SvdBatch(const LapackBackend& backend, Batch batch, std::int64_t m, std::int64_t n, std::int64_t padding,
           const std::vector<verify::Pattern>& all, std::uint64_t seed = 17, int threads = 1, bool plain_v = false)
      : SvdBatch([&backend, threads](const LapackProblem& p,
                                     const LapackOperands& o) { return run(backend, p, o, threads); },
                 batch, m, n, padding, all, seed, plain_v) {}

  // Every matrix that is finite has small residuals, whatever its neighbours are; of the others info tells.
  void expect_right() {
    SCOPED_TRACE(lapack_name(this->problem) + " " + std::to_string(this->problem.m) + "x" +
                 std::to_string(this->problem.n));
    EXPECT_TRUE(this->intact());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      const auto at = static_cast<std::int64_t>(i);
      if (patterns[i] == verify::Pattern::nan || patterns[i] == verify::Pattern::infinity)
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
inline const std::vector<verify::Pattern> all_svd_patterns = {
    verify::Pattern::random,   verify::Pattern::nan,      verify::Pattern::graded,  verify::Pattern::clustered,
    verify::Pattern::zero,     verify::Pattern::huge,     verify::Pattern::reduced, verify::Pattern::identity,
    verify::Pattern::tiny,     verify::Pattern::infinity, verify::Pattern::random,  verify::Pattern::rank_one,
    verify::Pattern::diagonal, verify::Pattern::repeated};

}  // namespace onepass::test
