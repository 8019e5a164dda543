// SPDX-FileCopyrightText: 2026 The Onepass authors
// SPDX-License-Identifier: BSD-3-Clause
// sytrd and hetrd on a device: the plan, and its workspace. Knows nothing of CUDA.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "kernels/lapack/tridiagonal_panel_args.hpp"
#include "lapack/cuda/stages.hpp"
#include "lapack/problem.hpp"
#include "plan/device_traits.hpp"
#include "problem/status.hpp"

namespace onepass::lapack {

struct SytrdPlan {
  LapackProblem problem;
  std::vector<TridiagonalStage> stages;
  int scale_blocks = 0;
  std::size_t workspace_bytes = 0;

  bool has_panels() const { return !stages.empty() && stages.front().kind == TridiagonalKind::panel; }
  bool operator==(const SytrdPlan&) const = default;
};

// Of a problem that passed its check.
Status make_plan(const LapackProblem& problem, const DeviceTraits& traits, SytrdPlan* plan);
// For the rank-2k update behind a panel in single precision, if columns are not 16-byte aligned.
inline bool uses_cublas(const SytrdPlan& plan) {
  const LapackProblem& p = plan.problem;
  return plan.has_panels() && real_type(p.type) == Type::s && p.lda * size_of(p.type) % 16 != 0;
}
std::string explain(const SytrdPlan& plan);
// Of a panel.
kernels::PanelTiles panel_tiles(const TridiagonalStage& stage, Type type);

// The workspace in pieces, or without memory its bytes.
struct SytrdMemory {
  void *counters, *largest, *scale, *exchange, *cublas = nullptr;
  void *w = nullptr, *x = nullptr, *norms = nullptr, *squares = nullptr, *dots = nullptr, *sums = nullptr;
  std::size_t bytes;

  SytrdMemory(const SytrdPlan& plan, void* data);

  // Elements from a column of W to the next, which begins at a multiple of 16 bytes.
  static std::int64_t w_column(std::int64_t n, std::int64_t element) {
    const std::int64_t vector = 16 / element;
    return (n + vector - 1) / vector * vector;
  }
};

}  // namespace onepass::lapack
