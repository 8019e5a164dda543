// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tune/mesh.hpp"

#include <cmath>

#include "tuning/format.hpp"

namespace onepass::tools {
namespace {

constexpr std::int64_t distance = 2048, long_column = 4096;  // bytes

}  // namespace

std::vector<std::int64_t> logarithmic(std::int64_t from, std::int64_t to, std::int64_t points) {
  std::vector<std::int64_t> axis;
  axis.reserve(static_cast<std::size_t>(points));
  const double ratio = static_cast<double>(to) / static_cast<double>(from);
  for (std::int64_t i = 0; i < points; ++i)
    axis.push_back(std::llround(static_cast<double>(from) *
                                std::pow(ratio, static_cast<double>(i) / static_cast<double>(points - 1))));
  return axis;
}

std::vector<std::int64_t> finer(const std::vector<std::int64_t>& axis, std::int64_t from, std::int64_t to) {
  std::vector<std::int64_t> fine;
  for (const std::int64_t size : axis) {
    if (!fine.empty() && fine.back() >= from && size <= to)
      fine.push_back(std::llround(std::sqrt(static_cast<double>(fine.back()) * static_cast<double>(size))));
    fine.push_back(size);
  }
  return fine;
}

std::string name(const Mesh& mesh) { return mesh_name(mesh.routine, mesh.type, mesh.second, mesh.aligned); }

Mesh exact_mesh(Type type, bool transposed, std::int64_t rows, std::int64_t cols) {
  return {.type = type,
          .second = transposed,
          .aligned = rows * size_of(type) % 64 == 0,
          .rows = {rows},
          .cols = {cols},
          .exact = true};
}

Problem problem_at(const Mesh& mesh, std::size_t row, std::size_t col) {
  Problem p{.routine = mesh.routine, .type_a = mesh.type, .type_x = mesh.type, .type_y = mesh.type};
  p.m = mesh.rows[row];
  p.n = mesh.routine == Routine::gemv ? mesh.cols[col] : p.m;
  if (mesh.routine == Routine::gemv)
    p.op = mesh.second ? Op::t : Op::n;
  else
    p.uplo = mesh.second ? Uplo::upper : Uplo::lower;
  // As programs have them: columns on cache lines, and long ones a multiple of 2 KiB apart, where launches that read
  // many columns at a time can be a sixth slower than elsewhere.
  const std::int64_t size = size_of(mesh.type), line = 64 / size,
                     unit = p.m * size < long_column ? line : distance / size;
  p.lda = mesh.exact ? p.m : mesh.aligned ? (p.m + unit - 1) / unit * unit : p.m % line == 0 ? p.m + 1 : p.m;
  p.alignment_a = 32;
  return p;
}

std::optional<Problem> problem_at_other_distance(const Mesh& mesh, std::size_t row, std::size_t col) {
  Problem p = problem_at(mesh, row, col);
  const std::int64_t size = size_of(mesh.type);
  if (mesh.routine != Routine::gemv || !mesh.aligned || mesh.exact || p.m * size < long_column) return {};
  p.lda += distance / size;
  return p;
}

}  // namespace onepass::tools
