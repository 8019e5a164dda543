// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "reductions/rows.hpp"

#include <fmt/format.h>

#include "problem/names.hpp"
#include "support/arguments.hpp"
#include "support/failure.hpp"

namespace onepass::tools {
namespace {

#if defined(ONEPASS_WITH_LAPACK)
constexpr bool are_there = true;
#else
constexpr bool are_there = false;
#endif

// 2^24 elements, and fewer of the smallest ones.
std::int64_t usual_matrices(std::int64_t n) {
  const std::int64_t rows = std::max<std::int64_t>(8, n);
  return std::max<std::int64_t>(1, rows <= 128 ? 131072 / rows : (std::int64_t{1} << 24) / (rows * rows));
}

}  // namespace

const ReductionRow* find_reduction(std::string_view name) {
  const auto* const found = std::find_if(std::begin(reduction_rows), std::end(reduction_rows),
                                         [&](const auto& row) { return row.name == name; });
  return are_there && found != std::end(reduction_rows) ? found : nullptr;
}

std::vector<std::string> reduction_names(bool alone) {
  std::vector<std::string> names;
  for (const ReductionRow& row : reduction_rows)
    if (are_there && (!alone || is_reduction(row.routine) || (row.job == Job::vectors && row.beside == Beside::usual)))
      names.emplace_back(row.name);
  return names;
}

LapackProblem reduction_problem(LapackRoutine routine, Type type, std::int64_t m, std::int64_t n) {
  const std::int64_t ld = std::max<std::int64_t>(1, m);
  // orgqr and ormqr have no more reflectors than geqrf leaves.
  const bool of_qr = routine == LapackRoutine::orgqr || routine == LapackRoutine::ormqr;
  return {.routine = routine,
          .type = type,
          .m = m,
          .n = n,
          .k = of_qr ? std::min(m, n) : n,
          .ihi = n,
          .lda = ld,
          .ldc = ld};
}

LapackProblem reduction_problem(const ReductionRow& row, Type type, std::int64_t m, std::int64_t n,
                                std::int64_t matrices) {
  LapackProblem problem = reduction_problem(row.routine, type, m, n);
  problem.job = row.job;
  problem.ldu = problem.lda;
  problem.ldvt = std::max<std::int64_t>(1, rows_of_vt(problem));
  if (!row.batched) return problem;
  problem.batch = Batch::strided;
  problem.batch_count = matrices > 0 ? matrices : usual_matrices(std::max(is_rectangular(row.routine) ? m : n, n));
  problem.stride_a = problem.lda * n;
  problem.stride_w = is_rectangular(row.routine) ? std::min(m, n) : n;
  problem.stride_u = problem.ldu * columns_of_u(problem);
  problem.stride_vt = problem.ldvt * n;
  return problem;
}

void require_addressable(const ReductionRow& row, const LapackProblem& p) {
  // Peers of batches are given room for square U and V^H.
  const double order = static_cast<double>(std::max(p.m, p.n));
  const double elements = row.batched ? order * order * static_cast<double>(p.batch_count)
                                      : static_cast<double>(p.lda) * static_cast<double>(p.n);
  if (elements <= static_cast<double>(most_elements)) return;
  throw Failure(Exit::usage,
                fmt::format("m = {}, n = {}, lda = {}, batch = {} for {}: must have at most 2^56 elements together",
                            p.m, p.n, p.lda, p.batch_count, row.name));
}

std::vector<Type> reduction_types(std::string_view text) {
  std::vector<Type> types;
  for (const std::string& word : parse_list("type", text == "all" ? "s,d,c,z" : text)) {
    const std::size_t index = std::string_view("sdcz").find(word);
    if (word.size() != 1 || index == std::string_view::npos) refuse("type", word, "must be one of s d c z");
    types.push_back(static_cast<Type>(index));
  }
  return types;
}

}  // namespace onepass::tools
