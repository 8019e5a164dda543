// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "verify/lapack_cases.hpp"

#include <algorithm>

namespace onepass::verify {
namespace {

std::int64_t lda_of(std::int64_t rows, std::int64_t padding) { return std::max<std::int64_t>(1, rows + padding); }

std::vector<LapackProblem> triangles(LapackRoutine routine, std::int64_t n, std::int64_t padding) {
  const std::int64_t lda = lda_of(n, padding);
  return {{.routine = routine, .uplo = Uplo::lower, .n = n, .lda = lda},
          {.routine = routine, .uplo = Uplo::upper, .n = n, .lda = lda}};
}

std::vector<LapackProblem> rectangles(LapackRoutine routine, std::int64_t n, std::int64_t padding) {
  const auto shape = [&](std::int64_t rows, std::int64_t columns) {
    return LapackProblem{.routine = routine, .m = rows, .n = columns, .lda = lda_of(rows, padding)};
  };
  return {shape(n, n), shape(n + 1, n), shape(n, n + 1), shape(n + n / 2 + 2, n), shape(n, n + n / 2 + 2)};
}

std::vector<LapackProblem> hessenberg(std::int64_t n, std::int64_t padding) {
  const auto shape = [&](std::int64_t ilo, std::int64_t ihi) {
    return LapackProblem{.routine = LapackRoutine::gehrd, .n = n, .ilo = ilo, .ihi = ihi, .lda = lda_of(n, padding)};
  };
  if (n == 0) return {shape(1, 0)};
  return {shape(1, n), shape(std::min<std::int64_t>(2, n), n), shape((n + 2) / 3, std::max((n + 2) / 3, n - 3)),
          shape(n, n)};
}

}  // namespace

std::vector<LapackProblem> reductions_of(LapackRoutine routine, std::int64_t order, std::int64_t padding) {
  switch (routine) {
    case LapackRoutine::sytrd:
    case LapackRoutine::syevd: return triangles(routine, order, padding);
    case LapackRoutine::gebrd:
    case LapackRoutine::geqrf:
    case LapackRoutine::gesvd: return rectangles(routine, order, padding);
    case LapackRoutine::gehrd: return hessenberg(order, padding);
    default: return {};
  }
}

}  // namespace onepass::verify
