// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The reductions, QR, what is done with their Q and what is solved by them as the program knows them: a routine is a
// row.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "lapack/problem.hpp"
#include "reductions/clock.hpp"

namespace onepass::tools {

struct ReductionRow {
  const char* name;
  const char* formula;
  LapackRoutine routine;
  LapackRoutine reduction;  // whose factor it takes; itself if it takes none
  bool rectangular;         // A need not be square
  // Elements that a reduction of an m x n matrix loads at least, and in words; none for what is done with Q.
  double (*floor_elements)(double m, double n) = nullptr;
  const char* floor = "";
  Job job = Job::values;  // of syevd and gesvd
  bool batched = false;   // many small matrices in one call
  Beside beside = Beside::usual;
};

inline constexpr ReductionRow reduction_rows[] = {
    {"sytrd", "A = Q T Q^H, T tridiagonal", LapackRoutine::sytrd, LapackRoutine::sytrd, false,
     [](double, double n) { return n * n * n / 6; }, "the stored triangle once a column"},
    // The sum of (m - j) (n - j) over the columns j.
    {"gebrd", "A = Q B P^H, B bidiagonal", LapackRoutine::gebrd, LapackRoutine::gebrd, true,
     [](double m, double n) {
       const double k = std::min(m, n);
       return k * m * n - (m + n) * k * (k - 1) / 2 + (k - 1) * k * (2 * k - 1) / 6;
     },
     "A once a column"},
    {"gehrd", "A = Q H Q^H, H of Hessenberg form", LapackRoutine::gehrd, LapackRoutine::gehrd, false,
     [](double, double n) { return n * n * n / 3; }, "A once a column"},
    {"orgtr", "Q of sytrd", LapackRoutine::orgtr, LapackRoutine::sytrd, false},
    {"orgbr", "Q of gebrd", LapackRoutine::orgbr, LapackRoutine::gebrd, false},
    {"orghr", "Q of gehrd", LapackRoutine::orghr, LapackRoutine::gehrd, false},
    {"ormtr", "C = Q C, Q of sytrd", LapackRoutine::ormtr, LapackRoutine::sytrd, false},
    {"ormbr", "C = Q C, Q of gebrd", LapackRoutine::ormbr, LapackRoutine::gebrd, false},
    {"ormhr", "C = Q C, Q of gehrd", LapackRoutine::ormhr, LapackRoutine::gehrd, false},
    {"syevd", "A = V diag(w) V^H, A Hermitian", LapackRoutine::syevd, LapackRoutine::syevd, false, nullptr, "",
     Job::vectors},
    {"syevd-values", "w of syevd alone", LapackRoutine::syevd, LapackRoutine::syevd, false},
    {"syevd-batched", "syevd of many small matrices", LapackRoutine::syevd, LapackRoutine::syevd, false, nullptr, "",
     Job::vectors, true},
    {"syevd-batched-values", "their w alone", LapackRoutine::syevd, LapackRoutine::syevd, false, nullptr, "",
     Job::values, true},
    {"geqrf", "A = Q R, R upper triangular", LapackRoutine::geqrf, LapackRoutine::geqrf, true,
     [](double m, double n) { return m * n; }, "A once"},
    {"orgqr", "Q of geqrf", LapackRoutine::orgqr, LapackRoutine::geqrf, true},
    {"ormqr", "C = Q C, Q of geqrf", LapackRoutine::ormqr, LapackRoutine::geqrf, true},
    {"gesvd", "A = U diag(s) V^H", LapackRoutine::gesvd, LapackRoutine::gesvd, true, nullptr, "", Job::vectors},
    {"gesvd-values", "s of gesvd alone", LapackRoutine::gesvd, LapackRoutine::gesvd, true},
    {"gesvd-polar", "gesvd beside cuSOLVER's gesvdp", LapackRoutine::gesvd, LapackRoutine::gesvd, true, nullptr, "",
     Job::vectors, false, Beside::polar},
    {"gesvd-batched", "gesvd of many small matrices", LapackRoutine::gesvd, LapackRoutine::gesvd, true, nullptr, "",
     Job::vectors, true},
    {"gesvd-batched-values", "their s alone", LapackRoutine::gesvd, LapackRoutine::gesvd, true, nullptr, "",
     Job::values, true},
    {"gesvd-batched-jacobi", "gesvd-batched beside cuSOLVER's gesvdjBatched", LapackRoutine::gesvd,
     LapackRoutine::gesvd, true, nullptr, "", Job::vectors, true, Beside::jacobi},
};

// Null if none is called so, as in a build without them.
const ReductionRow* find_reduction(std::string_view name);
// Those that the build has; `alone`: sytrd, gebrd, gehrd, syevd, syevd-batched, geqrf, gesvd and gesvd-batched, which
// are checked.
std::vector<std::string> reduction_names(bool alone = false);

// One of a routine without gaps: lda = m, and all of it where a part could be reduced.
LapackProblem reduction_problem(LapackRoutine routine, Type type, std::int64_t m, std::int64_t n);
// `matrices`: of a batch; 0: as many as is usual for their size.
LapackProblem reduction_problem(const ReductionRow& row, Type type, std::int64_t m, std::int64_t n,
                                std::int64_t matrices = 0);
// Refuses matrices of so many elements that their bytes, or those of a workspace, would wrap.
void require_addressable(const ReductionRow& row, const LapackProblem& problem);
// "s", "d", "c" or "z"; "all" for each of them.
std::vector<Type> reduction_types(std::string_view text);

}  // namespace onepass::tools
