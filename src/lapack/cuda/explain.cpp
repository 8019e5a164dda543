// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// The plan of a reduction in words.
#include <cstdio>

#include "lapack/check.hpp"
#include "lapack/cuda/sytrd_plan.hpp"

namespace onepass::lapack {
namespace {

std::string number(double value, const char* format) {
  char text[32];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

// Bytes of the stored triangle, which a panel loads once a column.
double triangle(const TridiagonalStage& stage, std::int64_t element) {
  return 0.5 * stage.n * (stage.n + 1.0) * static_cast<double>(element);
}

}  // namespace

std::string explain(const SytrdPlan& plan) {
  const std::int64_t element = size_of(plan.problem.type);
  std::string text = lapack_name(plan.problem) + " n = " + std::to_string(plan.problem.n) + " on cuda, workspace " +
                     std::to_string(plan.workspace_bytes) + " bytes\n";
  for (std::size_t i = 0; i < plan.stages.size(); ++i) {
    const TridiagonalStage& first = plan.stages[i];
    if (first.kind == TridiagonalKind::panel) {
      std::size_t last = i;
      int begun = 0;
      for (; last + 1 < plan.stages.size() && plan.stages[last + 1].kind == first.kind; ++last)
        begun += plan.stages[last + 1].begun ? 1 : 0;
      text += "  " + std::to_string(last - i + 1) + " panels of " + std::to_string(first.steps) +
              " columns, from n = " + std::to_string(first.n) + " on: " + std::to_string(first.blocks) +
              " blocks, 2 grid barriers a column, the triangle once a column (" +
              number(triangle(first, element) / 1e6, "%.1f") + " MB at first); rank-2k update by " +
              (uses_cublas(plan) ? "cuBLAS" : "tensor cores") +
              (begun > 0 ? ", with the first product of " + std::to_string(begun) + " panels" : std::string()) + "\n";
      i = last;
      continue;
    }
    if (first.kind == TridiagonalKind::one_block) {
      text += "  " + std::to_string(first.steps) + " columns of n = " + std::to_string(first.n) +
              " by one block, 2 of its barriers a column, the matrix in registers\n";
      continue;
    }
    const ChipShape& shape = tridiagonal_shapes.of(plan.problem.type)[static_cast<std::size_t>(first.shape)];
    const int shared = first.lines - shape.columns_in_registers;
    text +=
        "  " + std::to_string(first.steps) + " columns of n = " + std::to_string(first.n) +
        " on the chip: " + std::to_string(first.blocks) + " blocks, 1 grid barrier a column, the matrix in registers" +
        (shared > 0 ? " and " + std::to_string(shared) + " columns of a block in shared memory" : std::string()) + "\n";
  }
  return text;
}

}  // namespace onepass::lapack
